package org.saevhadoop.format.pickle.read;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;

/** The stack of objects with its marks. No operation reaches below the last mark. */
final class PickleStack {
  private static final int FIRST_CAPACITY = 64;

  private final PickleInput in;
  private final int most;
  private @Nullable Object[] values = new Object[FIRST_CAPACITY];
  private int size;
  private int[] marks = new int[FIRST_CAPACITY];
  private int markCount;

  PickleStack(PickleInput in, int most) {
    this.in = in;
    this.most = most;
  }

  void push(@Nullable Object value) throws FormatException {
    if (size == values.length) {
      checkMore("objects on the stack", size);
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  @Nullable Object pop() throws FormatException {
    Object value = peek();
    values[--size] = null;
    return value;
  }

  @Nullable Object peek() throws FormatException {
    in.check(size > fence(), "nothing is on the stack");
    return values[size - 1];
  }

  void mark() throws FormatException {
    if (markCount == marks.length) {
      checkMore("marks", markCount);
      marks = Arrays.copyOf(marks, 2 * markCount);
    }
    marks[markCount++] = size;
  }

  boolean hasMark() {
    return markCount > 0;
  }

  boolean isMarkOnTop() {
    return hasMark() && marks[markCount - 1] == size;
  }

  /** Removes the last mark and returns the objects above it. */
  Object[] popToMark() throws FormatException {
    in.check(hasMark(), "no mark is on the stack");
    int begin = marks[--markCount];
    Object[] items = Arrays.copyOfRange(values, begin, size);
    Arrays.fill(values, begin, size, null);
    size = begin;
    return items;
  }

  /** Returns all objects, beginning at the bottom of the stack. */
  List<Object> items() {
    return Collections.unmodifiableList(Arrays.asList(Arrays.copyOf(values, size)));
  }

  private int fence() {
    return hasMark() ? marks[markCount - 1] : 0;
  }

  private void checkMore(String what, int count) throws FormatException {
    in.check(count < most, PickleError.LIMIT_EXCEEDED, "more than %d %s", most, what);
  }
}
