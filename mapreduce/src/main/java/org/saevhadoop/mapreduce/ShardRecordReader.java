package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.activations.ShardBlocks;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.tensor.Conversion;
import org.saevhadoop.format.tensor.DType;

/** Reads the arrays of one pickled shard. */
final class ShardRecordReader extends RecordReader<ActivationKey, ActivationWritable> {
  private final ActivationKey key = new ActivationKey();
  private final ActivationWritable value = new ActivationWritable();
  private CountedInput file;
  private InputNumbers numbers;
  private Set<Integer> layers;
  private ShardBlocks blocks;
  private ByteBuffer converted = ByteBuffer.allocate(0);

  @Override
  public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
    Configuration conf = task.getConfiguration();
    ShardSplit shard = (ShardSplit) split;
    numbers = InputNumbers.of(conf);
    layers = layers(SaevConf.INPUT_LAYERS.get(conf));
    file = CountedInput.open(ActivationInputFormat.onlyPath(task), shard.name(), conf);
    blocks = new ShardBlocks(file, Path.of(System.getProperty("java.io.tmpdir")));
  }

  private static Set<Integer> layers(String asked) {
    if (asked.equals("all")) {
      return null;
    }
    Set<Integer> layers = new HashSet<>();
    for (String layer : asked.split(",")) {
      layers.add(Integer.valueOf(layer.strip()));
    }
    return layers;
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    do {
      if (!blocks.next()) {
        return false;
      }
    } while (layers != null && !layers.contains(blocks.layerNumber()));
    key.set(blocks.sampleId(), blocks.layerNumber(), 0);
    DType dtype = numbers.of(column(), true);
    value.set(
        dtype,
        Arrays.stream(blocks.shape()).mapToInt(Math::toIntExact).toArray(),
        convert(blocks.bytes(), dtype));
    return true;
  }

  private Column column() {
    String name = Geometry.LAYER_PREFIX + blocks.layerNumber();
    return new Column(name, blocks.dtype(), Arrays.stream(blocks.shape()).boxed().toList());
  }

  private ByteBuffer convert(ByteBuffer bytes, DType dtype) throws IOException {
    if (dtype == blocks.dtype()) {
      return bytes;
    }
    Column from = column();
    Conversion conversion = numbers.conversion(file.path(), from, from.as(dtype));
    int length = Math.toIntExact(from.as(dtype).bytes());
    if (converted.capacity() < length) {
      converted = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
    conversion.convert(bytes, converted.clear());
    return converted.flip();
  }

  @Override
  public ActivationKey getCurrentKey() {
    return key;
  }

  @Override
  public ActivationWritable getCurrentValue() {
    return value;
  }

  @Override
  public float getProgress() {
    return file == null ? 0 : file.progress();
  }

  @Override
  public void close() throws IOException {
    if (blocks != null) {
      blocks.close();
    }
  }
}
