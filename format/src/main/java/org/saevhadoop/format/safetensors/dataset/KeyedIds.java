package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions.KnownIds;

/**
 * The ids of a dataset in the key-value layout. Instances are not thread-safe. The ids of the last
 * file read are cached, because examples are requested in order.
 */
final class KeyedIds implements ExampleIds {
  private final SafetensorsTable table;
  private @Nullable KnownIds known;
  private List<String> last = List.of();
  private int lastFile = -1;

  /**
   * Creates the ids of a table.
   *
   * @param known known properties of the ids; null to determine them on demand
   */
  KeyedIds(SafetensorsTable table, @Nullable KnownIds known) {
    this.table = table;
    this.known = known;
  }

  @Override
  public List<String> ids(long first, long count) throws IOException {
    List<String> ids = new ArrayList<>();
    for (ShardSlice slice : table.shards().slices(first, count)) {
      if (slice.index() != lastFile) {
        last = table.ids(slice.index());
        lastFile = slice.index();
      }
      ids.addAll(last.subList((int) slice.start(), (int) (slice.start() + slice.examples())));
    }
    return ids;
  }

  @Override
  public int maxBytes() throws IOException {
    return known().maxBytes();
  }

  @Override
  public boolean areNumbers() throws IOException {
    return known().areNumbers();
  }

  private KnownIds known() throws IOException {
    if (known == null) {
      known = KnownIds.of(DuplicateKeyScan.of(table));
    }
    return known;
  }
}
