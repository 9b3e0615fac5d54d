package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.safetensors.header.EncodedHeader;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.SafetensorsInputFormat;
import org.saevhadoop.mapreduce.input.ExampleSplit;

/** One file of 100 GiB, of which only the header is there. */
class SparseFileIT {
  private static final long EXAMPLES = 102_400;
  private static final long MIB = 1 << 20;

  @TempDir Path folder;

  @Test
  void aFileOfAHundredGibibytesIsInspectedByItsHeader() throws IOException {
    Path file = sparse();
    Cli cli = Cli.run("inspect", file, "--json");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.stdout()).asString().contains("layer_13").contains("107374182400");
  }

  @Test
  void itIsSplitIntoPiecesOfAtMost128MebibytesThatEndBetweenExamples() throws IOException {
    Path file = sparse();
    Configuration conf = new Configuration();
    conf.set("fs.local.block.size", Long.toString(128 * MIB));
    conf.set("saev.input.record", "block");
    Job job = Job.getInstance(conf);
    FileInputFormat.setInputPaths(job, new org.apache.hadoop.fs.Path(file.toUri()));
    List<InputSplit> splits = new SafetensorsInputFormat().getSplits(job);
    assertThat(splits).hasSize(800);
    long next = 0;
    for (InputSplit split : splits) {
      ExampleSplit range = (ExampleSplit) split;
      assertThat(range.first()).isEqualTo(next);
      assertThat(range.getLength()).isEqualTo(range.count() * MIB).isEqualTo(128 * MIB);
      next += range.count();
    }
    assertThat(next).isEqualTo(EXAMPLES);
  }

  private Path sparse() throws IOException {
    TensorSpec layer = new TensorSpec("layer_13", DType.F32, List.of(EXAMPLES, 256L, 1024L));
    EncodedHeader header = SafetensorsHeader.encode(List.of(layer), Map.of());
    Path file = folder.resolve("large.safetensors");
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.getChannel().write(header.bytes());
      out.setLength(header.fileBytes());
    }
    return file;
  }
}
