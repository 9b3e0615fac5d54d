package org.saevhadoop.format.arrays.pickled;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.tensor.DType;

/**
 * The lists of integers in a pickle, presented as arrays of int64. A pickle encodes each integer
 * separately, so the file does not contain the array: its elements are assigned positions after the
 * end of the file, in the order in which the lists are found.
 */
public final class ListedIntegers {
  /** The maximum number of lists: files with more lists probably store values in them. */
  private static final int MAX_ROWS = 1 << 18;

  private final List<PythonValue.PyList> lists = new ArrayList<>();
  private long next;

  /**
   * Creates an empty collection.
   *
   * @param end the length of the file
   */
  ListedIntegers(long end) {
    this.next = end;
  }

  /**
   * Adds a list of integers or booleans, or a list of such lists of the same length.
   *
   * @return the list as an array; null if the list was not added because it is not an array
   */
  ArrayObjects.@Nullable Found add(PythonValue.PyList list) {
    if (lists.size() >= MAX_ROWS || !begins(list)) {
      return null;
    }
    boolean isMatrix = isOfLists(list);
    List<Object> rows = isMatrix ? list.items() : List.of(list);
    int width = rows.get(0) instanceof PythonValue.PyList first ? first.size() : 0;
    for (Object row : rows) {
      if (!(row instanceof PythonValue.PyList own) || own.size() != width || !areIntegers(own)) {
        return null;
      }
    }
    List<Long> shape = isMatrix ? List.of((long) rows.size(), (long) width) : List.of((long) width);
    StridedLayout layout = StridedLayout.cOrder(next, Long.BYTES, shape);
    rows.forEach(row -> lists.add((PythonValue.PyList) row));
    next += layout.length();
    return new ArrayObjects.Found(DType.I64, layout, 1, null, null);
  }

  static boolean isOfLists(PythonValue.PyList list) {
    return list.size() > 0 && list.get(0) instanceof PythonValue.PyList;
  }

  /** Returns whether the first element of a list, or of the first list in it, is an integer. */
  private static boolean begins(PythonValue.PyList list) {
    Object first = list.size() == 0 ? null : list.get(0);
    if (first instanceof PythonValue.PyList row) {
      first = row.size() == 0 ? null : row.get(0);
    }
    return first instanceof Long || first instanceof Boolean;
  }

  private static boolean areIntegers(PythonValue.PyList list) {
    Class<?> type = list.get(0) instanceof Boolean ? Boolean.class : Long.class;
    for (int i = 0; i < list.size(); i++) {
      if (!type.isInstance(list.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the elements of all lists, one list after another. */
  private ByteBuffer elements() {
    int count = lists.stream().mapToInt(PythonValue.PyList::size).sum();
    ByteBuffer elements = ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (PythonValue.PyList list : lists) {
      for (Object item : list.items()) {
        elements.putLong(item instanceof Long number ? number : Boolean.TRUE.equals(item) ? 1 : 0);
      }
    }
    return elements.flip();
  }

  /**
   * Returns a file followed by the elements of its lists. The pickle is read again when the
   * elements are needed.
   *
   * @param file the file, which is closed with the result
   */
  public static Input behind(Input file, Io.Function<Input, ListedIntegers> finder) {
    return new Extended(file, finder);
  }

  private static final class Extended implements Input.Filter {
    private final Input file;
    private final Io.Function<Input, ListedIntegers> finder;

    /** Null until the elements are needed. */
    private @Nullable ByteBuffer elements;

    Extended(Input file, Io.Function<Input, ListedIntegers> finder) {
      this.file = file;
      this.finder = finder;
    }

    @Override
    public Input file() {
      return file;
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      long end = file.length();
      if (position < end) {
        file.readFully(position, dst);
        return;
      }
      if (elements == null) {
        elements = finder.apply(file).elements();
      }
      if (position - end > elements.limit() - dst.remaining()) {
        throw FileError.TRUNCATED.in(path(), "has fewer integers in lists than before");
      }
      dst.put(elements.slice((int) (position - end), dst.remaining()));
    }
  }
}
