package org.saevhadoop.jobs.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;

/**
 * Writes the {@link RowSums} for the rows of a split. A row is a block or, if records are examples,
 * an example.
 */
public class SumRows implements Task {
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

  static final SettingKey<Boolean> UNORDERED =
      SettingKey.internalFlag(
          "saev.rows.unordered", "Whether rows are numbered by the ids of their examples.");

  @FunctionalInterface
  protected interface Sink {
    /**
     * Accepts a row.
     *
     * @param bytes the values of the row; the method reads all remaining bytes
     * @param labels the labels of the row, which are ignored if the other dataset has none
     */
    void add(long row, ByteBuffer bytes, ByteBuffer labels) throws IOException;
  }

  @Override
  public final void run(TaskInput input, TaskOutput output)
      throws IOException, InterruptedException {
    RowSums sums = new RowSums(input.get(ROWS));
    int labels = labels(input);
    read(input, (row, bytes, labelsOf) -> sums.add(row, bytes, labelsOf.limit(labels)));
    output.write(0, sums.toBytes());
  }

  private static int labels(TaskInput input) {
    return Math.toIntExact(input.get(LABELS));
  }

  protected void read(TaskInput input, Sink sink) throws IOException, InterruptedException {
    List<Integer> numbers = input.get(LAYERS);
    Map<Integer, Integer> layers = numbers == null ? null : TableShape.positions(numbers);
    long examples = layers == null ? input.get(ROWS) : input.get(ROWS) / layers.size();
    ExampleIds ids = input.get(UNORDERED) ? input.dataset().ids().orElseThrow() : null;
    ByteBuffer labels = ByteBuffer.allocate(labels(input));
    try (PatchLabels reader =
        labels.hasRemaining() ? input.dataset().requireActivations().openLabels() : null) {
      while (input.next()) {
        if (reader != null) {
          reader.read(input.example(), labels.clear());
          labels.flip();
        }
        long example = ids == null ? input.example() : number(ids, input.example(), examples);
        long row =
            layers == null
                ? example
                : example * layers.size() + Objects.requireNonNull(layers.get(input.column()));
        sink.add(row, input.values(), labels);
      }
    }
  }

  /** Returns a number for an example that depends only on its id; examples may share a number. */
  private static long number(ExampleIds ids, long example, long examples) throws IOException {
    return Math.floorMod(ids.ids(example, 1).get(0).hashCode(), examples);
  }
}
