package org.saevhadoop.format.saev;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.PythonJson.Style;

/**
 * A dataset's shards.json: the files and how many examples each was given.
 *
 * @param countKey what the generation calls that number
 */
record ShardInfo(String countKey, List<Entry> entries) {
  static final String FILE = "shards.json";

  /** What any generation calls it: an edited metadata.json may be of another than shards.json. */
  private static final List<String> COUNT_KEYS = List.of("n_imgs", "n_ex", "n_examples");

  record Entry(String name, long examples) {}

  static ShardInfo parse(String path, byte[] text, String countKey) throws FormatException {
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
      String key =
          COUNT_KEYS.stream().filter(fields.values()::containsKey).findFirst().orElse(countKey);
      entries.add(new Entry(fields.string("name"), fields.integer(key, 0, Long.MAX_VALUE)));
    }
    return new ShardInfo(countKey, entries);
  }

  /** The document as the project's writer formats it. */
  byte[] text() {
    List<Object> list = new ArrayList<>();
    for (Entry entry : entries) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", entry.name());
      fields.put(countKey, JsonNumber.of(entry.examples()));
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

  /** The first of these files that was given fewer examples than it must hold. */
  Optional<Shard> firstUnfinished(List<Shard> shards) {
    Map<String, Long> counts = new HashMap<>();
    entries.forEach(entry -> counts.put(entry.name(), entry.examples()));
    return shards.stream()
        .filter(shard -> counts.getOrDefault(shard.name(), 0L) < shard.examples())
        .findFirst();
  }

  /** Whether these are the given files with their counts, empty ones at the end excepted. */
  boolean agreesWith(List<Shard> shards) {
    List<Entry> expected =
        shards.stream().map(shard -> new Entry(shard.name(), shard.examples())).toList();
    return entries.stream().filter(entry -> entry.examples() > 0).toList().equals(expected);
  }
}
