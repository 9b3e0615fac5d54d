package org.saevhadoop.format.tokens;

import java.io.IOException;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.format.samples.SidecarError;
import org.saevhadoop.format.samples.TokenRange;

/**
 * Sample metadata to which the per-token integers of each example are added, as {@code "tokens":
 * {"token_ids": [...]}} at the end of the sample's object. If an example has only some of the
 * tokens of its sample, their integers are at the positions of these tokens, and all other integers
 * are -1. Examples that are tokens of the same sample get separate metadata. Existing entries of
 * this field are kept if they have other names, as in a combination of datasets that mark padding
 * in different ways.
 *
 * @param path the path of the dataset
 * @param examples the number of examples
 */
public record TokenSampleMetadata(
    SampleMetadata source, TokenArrays arrays, String path, long examples)
    implements SampleMetadata {
  /** Name of the field that is added. */
  public static final String FIELD = "tokens";

  /**
   * The maximum number of integers per example, chosen so that their text fits on one line of a
   * sidecar.
   */
  private static final int MAX_VALUES = 1 << 23;

  private static final int READ_VALUES = 1 << 16;

  @Override
  public SampleMetadataCursor cursor(long first, long count) throws IOException {
    long end = Math.min(examples, first > Long.MAX_VALUE - count ? Long.MAX_VALUE : first + count);
    SidecarError.TOO_LARGE.check(
        (long) arrays.tokens() * arrays.names().size() <= MAX_VALUES,
        path,
        "has %d arrays of %d tokens per example (expected at most %d integers, or"
            + " --no-sample-metadata)",
        arrays.names().size(),
        arrays.tokens(),
        MAX_VALUES);
    SampleMetadataCursor own = source.cursor(first, count);
    try {
      return new Cursor(own, arrays.open(), first, Math.max(first, end));
    } catch (IOException | RuntimeException e) {
      own.close();
      throw e;
    }
  }

  private final class Cursor implements SampleMetadataCursor {
    private final SampleMetadataCursor own;
    private final TokenReader reader;
    private final long end;
    private final List<LongBuffer> values = new ArrayList<>();
    private long example;

    /** Number of the first example whose values are not yet in the buffers. */
    private long read;

    /**
     * The first metadata entry of the source that does not precede the next example; null at the
     * end.
     */
    private @Nullable ExampleMetadata line;

    Cursor(SampleMetadataCursor own, TokenReader reader, long first, long end) throws IOException {
      this.own = own;
      this.reader = reader;
      this.example = first;
      this.read = first;
      this.end = end;
      this.line = own.next();
    }

    @Override
    public @Nullable ExampleMetadata next() throws IOException {
      if (example >= end) {
        return null;
      }
      if (example == read) {
        fill();
      }
      while (line != null && line.end() <= example) {
        line = own.next();
      }
      ExampleMetadata known = line == null ? null : line.part(example, example + 1);
      ExampleMetadata next = known == null ? new ExampleMetadata(example, "{}") : known;
      example++;
      String sample = merged(next.sample(), next.tokens());
      return new ExampleMetadata(next.first(), 1, next.position(), next.tokens(), sample);
    }

    private void fill() throws IOException {
      int tokens = arrays.tokens();
      int count = (int) Math.min(end - example, Math.max(1, READ_VALUES / tokens));
      values.clear();
      for (int i = 0; i < arrays.names().size(); i++) {
        LongBuffer array = LongBuffer.allocate(count * tokens);
        reader.read(i, example, array);
        values.add(array.flip());
      }
      read = example + count;
    }

    private String merged(String sample, List<TokenRange> selected) throws IOException {
      Map<String, String> entries = new LinkedHashMap<>();
      for (int i = 0; i < values.size(); i++) {
        StringBuilder text = new StringBuilder("[");
        append(values.get(i), selected, text);
        entries.put(arrays.names().get(i), text.append(']').toString());
      }
      return Sidecar.withEntries(sample, FIELD, entries);
    }

    /** Appends the integers of an example, with -1 for tokens that are not selected. */
    private void append(LongBuffer integers, List<TokenRange> selected, StringBuilder text) {
      int position = 0;
      for (TokenRange range :
          selected.isEmpty() ? List.of(new TokenRange(0, arrays.tokens())) : selected) {
        for (; position < range.stop(); position++) {
          text.append(position == 0 ? "" : ", ")
              .append(position < range.start() ? TokenArrays.PADDING : integers.get());
        }
      }
    }

    @Override
    public void close() throws IOException {
      try (own) {
        reader.close();
      }
    }
  }
}
