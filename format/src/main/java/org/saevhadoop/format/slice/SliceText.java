package org.saevhadoop.format.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser of indexes in numpy notation, without steps. */
final class SliceText {
  /**
   * A selection in one dimension, within the bounds of the dimension.
   *
   * @param stop the index after the last selected index
   * @param isOne whether a single index is selected, so that the dimension is removed from the
   *     result
   */
  record Index(long start, long stop, boolean isOne) {}

  private static final String NUMBER = "\\s*([+-]?\\d{1,18})?\\s*";
  private static final Pattern ONE = Pattern.compile(NUMBER);
  private static final Pattern RANGE = Pattern.compile(NUMBER + ":" + NUMBER);

  private SliceText() {}

  static List<Index> indexes(String text, List<Long> shape) throws SliceException {
    List<Index> indexes = new ArrayList<>();
    if (text.isBlank()) {
      return indexes;
    }
    String[] items = text.split(",", -1);
    if (items.length > shape.size()) {
      throw SliceException.of(
          "TooManySlices: %d indexes for a tensor of %d dimensions", items.length, shape.size());
    }
    for (String item : items) {
      int dimension = indexes.size();
      indexes.add(index(text, item, dimension, shape.get(dimension)));
    }
    return indexes;
  }

  private static Index index(String text, String item, int dimension, long size)
      throws SliceException {
    Matcher range = RANGE.matcher(item);
    if (range.matches()) {
      if (range.group(1) == null && range.group(2) == null) {
        return new Index(0, size, false); // valid even if the size is 2^63 or more
      }
      long start = limit(range.group(1), 0, size);
      return new Index(start, Math.max(start, limit(range.group(2), size, size)), false);
    }
    Matcher one = ONE.matcher(item);
    if (!one.matches() || one.group(1) == null) {
      throw new IllegalArgumentException(
          String.format(
              "\"%s\" is not a slice (expected an index or start:stop for each dimension, without a"
                  + " step, such as 0:10,3,:,-1)",
              text));
    }
    long asked = Long.parseLong(one.group(1));
    long index = asked < 0 ? asked + size : asked;
    if (index < 0 || index >= size && size >= 0) {
      throw SliceException.of(
          "SliceOutOfRange: index %d of dimension %d (expected less than %s)",
          asked, dimension, Long.toUnsignedString(size));
    }
    return new Index(index, index + 1, true);
  }

  /** Returns a bound of a range, clamped to the dimension. */
  private static long limit(@Nullable String number, long absent, long size) {
    if (number == null) {
      return absent;
    }
    long asked = Long.parseLong(number);
    return Math.max(0, Math.min(size, asked < 0 ? asked + size : asked));
  }
}
