package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.spi.ArrayCursor;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.CountedInput;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.job.DTypeRequest;
import org.saevhadoop.mapreduce.job.InputSpec;

/** Reads the arrays of the files of a part of a stream. */
final class ShardRecordReader extends ReusingRecordReader {
  private final StreamInputFormat format;
  private TaskAttemptContext task;
  private List<String> files = List.of();
  private int opened;
  private CountedInput file;
  private Counter blocks;
  private DTypeRequest numbers;
  private @Nullable List<Integer> layers;
  private ArrayCursor arrays;
  private ByteBuffer converted = ByteBuffer.allocate(0);

  ShardRecordReader(StreamInputFormat format) {
    this.format = format;
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
    Configuration conf = task.getConfiguration();
    InputSpec spec = format.spec(conf);
    checkProjection(spec);
    numbers = spec.dtypes();
    LayerRequest asked = spec.projection().layers();
    layers = asked == null ? null : asked.layers();
    this.task = task;
    blocks = task.getCounter(DatasetCounter.BLOCKS);
    files = ((ShardSplit) split).part().files();
    openNext();
  }

  private void openNext() throws IOException {
    Configuration conf = task.getConfiguration();
    CountedInput next =
        CountedInput.open(ActivationInputFormat.onlyPath(task), files.get(opened++), conf);
    try {
      next.meter(ByteMeter.of(task, DatasetCounter.BYTES_READ));
      arrays = format.stream().arrays(next, SpoolFolder.of(conf));
    } catch (IOException | RuntimeException e) {
      next.close();
      throw e;
    }
    file = next;
  }

  private static void checkProjection(InputSpec spec) {
    var projection = spec.projection();
    if (projection.examples() != null || projection.limit() >= 0 || !projection.tokens().isAll()) {
      throw new SettingException(
          "examples and tokens of a stream cannot be chosen (expected saev.input.layers only; convert"
              + " it first)");
    }
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    do {
      while (!arrays.next()) {
        if (opened == files.size()) {
          return false;
        }
        arrays.close();
        openNext();
      }
    } while (layers != null && !layers.contains(arrays.layer()));
    key.set(arrays.sample(), arrays.layer(), 0);
    DType dtype = numbers.of(column(), true);
    value.set(dtype, shape(), convert(arrays.bytes(), dtype));
    blocks.increment(1);
    return true;
  }

  private int[] shape() throws FormatException {
    long[] shape = arrays.shape();
    DatasetError.TOO_LARGE.check(
        Arrays.stream(shape).allMatch(size -> size <= Integer.MAX_VALUE),
        file.path(),
        "sample %d of layer %d has the shape %s (expected sizes below 2^31)",
        arrays.sample(),
        arrays.layer(),
        Arrays.toString(shape));
    return Arrays.stream(shape).mapToInt(size -> (int) size).toArray();
  }

  private Column column() {
    String name = Geometry.LAYER_PREFIX + arrays.layer();
    return new Column(name, arrays.dtype(), Arrays.stream(arrays.shape()).boxed().toList());
  }

  private ByteBuffer convert(ByteBuffer bytes, DType dtype) throws IOException {
    if (dtype == arrays.dtype()) {
      return bytes;
    }
    Column from = column();
    DTypeConversion conversion = numbers.conversion(file.path(), from, from.as(dtype));
    long wide = from.as(dtype).bytes();
    DatasetError.TOO_LARGE.check(
        wide <= Integer.MAX_VALUE - Long.BYTES,
        file.path(),
        "sample %d of layer %d has %d bytes as %s, too many for a record (expected less than 2 GiB)",
        arrays.sample(),
        arrays.layer(),
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
  public float getProgress() {
    return file == null ? 0 : (opened - 1 + file.progress()) / files.size();
  }

  @Override
  public void close() throws IOException {
    if (arrays != null) {
      arrays.close();
    }
  }
}
