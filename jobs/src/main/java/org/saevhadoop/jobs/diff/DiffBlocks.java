package org.saevhadoop.jobs.diff;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;

/** Compares the blocks of a split with the blocks of the same examples in the second dataset. */
final class DiffBlocks implements Task {
  /** The key of the number of examples whose labels differ. */
  static final int LABELS = -1;

  /** The key of the number of examples whose sample metadata differs. */
  static final int SAMPLES = -2;

  @Override
  public void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException {
    TableDataset second = input.second();
    compareBlocks(input, output, second);
    if (input.get(DiffKeys.LABELS) || input.get(DiffKeys.SAMPLES)) {
      compareSideData(input, output, input.dataset(), second);
    }
  }

  private static void compareBlocks(TaskInput input, TaskOutput output, TableDataset second)
      throws IOException, InterruptedException {
    List<Integer> columns = input.get(DiffKeys.COLUMNS);
    RecordSelection selection = RecordSelection.blocks(new BlockOrder(false, columns), 1);
    List<ColumnDifference> differences = new ArrayList<>();
    columns.forEach(column -> differences.add(new ColumnDifference()));
    ValueComparison[] comparisons = new ValueComparison[columns.size()];
    try (BlockCursor cursor = new BlockCursor(second, selection, input.first(), input.count())) {
      for (int i = 0; input.next(); i = (i + 1) % comparisons.length) {
        if (!cursor.next()
            || cursor.example() != input.example()
            || cursor.column() != columns.get(i)) {
          throw new IOException("a block of example " + input.example() + " came out of order");
        }
        Column column = second.table().columns().get(columns.get(i));
        if (comparisons[i] == null) {
          comparisons[i] = comparison(input, second, input.dtype(), column.dtype());
        }
        comparisons[i].compare(
            input.values(), cursor.bytes(), input.example(), i, vector(column), differences.get(i));
      }
    }
    for (int i = 0; i < comparisons.length; i++) {
      output.write(i, differences.get(i));
    }
  }

  private static ValueComparison comparison(TaskInput input, TableDataset second, DType a, DType b)
      throws IOException {
    return new ValueComparison(
        second.path(),
        a,
        b,
        Tolerance.parse(input.get(DiffKeys.TOLERANCE)),
        input.get(DiffKeys.NAN_EQUAL));
  }

  /** Returns the number of values in the last dimension of a column. */
  private static long vector(Column column) {
    List<Long> shape = column.shape();
    return shape.isEmpty() ? 1 : shape.get(shape.size() - 1);
  }

  private static void compareSideData(
      TaskInput input, TaskOutput output, TableDataset a, TableDataset b)
      throws IOException, InterruptedException {
    ColumnDifference labels = new ColumnDifference();
    if (input.get(DiffKeys.LABELS)) {
      labels.values =
          SideData.labels(
              a.requireActivations(), b.requireActivations(), input.first(), input.count());
    }
    ColumnDifference samples = new ColumnDifference();
    if (input.get(DiffKeys.SAMPLES)) {
      samples.values = SideData.samples(a, b, input.first(), input.count());
    }
    output.write(LABELS, labels);
    output.write(SAMPLES, samples);
  }
}
