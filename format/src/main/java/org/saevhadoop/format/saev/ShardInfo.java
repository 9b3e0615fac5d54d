package org.saevhadoop.format.saev;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.PythonJson.Style;

/** A dataset's shards.json: the files and how many examples each was given. */
record ShardInfo(List<Entry> entries) {
  static final String FILE = "shards.json";

  record Entry(String name, long examples) {}

  static ShardInfo parse(String path, byte[] text) throws FormatException {
    if (!(PythonJson.parse(path, text) instanceof List<?> list)) {
      throw new FormatException(path, "is not a JSON list");
    }
    List<Entry> entries = new ArrayList<>(list.size());
    for (Object item : list) {
      if (!(item instanceof Map<?, ?>)) {
        throw FormatException.of(path, "entry %d is not an object", entries.size());
      }
      @SuppressWarnings("unchecked") // PythonJson's objects have String keys
      Fields fields = new Fields(path, (Map<String, Object>) item);
      entries.add(new Entry(fields.string("name"), fields.integer("n_imgs", 0, Long.MAX_VALUE)));
    }
    return new ShardInfo(entries);
  }

  /** The document as the project's writer formats it. */
  byte[] text() {
    List<Object> list = new ArrayList<>();
    for (Entry entry : entries) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", entry.name());
      fields.put("n_imgs", JsonNumber.of(entry.examples()));
      list.add(fields);
    }
    return PythonJson.dumps(list, Style.indented(2)).getBytes(StandardCharsets.UTF_8);
  }

  /** Examples in all; saturates. */
  long examples() {
    long sum = 0;
    for (Entry entry : entries) {
      sum = sum > Long.MAX_VALUE - entry.examples() ? Long.MAX_VALUE : sum + entry.examples();
    }
    return sum;
  }

  boolean lists(String name) {
    return entries.stream().anyMatch(entry -> entry.name().equals(name));
  }

  /** Whether these are the given files with their counts, empty ones at the end excepted. */
  boolean agreesWith(List<Shard> shards) {
    List<Entry> expected =
        shards.stream().map(shard -> new Entry(shard.name(), shard.examples())).toList();
    return entries.stream().filter(entry -> entry.examples() > 0).toList().equals(expected);
  }
}
