package org.saevhadoop.jobs.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.IndexRange;

/** What sums of rows depend on. */
class RowSumsTest {
  private static final ByteBuffer NO_LABELS = ByteBuffer.allocate(0);

  private static void add(RowSums sums, long row, int content) {
    sums.add(row, ByteBuffer.allocate(8).putInt(content).clear(), NO_LABELS.duplicate());
  }

  /** Returns the sums of rows whose contents are given. */
  private static RowSums of(int... contents) {
    RowSums sums = new RowSums(contents.length);
    IntStream.range(0, contents.length).forEach(row -> add(sums, row, contents[row]));
    return sums;
  }

  @Test
  void theOrderInWhichRowsAreReadDoesNotMatter() {
    RowSums backwards = new RowSums(3);
    for (int row = 2; row >= 0; row--) {
      add(backwards, row, 7 + row);
    }
    assertThat(backwards.mismatch(of(7, 8, 9))).isEmpty();
  }

  @Test
  void rowsThatAreSwappedDiffer() {
    assertThat(of(7, 9, 8).mismatch(of(7, 8, 9))).contains(new IndexRange(1, 2));
  }

  @Test
  void labelsBelongToTheirRow() {
    RowSums one = new RowSums(1);
    one.add(0, ByteBuffer.allocate(4), ByteBuffer.wrap(new byte[] {1}));
    RowSums other = new RowSums(1);
    other.add(0, ByteBuffer.allocate(4), ByteBuffer.wrap(new byte[] {2}));
    assertThat(one.mismatch(other)).contains(new IndexRange(0, 1));
  }

  @Test
  void ofManyRowsAGroupIsNamed() {
    int rows = 10_000;
    RowSums sums = new RowSums(rows);
    RowSums other = new RowSums(rows);
    for (int row = 0; row < rows; row++) {
      add(sums, row, row);
      add(other, row, row == 9_998 ? -1 : row);
    }
    assertThat(sums.mismatch(other)).contains(new IndexRange(9_990, 10_000));
  }

  @Test
  void sumsOfTasksAddUp() {
    RowSums all = new RowSums(4);
    for (int first = 0; first < 4; first += 2) {
      RowSums task = new RowSums(4);
      add(task, first, first);
      add(task, first + 1, first + 1);
      all.add(ByteBuffer.wrap(task.toBytes()));
    }
    assertThat(all.mismatch(of(0, 1, 2, 3))).isEmpty();
    all.add(ByteBuffer.wrap(all.toBytes()));
    assertThat(all.mismatch(of(0, 1, 2, 3))).contains(new IndexRange(0, 1));
  }
}
