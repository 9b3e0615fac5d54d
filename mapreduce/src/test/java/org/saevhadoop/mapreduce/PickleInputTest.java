package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.write.ShardPickler;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.input.ShardSplit;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.InputKeys;

/** Pickled shards as the input of any job: a record is an array as it is recorded. */
class PickleInputTest {
  @TempDir java.nio.file.Path folder;
  private final Configuration conf = new Configuration(false);

  @BeforeEach
  void writeShards() throws IOException {
    write("host 0%20/shard_0001.pkl", 3, DType.F32, new long[] {2, 3}, 7, 8);
    write("host_1/shard_0001.pkl", 4, DType.F16, new long[] {1, 2, 2}, Long.MAX_VALUE);
  }

  @Test
  void aShardIsASplitAndAnArrayARecord() throws Exception {
    assertThat(splits())
        .extracting(Object::toString)
        .containsExactly("host 0%20/shard_0001.pkl", "host_1/shard_0001.pkl");
    assertThat(records())
        .containsExactly(
            "7 3 F32 [2, 3] 24", "8 3 F32 [2, 3] 24", Long.MAX_VALUE + " 4 F32 [1, 2, 2] 16");
  }

  @Test
  void smallShardsOfADirectoryShareASplit() throws Exception {
    write("host_1/shard_0002.pkl", 5, DType.F16, new long[] {1, 2}, 4);
    write("host_1/shard_0003.pkl", 4, DType.F16, new long[] {1, 2}, 2, 1);
    assertThat(splits())
        .extracting(Object::toString)
        .containsExactly("host 0%20/shard_0001.pkl", "host_1/shard_0001.pkl and 2 others");
    conf.set(InputKeys.LAYERS.name(), "4");
    assertThat(records())
        .containsExactly(
            Long.MAX_VALUE + " 4 F32 [1, 2, 2] 16", "2 4 F32 [1, 2] 8", "1 4 F32 [1, 2] 8");
    java.nio.file.Path third = folder.resolve("host_1/shard_0003.pkl");
    Files.write(third, new byte[] {1, 2, 3});
    assertFails(PickleError.NOT_A_PICKLE, third, this::records);
  }

  @Test
  void oneFileIsADatasetToo() throws Exception {
    assertThat(recordsOf(folder.resolve("host_1/shard_0001.pkl"))).hasSize(1);
  }

  @Test
  void numbersComeAsTheyAreStoredAndLayersAsAskedFor() throws Exception {
    conf.set(InputKeys.DTYPE.name(), "stored");
    conf.set(InputKeys.LAYERS.name(), "4, 9");
    assertThat(records()).containsExactly(Long.MAX_VALUE + " 4 F16 [1, 2, 2] 8");
    conf.set(InputKeys.LAYERS.name(), "4,x");
    assertThatThrownBy(this::records)
        .hasMessage(
            "saev.input.layers is \"4,x\": \"x\" is not a layer (expected all, or layers and"
                + " ranges of layers such as 10,12-14)");
  }

  @Test
  void sizesThatARecordHasNoRoomForAreReported() throws Exception {
    write("host_1/shard_0001.pkl", 4, DType.F16, new long[] {1L << 31, 0}, 5);
    assertFails(DatasetError.TOO_LARGE, "shard_0001.pkl", this::records);
  }

  /** Both halves of a vector would be records with the same key. */
  @Test
  void halvesAreNotJoined() throws Exception {
    write("host_0/shard_0001.pkl", 4, DType.F16, new long[] {1, 2, 2}, Long.MAX_VALUE);
    Files.delete(folder.resolve("host 0%20/shard_0001.pkl"));
    conf.setBoolean("saev.input.join.halves", true);
    assertThatThrownBy(this::splits)
        .isInstanceOf(SettingException.class)
        .hasMessageStartingWith("saev.input.join.halves is true (expected false");
    conf.setBoolean("saev.input.join.halves", false);
    assertThat(splits()).hasSize(2);
  }

  @Test
  void splitsSurviveTheWayToATask() throws Exception {
    for (InputSplit split : splits()) {
      DataOutputBuffer out = new DataOutputBuffer();
      ((ShardSplit) split).write(out);
      DataInputBuffer in = new DataInputBuffer();
      in.reset(out.getData(), out.getLength());
      ShardSplit copy = new ShardSplit();
      copy.readFields(in);
      assertThat(copy.part()).isEqualTo(((ShardSplit) split).part());
      assertThat(copy.getLength()).isEqualTo(split.getLength()).isPositive();
      assertThat(copy.getLocations()).isEmpty();
    }
  }

  @Test
  void aShardThatCanNotBeReadIsReportedByItsPath() throws Exception {
    java.nio.file.Path shard = folder.resolve("host_1/shard_0001.pkl");
    Files.write(shard, new byte[] {1, 2, 3});
    assertFails(PickleError.NOT_A_PICKLE, shard, this::records);
  }

  private void write(String name, int layer, DType type, long[] shape, long... ids)
      throws IOException {
    java.nio.file.Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    MemoryOutput out = new MemoryOutput(name);
    ShardPickler pickler = new ShardPickler(name, out::write, 4, Form.REAL);
    pickler.beginLayer(layer);
    int length = type.bits() / 8;
    for (long size : shape) {
      length *= (int) size;
    }
    for (long id : ids) {
      pickler.sample(id, null, type, shape, ByteBuffer.allocate(length));
    }
    pickler.endLayer();
    pickler.end();
    Files.write(path, out.bytes());
  }

  private List<InputSplit> splits() throws IOException {
    Job job = Job.getInstance(conf);
    FileInputFormat.setInputPaths(job, new Path(folder.toUri()));
    return new ActivationPickleInputFormat().getSplits(job);
  }

  private List<String> records() throws Exception {
    return recordsOf(folder);
  }

  private List<String> recordsOf(java.nio.file.Path path) throws Exception {
    return Tasks.readAll(new ActivationPickleInputFormat(), path, conf).stream()
        .map(PickleInputTest::show)
        .toList();
  }

  private static String show(Tasks.Read read) {
    ActivationWritable value = read.value();
    return "%d %d %s %s %d"
        .formatted(
            read.key().example(),
            read.key().layer(),
            value.dtype(),
            Arrays.toString(value.shape()),
            value.bytes().remaining());
  }
}
