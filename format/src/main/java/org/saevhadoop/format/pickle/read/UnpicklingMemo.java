package org.saevhadoop.format.pickle.read;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;

/** The memo: objects by index. Indexes far beyond the number of entries take no extra memory. */
final class UnpicklingMemo {
  private static final Object UNSET = new Object();
  private static final int FIRST_CAPACITY = 64;
  private static final int SPARSE_ENTRY = 80;

  /**
   * Maximum index. Picklers number objects consecutively, and memory cannot hold more objects than
   * this.
   */
  private static final long MAX_NUMBER = 100_000_000;

  private final PickleInput in;
  private final MemoryBudget budget;
  private Object[] dense = {};
  private final Map<Long, Object> sparse = new HashMap<>();
  private int denseCount;

  UnpicklingMemo(PickleInput in, MemoryBudget budget) {
    this.in = in;
    this.budget = budget;
  }

  /** Stores a value at the next index, which is the number of entries. */
  void add(@Nullable Object value) throws FormatException {
    put((long) denseCount + sparse.size(), value);
  }

  void put(long index, @Nullable Object value) throws FormatException {
    if (index < FIRST_CAPACITY + 2L * denseCount) {
      grow((int) index);
      if (dense[(int) index] == UNSET) {
        sparse.remove(index);
        denseCount++;
      }
      dense[(int) index] = value;
    } else {
      in.check(
          index <= MAX_NUMBER,
          PickleError.LIMIT_EXCEEDED,
          "the number %d (at most %d)",
          index,
          MAX_NUMBER);
      budget.take(SPARSE_ENTRY);
      sparse.put(index, value);
    }
  }

  @Nullable Object get(long index) throws FormatException {
    Object value =
        index < dense.length && dense[(int) index] != UNSET
            ? dense[(int) index]
            : sparse.getOrDefault(index, UNSET);
    in.check(value != UNSET, "no memo entry has the number %d", index);
    return value;
  }

  private void grow(int index) throws FormatException {
    if (index >= dense.length) {
      int before = dense.length;
      int after = Math.max(index + 1, Math.max(FIRST_CAPACITY, before + (before >> 1)));
      budget.take((long) (after - before) * MemoryBudget.SLOT);
      dense = Arrays.copyOf(dense, after);
      Arrays.fill(dense, before, after, UNSET);
    }
  }
}
