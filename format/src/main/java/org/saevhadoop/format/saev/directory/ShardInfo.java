package org.saevhadoop.format.saev.directory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.saev.metadata.JsonFields;
import org.saevhadoop.format.saev.metadata.SaevError;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/**
 * Content of shards.json: the files of a dataset and the number of examples in each.
 *
 * @param countKey the key for the number of examples in this generation of the protocol
 * @param entries the files in order
 * @param foreignKeys the keys in the entries that the generation does not define
 */
record ShardInfo(String countKey, List<Entry> entries, SortedSet<String> foreignKeys) {
  static final String FILE = "shards.json";

  /**
   * The keys for the number of examples in all generations: the generation of an edited
   * metadata.json may differ from the generation of shards.json.
   */
  private static final List<String> COUNT_KEYS = List.of("n_imgs", "n_ex", "n_examples");

  record Entry(String name, long examples) {
    @Override
    public String toString() {
      return SaevMetadata.oneLine(name) + Quote.sentence(" with %d examples", examples);
    }
  }

  /** Creates a list to be written. */
  ShardInfo(String countKey, List<Entry> entries) {
    this(countKey, entries, Collections.emptySortedSet());
  }

  public static ShardInfo parse(String path, byte[] text, String countKey) throws FormatException {
    if (!isList(text)) {
      PythonJson.parse(path, text); // Throws an exception if it is not JSON at all.
      throw SaevError.BAD_SHARD_LIST.in(path, "is not a JSON list");
    }
    List<Entry> entries = new ArrayList<>();
    SortedSet<String> keys = new TreeSet<>();
    long[] sum = {0};
    PythonJson.forEachItem(
        path,
        text,
        item -> {
          if (!(item instanceof Map<?, ?>)) {
            throw SaevError.BAD_SHARD_LIST.in(path, "entry %d is not an object", entries.size());
          }
          @SuppressWarnings("unchecked") // The objects of PythonJson have String keys.
          JsonFields fields = new JsonFields(path, (Map<String, Object>) item);
          keys.addAll(fields.values().keySet());
          String key =
              COUNT_KEYS.stream().filter(fields.values()::containsKey).findFirst().orElse(countKey);
          Entry entry = new Entry(fields.string("name"), fields.integer(key, 0, Long.MAX_VALUE));
          SaevError.BAD_SHARD_LIST.check(
              entry.examples() <= Long.MAX_VALUE - sum[0],
              path,
              "the numbers of examples up to entry %d add up to more than 2^63 - 1",
              entries.size());
          sum[0] += entry.examples();
          entries.add(entry);
        });
    keys.removeAll(List.of("name", countKey));
    return new ShardInfo(countKey, entries, keys);
  }

  /** Returns whether the text begins like a JSON list. */
  private static boolean isList(byte[] text) {
    for (byte b : text) {
      if (b != ' ' && b != '\t' && b != '\n' && b != '\r') {
        return b == '[';
      }
    }
    return false;
  }

  /** Returns the document, formatted as the writer of the saev project formats it. */
  public byte[] text() {
    List<Object> list = new ArrayList<>();
    for (Entry entry : entries) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", entry.name());
      fields.put(countKey, JsonNumber.of(entry.examples()));
      list.add(fields);
    }
    return PythonJson.dumps(list, JsonStyle.indented(2)).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the total number of examples. */
  public long examples() {
    return entries.stream().mapToLong(Entry::examples).sum();
  }

  boolean lists(String name) {
    return entries.stream().anyMatch(entry -> entry.name().equals(name));
  }

  /** Returns the first of these files whose entry has fewer examples than the file must contain. */
  Optional<Shard> firstUnfinished(List<Shard> shards) {
    Map<String, Long> counts = new HashMap<>();
    entries.forEach(entry -> counts.put(entry.name(), entry.examples()));
    return shards.stream()
        .filter(shard -> counts.getOrDefault(shard.name(), 0L) < shard.examples())
        .findFirst();
  }

  /**
   * Returns whether the entries match the given files and their counts; entries without examples
   * are ignored.
   */
  boolean agreesWith(List<Shard> shards) {
    return entries.stream().filter(entry -> entry.examples() > 0).toList().equals(of(shards));
  }

  /** Returns the differences between the entries and the given files, in the order of the files. */
  List<String> differences(List<Shard> shards) {
    List<Entry> expected = of(shards);
    List<String> differences = new ArrayList<>();
    if (entries.size() != expected.size()) {
      differences.add(
          Quote.sentence("lists %d files (expected %d)", entries.size(), expected.size()));
    }
    for (int i = 0; i < Math.min(entries.size(), expected.size()); i++) {
      if (!entries.get(i).equals(expected.get(i))) {
        differences.add(
            "entry %d is %s (expected %s)".formatted(i, entries.get(i), expected.get(i)));
      }
    }
    return differences;
  }

  private static List<Entry> of(List<Shard> shards) {
    return shards.stream().map(shard -> new Entry(shard.name(), shard.examples())).toList();
  }
}
