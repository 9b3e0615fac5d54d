package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.publish.ReplaceableDataset;
import org.saevhadoop.mapreduce.saev.SaevFormat;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.DatasetReport;
import org.saevhadoop.mapreduce.spi.FormatEvidence;
import org.saevhadoop.mapreduce.spi.ReportSink;

/** A format that is only read, in a registry with the formats of the project. */
class ReadOnlyFormatTest {
  private static final String FILE = "values.toy";

  private static final DatasetFormats FORMATS = new DatasetFormats(withToy());

  private static List<DatasetFormats.Entry> withToy() {
    List<DatasetFormats.Entry> entries = new ArrayList<>(DatasetFormats.registry().all());
    entries.add(new DatasetFormats.Entry(new ToyFormat(), ToyInputFormat.class, null));
    return entries;
  }

  /** A file of bytes, each of which is an example. */
  private static final class ToyFormat implements DatasetFormat {
    @Override
    public String name() {
      return "toy";
    }

    @Override
    public String expected() {
      return FILE;
    }

    @Override
    public FormatEvidence detect(Location location) throws IOException {
      boolean found = !location.isFile() && location.files().containsKey(FILE);
      return found ? FormatEvidence.CERTAIN : FormatEvidence.NONE;
    }

    @Override
    public List<SettingKey<?>> readingKeys() {
      return List.of();
    }

    @Override
    public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
        throws IOException {
      return new ToyDataset(location.folder(), location.files().get(FILE));
    }

    @Override
    public void describe(
        Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
        throws IOException {
      sink.report(new DatasetReport().put("format", name()));
    }

    @Override
    public List<FormatException> check(
        Location location,
        Settings settings,
        ProvenanceReader provenance,
        Consumer<String> warnings) {
      return List.of();
    }
  }

  private record ToyDataset(Folder folder, long examples) implements TableDataset {
    @Override
    public TableShape table() {
      return new TableShape(examples, List.of(new Column("value", DType.U8, List.of())));
    }

    @Override
    public Shards shards() {
      return new Shards(List.of(new Shard(FILE, 0, examples, examples)));
    }

    @Override
    public BlockOrder storageOrder() {
      return BlockOrder.byExample(table());
    }

    @Override
    public BlockOffsets placement(int shard, Input file) {
      return BlockOffsets.byExample(table(), storageOrder(), 0);
    }

    @Override
    public List<ByteRange> expectedRanges(
        int shard, long indexInShard, long count, List<Integer> columns) {
      return List.of(new ByteRange(indexInShard, count));
    }

    @Override
    public List<String> warnings() {
      return List.of();
    }
  }

  private static final class ToyInputFormat extends ActivationInputFormat {
    ToyInputFormat() {
      super(new ToyFormat(), FORMATS);
    }
  }

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.write(folder.resolve(FILE), new byte[] {3, 5, 7});
  }

  @Test
  void aReadOnlyFormatIsDetectedAndNotOfferedForWriting() throws IOException {
    assertThat(FORMATS.detect(Location.of(new LocalFolder(folder))).name()).isEqualTo("toy");
    assertThat(FORMATS.names()).containsAll(DatasetFormats.registry().names()).contains("toy");
    assertThat(FORMATS.format("TOY")).isPresent();
    assertThat(FORMATS.writable()).isEqualTo(DatasetFormats.registry().all());
    assertThat(FORMATS.keys()).isEqualTo(DatasetFormats.registry().keys());
    assertThat(DatasetFormats.registry().names()).doesNotContain("toy");
  }

  @Test
  void aJobReadsADatasetOfAReadOnlyFormat() throws Exception {
    Job job = Job.getInstance(new Configuration(false));
    FileInputFormat.setInputPaths(job, new org.apache.hadoop.fs.Path(folder.toUri()));
    Configuration conf = job.getConfiguration();
    conf.set(InputKeys.RECORD.name(), "block");
    conf.set(InputKeys.EXAMPLES.name(), "1:3");
    ToyInputFormat format = new ToyInputFormat();
    assertThat(Tasks.readAll(format, format.getSplits(job), conf))
        .extracting(read -> read.value().bytes().get())
        .containsExactly((byte) 5, (byte) 7);
  }

  @Test
  void aDatasetOfAReadOnlyFormatIsNotReplaced() {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(folder.toUri());
    assertThatThrownBy(() -> ReplaceableDataset.check(path, FORMATS, new Configuration(false)))
        .hasMessageEndingWith(folder + ": has the format toy, which can only be read");
  }

  @Test
  void anEntryWithoutAnOutputFormatIsThatOfAReadOnlyFormat() {
    assertThatThrownBy(
            () -> new DatasetFormats.Entry(new SaevFormat(), SaevInputFormat.class, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
