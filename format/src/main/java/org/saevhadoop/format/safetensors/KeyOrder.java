package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.WholeSource;

/** The order of examples in the key-value layout, which is the order of their ids. */
final class KeyOrder {
  private static final int IDS_AT_ONCE = 1 << 16;

  private KeyOrder() {}

  /**
   * Checks that the key-value layout can hold examples in the order of the source.
   *
   * @param whole the whole dataset if the source is a selection of it; otherwise null
   * @return a warning if the examples are not in the order of their ids; otherwise empty
   * @throws FormatException if the examples were selected in an order other than that of ascending
   *     ids
   */
  static Optional<String> check(ConversionSource source, @Nullable WholeSource whole)
      throws IOException {
    boolean isStoredOrder = whole == null || whole.part().examplesAscend();
    Optional<ExampleIds> ids = source.dataset().ids();
    if (ids.isEmpty() || ids.get().areNumbers() && isStoredOrder) {
      return Optional.empty();
    }
    long count = source.table().examples();
    String last = null;
    for (long first = 0; first < count; first += IDS_AT_ONCE) {
      for (String id : ids.get().ids(first, Math.min(IDS_AT_ONCE, count - first))) {
        if (last != null && compare(last, id) >= 0) {
          DatasetError.UNSUPPORTED.check(
              isStoredOrder,
              source.path(),
              "its ids \"%s\" and \"%s\" were selected in this order, which the kv layout cannot"
                  + " keep (expected examples in the order of their ids, or another layout)",
              last,
              id);
          return Optional.of(
              "examples are in the order of their ids within each file: \"%s\" is before \"%s\" in the source"
                  .formatted(last, id));
        }
        last = id;
      }
    }
    return Optional.empty();
  }

  private static int compare(String a, String b) {
    boolean numbers = isNumber(a) && isNumber(b);
    return numbers ? Long.compare(Long.parseLong(a), Long.parseLong(b)) : a.compareTo(b);
  }

  private static boolean isNumber(String id) {
    return id.matches("0|[1-9]\\d{0,17}");
  }
}
