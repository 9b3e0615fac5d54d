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
import org.saevhadoop.format.io.FormatException;
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
      try {
        layers.add(Integer.valueOf(layer.strip()));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "%s is \"%s\" (expected layers separated by commas, or all)"
                .formatted(SaevConf.INPUT_LAYERS.key(), asked),
            e);
      }
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
    value.set(dtype, shape(), convert(blocks.bytes(), dtype));
    return true;
  }

  private int[] shape() throws FormatException {
    long[] shape = blocks.shape();
    FormatException.check(
        Arrays.stream(shape).allMatch(size -> size <= Integer.MAX_VALUE),
        file.path(),
        "sample %d of layer %d has the shape %s (expected sizes below 2^31)",
        blocks.sampleId(),
        blocks.layerNumber(),
        Arrays.toString(shape));
    return Arrays.stream(shape).mapToInt(size -> (int) size).toArray();
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
    long wide = from.as(dtype).bytes();
    FormatException.check(
        wide <= Integer.MAX_VALUE - Long.BYTES,
        file.path(),
        "sample %d of layer %d has %d bytes as %s, too many for a record (expected less than 2 GiB)",
        blocks.sampleId(),
        blocks.layerNumber(),
        wide,
        dtype);
    int length = (int) wide;
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
    } else if (file != null) {
      file.close();
    }
  }
}
