package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.List;
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
   * Checks that examples that were selected in an order other than the stored one have ascending
   * ids, so that the key-value layout can hold them in the selected order.
   *
   * @throws FormatException if the ids do not ascend
   */
  static void check(ConversionSource source, WholeSource whole) throws IOException {
    if (whole.part().examplesAscend() || source.dataset().ids().isEmpty()) {
      return;
    }
    ExampleIds ids = source.dataset().ids().get();
    long count = source.table().examples();
    String last = null;
    for (long first = 0; first < count; first += IDS_AT_ONCE) {
      List<String> some = ids.ids(first, Math.min(IDS_AT_ONCE, count - first));
      for (String id : some) {
        DatasetError.UNSUPPORTED.check(
            last == null || compare(last, id) < 0,
            source.path(),
            "its ids \"%s\" and \"%s\" were selected in this order, which the kv layout cannot hold"
                + " (expected examples in the order of their ids, or another layout)",
            last,
            id);
        last = id;
      }
    }
  }

  private static int compare(String a, String b) {
    boolean numbers = isNumber(a) && isNumber(b);
    return numbers ? Long.compare(Long.parseLong(a), Long.parseLong(b)) : a.compareTo(b);
  }

  private static boolean isNumber(String id) {
    return id.matches("0|[1-9]\\d{0,17}");
  }
}
