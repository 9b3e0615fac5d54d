package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;

/**
 * Checks the blocks of a split. A block that cannot be read is a finding; the other blocks are
 * still checked, file by file and column by column.
 */
final class VerifyBlocks implements Task {
  private final List<ColumnFindings> found = new ArrayList<>();
  private BlockScan[] scans = {};
  private boolean vectors;
  private @Nullable VectorHashes hashes;

  @Override
  public void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException {
    List<Integer> ids = input.get(VerifyKeys.COLUMNS);
    vectors = input.get(VerifyKeys.VECTORS);
    ids.forEach(id -> found.add(new ColumnFindings()));
    scans = new BlockScan[ids.size()];
    long buckets = input.get(VerifyKeys.BUCKETS);
    hashes = buckets == 0 ? null : new VectorHashes(ids.size(), buckets, output);
    long example = input.first();
    int column = 0;
    try {
      while (input.next()) {
        if (scans[column] == null) {
          int[] shape = input.shape();
          scan(column, input.dtype(), shape.length == 0 ? 1 : shape[shape.length - 1]);
        }
        check(example, column, input.values());
        column = (column + 1) % scans.length;
        example += column == 0 ? 1 : 0;
      }
    } catch (IOException e) {
      checkRest(input, output, example, column, e);
    }
    if (hashes != null) {
      hashes.flush();
    }
    for (int i = 0; i < scans.length; i++) {
      FoundParts.write(i, found.get(i), output);
    }
  }

  private void scan(int column, DType dtype, long dim) {
    scans[column] = new BlockScan(dtype, dim, vectors);
  }

  private void check(long example, int column, ByteBuffer block)
      throws IOException, InterruptedException {
    VectorHashes into = hashes;
    scans[column].scan(
        block,
        example,
        found.get(column),
        into == null ? null : (hash1, hash2, vector) -> into.add(column, hash1, hash2, vector));
  }

  /**
   * Checks the blocks, starting with the first one that could not be read. This block is not
   * necessarily damaged, because several blocks are read together.
   */
  private void checkRest(
      TaskInput input, TaskOutput output, long example, int column, IOException failure)
      throws IOException, InterruptedException {
    TableDataset dataset = input.dataset();
    long end = input.first() + input.count();
    finding(failure, dataset.path());
    for (ShardSlice slice : dataset.shards().slices(example, end - example)) {
      long first = slice.shard().first() + slice.start();
      for (int i = 0; i < scans.length; i++) {
        Column shape = dataset.table().columns().get(i);
        scan(i, shape.dtype(), dim(shape));
        boolean isDone = first == example && i < column;
        checkColumn(
            dataset,
            dataset.folder().path(slice.shard().name()),
            i,
            isDone ? first + 1 : first,
            first + slice.examples(),
            input,
            output);
      }
    }
  }

  private static long dim(Column column) {
    List<Long> shape = column.shape();
    return shape.isEmpty() ? 1 : shape.get(shape.size() - 1);
  }

  /**
   * Checks a column of some examples of a file. After a failure, the examples whose blocks were
   * read together are read one by one, up to the failing example.
   */
  private void checkColumn(
      TableDataset dataset,
      String path,
      int column,
      long first,
      long end,
      TaskInput input,
      TaskOutput output)
      throws IOException, InterruptedException {
    RecordSelection selection = RecordSelection.blocks(new BlockOrder(false, List.of(column)), 1);
    long next = first;
    long step = end - first;
    while (next < end) {
      try (BlockCursor cursor = new BlockCursor(dataset, selection, next, step)) {
        while (cursor.next()) {
          check(next, column, cursor.bytes());
          next++;
          input.progress();
        }
      } catch (IOException e) {
        Finding finding = finding(e, path);
        if (step == 1) {
          FoundParts.write(finding, output);
          return;
        }
        step = 1;
      }
    }
  }

  /**
   * Returns the finding that a failure reveals about the data.
   *
   * @param path the path that is at fault, if the failure does not name it
   * @throws IOException the failure, if the data is not at fault
   */
  private static Finding finding(IOException failure, String path) throws IOException {
    Finding finding = Finding.ofRead(failure, path);
    if (finding == null) {
      throw failure;
    }
    return finding;
  }
}
