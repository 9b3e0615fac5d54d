package org.saevhadoop.format.samples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/**
 * The first difference between the sample metadata of the same examples; the order of fields does
 * not count.
 *
 * @param example the number of the example
 * @param own the name and the value of the first field that differs, or {@code no} and its name
 * @param other the same of the other sample metadata
 */
public record SampleDifference(long example, String own, String other) {
  private static final int MAX_SHOWN = 100;
  private static final String NO_FIELDS = "{}";

  /**
   * Finds the difference. One sample of each is in memory at a time.
   *
   * @param path the path of the dataset, for messages
   * @param own metadata in which each sample is one example
   */
  public static Optional<SampleDifference> of(String path, SampleMetadata own, SampleMetadata other)
      throws IOException {
    try (SampleMetadataCursor ownLines = own.cursor(0, Long.MAX_VALUE);
        SampleMetadataCursor otherLines = other.cursor(0, Long.MAX_VALUE)) {
      ExampleMetadata a = ownLines.next();
      ExampleMetadata b = otherLines.next();
      Optional<SampleDifference> found = Optional.empty();
      while (found.isEmpty() && (a != null || b != null)) {
        long example = Math.min(example(a), example(b));
        found = of(path, example, sample(a, example), sample(b, example));
        a = example(a) == example ? ownLines.next() : a;
        b = example(b) == example ? otherLines.next() : b;
      }
      return found;
    }
  }

  private static long example(@Nullable ExampleMetadata line) {
    return line == null ? Long.MAX_VALUE : line.first();
  }

  private static String sample(@Nullable ExampleMetadata line, long example) {
    return line == null || line.first() > example ? NO_FIELDS : line.sample();
  }

  private static Optional<SampleDifference> of(String path, long example, String own, String other)
      throws FormatException {
    if (own.equals(other)) {
      return Optional.empty();
    }
    Map<?, ?> a = fields(path, own);
    Map<?, ?> b = fields(path, other);
    Set<Object> names = new LinkedHashSet<>(b.keySet());
    names.addAll(a.keySet());
    return names.stream()
        .filter(name -> !shares(a, b, name))
        .findFirst()
        .map(name -> new SampleDifference(example, shown(a, name), shown(b, name)));
  }

  private static boolean shares(Map<?, ?> a, Map<?, ?> b, Object name) {
    return a.containsKey(name) && b.containsKey(name) && Objects.equals(a.get(name), b.get(name));
  }

  private static Map<?, ?> fields(String path, String sample) throws FormatException {
    byte[] json = sample.getBytes(StandardCharsets.UTF_8);
    return (Map<?, ?>) Objects.requireNonNull(PythonJson.parse(path, json));
  }

  private static String shown(Map<?, ?> fields, Object name) {
    String field = Quote.show((String) name, MAX_SHOWN);
    return fields.containsKey(name)
        ? field
            + " "
            + Quote.show(PythonJson.dumps(fields.get(name), JsonStyle.VERBATIM), MAX_SHOWN)
        : "no " + field;
  }
}
