package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.safetensors.RowIds;
import org.saevhadoop.format.safetensors.SafetensorsTable;

/** The ids that the examples have in the dataset that they come from. */
final class SourceIds implements RowIds {
  private final SafetensorsTable source;
  private final int longest;

  /** The ids of the file that was read last: files that are written take theirs in turn. */
  private List<String> last = List.of();

  private int lastFile = -1;

  SourceIds(SafetensorsTable source, int longest) {
    this.source = source;
    this.longest = longest;
  }

  @Override
  public int longest() {
    return longest;
  }

  @Override
  public List<String> ids(long first, long count) throws IOException {
    List<String> ids = new ArrayList<>();
    long end = first + count;
    for (int i = 0; i < source.shards().size(); i++) {
      Shard shard = source.shards().get(i);
      long from = Math.max(first, shard.first()) - shard.first();
      long to = Math.min(end, shard.first() + shard.examples()) - shard.first();
      if (from < to) {
        if (i != lastFile) {
          last = source.ids(i);
          lastFile = i;
        }
        ids.addAll(last.subList((int) from, (int) to));
      }
    }
    return ids;
  }
}
