package org.saevhadoop.format.samples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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
 * The first difference between the sample metadata of several files with the same examples; the
 * order of fields does not count.
 *
 * @param file the index of a file that differs from the first file
 * @param example the number of the example
 * @param own the name and the value of the first field that differs, or {@code no} and its name
 * @param expected the same in the first file
 */
public record SampleDifference(int file, long example, String own, String expected) {
  private static final int MAX_SHOWN = 100;
  private static final String NO_FIELDS = "{}";

  /** Compares files with the first of them. One sample of each is in memory at a time. */
  public static Optional<SampleDifference> of(List<SampleMetadata> files) throws IOException {
    List<Lines> all = new ArrayList<>();
    try {
      for (SampleMetadata file : files) {
        all.add(new Lines(file.cursor(0, Long.MAX_VALUE)));
      }
      for (long done = -1; done < Long.MAX_VALUE; ) {
        long next = Long.MAX_VALUE;
        for (Lines lines : all) {
          next = Math.min(next, lines.after(done));
        }
        for (int i = 1; i < all.size(); i++) {
          Optional<SampleDifference> found =
              of(i, next, all.get(i).sample(next), all.get(0).sample(next));
          if (found.isPresent()) {
            return found;
          }
        }
        done = next;
      }
      return Optional.empty();
    } finally {
      for (Lines lines : all) {
        lines.cursor.close();
      }
    }
  }

  /** The sample metadata of a file, in which each sample is one example. */
  private static final class Lines {
    private final SampleMetadataCursor cursor;
    private @Nullable ExampleMetadata line;
    private boolean isRead;

    Lines(SampleMetadataCursor cursor) {
      this.cursor = cursor;
    }

    /** Returns the next example after the given one; the largest number if there is none. */
    long after(long example) throws IOException {
      if (!isRead || line != null && line.first() <= example) {
        line = cursor.next();
        isRead = true;
      }
      return line == null ? Long.MAX_VALUE : line.first();
    }

    /** Returns the sample of an example before which there are no others. */
    String sample(long example) {
      return line == null || line.first() > example ? NO_FIELDS : line.sample();
    }
  }

  private static Optional<SampleDifference> of(int file, long example, String own, String expected)
      throws FormatException {
    if (own.equals(expected)) {
      return Optional.empty();
    }
    Map<?, ?> a = fields(example, own);
    Map<?, ?> b = fields(example, expected);
    Set<Object> names = new LinkedHashSet<>(b.keySet());
    names.addAll(a.keySet());
    return names.stream()
        .filter(name -> !shares(a, b, name))
        .findFirst()
        .map(name -> new SampleDifference(file, example, shown(a, name), shown(b, name)));
  }

  private static boolean shares(Map<?, ?> a, Map<?, ?> b, Object name) {
    return a.containsKey(name) && b.containsKey(name) && Objects.equals(a.get(name), b.get(name));
  }

  private static Map<?, ?> fields(long example, String sample) throws FormatException {
    byte[] json = sample.getBytes(StandardCharsets.UTF_8);
    return (Map<?, ?>) Objects.requireNonNull(PythonJson.parse("example " + example, json));
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
