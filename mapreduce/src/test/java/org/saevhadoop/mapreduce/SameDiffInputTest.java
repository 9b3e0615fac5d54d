package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.samediff.container.ContainerError;
import org.saevhadoop.format.samediff.dataset.SdnbWritePlan;
import org.saevhadoop.format.samediff.dataset.SdzWritePlan;
import org.saevhadoop.format.samediff.dataset.WrittenArrays;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.mapreduce.Tasks.Read;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.job.InputKeys;

/** Jobs that read containers: splits, the files that they open, and arrays in any order. */
@ResourceLock(FaultyFileSystem.SCHEME)
class SameDiffInputTest {
  private static final Geometry GEOMETRY = new Geometry(7, List.of(13, 21), 10, 16);
  private static final String SHARD = "acts.shard%d-of-5.sdnb";

  @TempDir Path folder;
  private final SameDiffInputFormat format = new SameDiffInputFormat();
  private Job job;
  private Configuration conf;

  @BeforeEach
  void configure() throws IOException {
    job = Job.getInstance(new Configuration(false));
    conf = job.getConfiguration();
    FaultyFileSystem.register(conf);
    FileInputFormat.setInputPaths(job, FaultyFileSystem.path(folder));
  }

  private static WrittenArrays arrays() {
    return new WrittenArrays(GEOMETRY.table(), 2, Provenance.NONE, null, null);
  }

  @Test
  void splitsNameTheHostsOfTheShardsThatAreRead() throws Exception {
    InventedFiles.write(new SdnbWritePlan(arrays(), "acts").write(SampleMetadata.NONE), folder);
    conf.set(InputKeys.GROUP.name(), "3");
    FileInputFormat.setMaxInputSplitSize(job, 1);
    List<InputSplit> splits = format.getSplits(job);
    assertThat(splits).hasSize(3);
    assertThat(splits.get(0).getLength()).isEqualTo(3 * GEOMETRY.exampleBytes());
    assertThat(splits.get(0).getLocations())
        .containsExactly("host-of-" + SHARD.formatted(1), "host-of-" + SHARD.formatted(2));
    assertThat(splits.get(2).getLocations()).containsExactly("host-of-" + SHARD.formatted(4));
  }

  @Test
  void splitsOfAnArrayInFOrderHaveNoHosts() throws Exception {
    ForeignContainer container = new ForeignContainer();
    ByteBuffer values = ByteBuffer.allocate((int) (7 * GEOMETRY.blockBytes()));
    for (int example = 0; example < 7; example++) {
      values.put(InventedFiles.block(GEOMETRY, example, 1));
    }
    container
        .array("h", ForeignContainer.FLOAT, Storage.APPENDED, 'f', values.array(), 7, 10, 16)
        .array("w", ForeignContainer.FLOAT, Storage.INLINE, 'c', new byte[8], 2)
        .write(folder.resolve("net.sdnb"));
    conf.set(ArrayKeys.TENSORS.name(), "h=example,layer:21,token,dim");
    conf.set(InputKeys.RECORD.name(), "block");
    conf.set(InputKeys.EXAMPLES.name(), "5:,1");
    FileInputFormat.setMaxInputSplitSize(job, GEOMETRY.blockBytes());
    List<InputSplit> splits = format.getSplits(job);
    assertThat(splits).hasSize(3).allMatch(split -> locations(split).isEmpty());
    List<Read> records = Tasks.readAll(format, splits, conf);
    assertThat(records)
        .extracting(Read::key)
        .containsExactly(
            new ActivationKey(5, 21, 0), new ActivationKey(6, 21, 0), new ActivationKey(1, 21, 0));
    for (Read record : records) {
      assertThat(record.value().bytes())
          .isEqualTo(InventedFiles.block(GEOMETRY, record.key().example(), 1));
    }
  }

  private static List<String> locations(InputSplit split) {
    try {
      return List.of(split.getLocations());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void arraysOfAnyTypesAreRecordsAsTheyAreStored() throws Exception {
    new ForeignContainer()
        .array("a", ForeignContainer.DOUBLE, Storage.APPENDED, 'f', new byte[3 * 16], 3, 2)
        .array("b", ForeignContainer.UBYTE, Storage.INLINE, 'c', new byte[] {7, 8, 9}, 3)
        .write(folder.resolve("net.sdnb"));
    assertFails(
        DatasetError.NO_ACTIVATIONS, FaultyFileSystem.path(folder), () -> format.getSplits(job));
    conf.set(InputKeys.RECORD.name(), "block");
    List<Read> records = Tasks.readAll(format, format.getSplits(job), conf);
    assertThat(records.stream().map(read -> read.value().toString()))
        .containsExactly("float64[2]", "uint8[]", "float64[2]", "uint8[]", "float64[2]", "uint8[]");
    assertThat(records.get(5).value().bytes().get()).isEqualTo((byte) 9);
  }

  @Test
  void compressedEntriesAreRefusedBeforeTheJobStarts() throws Exception {
    SdzWritePlan plan = new SdzWritePlan(arrays(), "acts", 9000, true, 6);
    InventedFiles.write(plan.write(SampleMetadata.NONE), folder);
    assertFails(
        ContainerError.COMPRESSED, FaultyFileSystem.path(folder), () -> format.getSplits(job));
  }

  @Test
  void staleShardsFailTheJobBeforeItStarts() throws Exception {
    InventedFiles.write(new SdnbWritePlan(arrays(), "acts").write(SampleMetadata.NONE), folder);
    Files.copy(folder.resolve(SHARD.formatted(1)), folder.resolve("acts.sdnb"));
    assertFails(
        ContainerError.STALE_SHARDS,
        FaultyFileSystem.path(folder.resolve("acts.sdnb")),
        () -> format.getSplits(job));
  }
}
