package org.saevhadoop.jobs.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.jobs.task.TaskMapper;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/**
 * Hands over the {@link RowSums} of the rows of a split. A row is a block or, if records are
 * examples, an example.
 */
public class SumRows
    extends Mapper<ActivationKey, ActivationWritable, LongWritable, BytesWritable> {
  static final SettingKey<Long> ROWS =
      SettingKey.internal(
          "saev.rows.count",
          SettingTypes.whole(0, Long.MAX_VALUE),
          "0",
          "The number of rows that are summed.");

  static final SettingKey<Long> LABELS =
      SettingKey.internal(
          "saev.rows.labels",
          SettingTypes.whole(0, Long.MAX_VALUE),
          "0",
          "The number of labels of a row, which are summed with its values.");

  static final SettingKey<List<Integer>> LAYERS =
      SettingKey.internal(
          "saev.rows.layers",
          SettingTypes.integers("N,N", "numbers of layers"),
          null,
          "The order of the layers whose blocks are rows.");

  private RowSums sums;
  private int labels;
  private @Nullable Map<Integer, Integer> layers;
  private @Nullable PatchLabels reader;
  private ByteBuffer labelsOfRow;

  @Override
  protected void setup(Context context) throws IOException {
    Configuration conf = context.getConfiguration();
    sums = new RowSums(ConfSettings.get(conf, ROWS));
    labels = Math.toIntExact(ConfSettings.get(conf, LABELS));
    List<Integer> numbers = ConfSettings.get(conf, LAYERS);
    layers = numbers == null ? null : TableShape.positions(numbers);
    labelsOfRow = ByteBuffer.allocate(labels);
  }

  /** Adds a row. Labels are ignored if the other dataset has none. */
  protected final void add(long row, ByteBuffer bytes, ByteBuffer labelsOf) {
    sums.add(row, bytes, labelsOf.limit(labels));
  }

  @Override
  protected void map(ActivationKey key, ActivationWritable value, Context context)
      throws IOException {
    if (labels > 0) {
      if (reader == null) {
        reader = ActivationInputFormat.openPart(context).requireActivations().openLabels();
      }
      reader.read(key.example(), labelsOfRow.clear());
      labelsOfRow.flip();
    }
    long row =
        layers == null
            ? key.example()
            : key.example() * layers.size() + Objects.requireNonNull(layers.get(key.layer()));
    add(row, value.bytes(), labelsOfRow);
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    if (reader != null) {
      reader.close();
    }
    TaskMapper.output(context).write(0, sums.toBytes());
  }
}
