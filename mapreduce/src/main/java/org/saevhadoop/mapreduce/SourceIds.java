package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.safetensors.RowIds;
import org.saevhadoop.format.safetensors.SafetensorsTable;

/** The ids that the examples have in the dataset that they come from. */
record SourceIds(SafetensorsTable source, int longest) implements RowIds {
  @Override
  public List<String> ids(long first, long count) throws IOException {
    List<String> ids = new ArrayList<>();
    long end = first + count;
    for (int i = 0; i < source.shards().size(); i++) {
      Shard shard = source.shards().get(i);
      long from = Math.max(first, shard.first()) - shard.first();
      long to = Math.min(end, shard.first() + shard.examples()) - shard.first();
      if (from < to) {
        ids.addAll(source.ids(i).subList((int) from, (int) to));
      }
    }
    return ids;
  }
}
