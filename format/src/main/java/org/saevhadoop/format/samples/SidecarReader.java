package org.saevhadoop.format.samples;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.Jackson;

/** Reads the lines of one sidecar. Examples are numbered within the data file. */
final class SidecarReader implements SampleMetadataCursor {
  /**
   * Maximum nesting depth, larger than in any other reader of the project; each level costs memory.
   */
  private static final int MAX_DEPTH = 10_000;

  private static final int MAX_SHOWN = 30;

  /** Creates parsers that do not keep field names from line to line. */
  static final JsonFactory JSON = Jackson.withoutNameTable(Jackson.unlimited());

  private static final long MISSING = -1;

  private static final String NOT_RANGES =
      "has %s that are not ranges (expected arrays of two integers: [[start, stop], ...])";

  private final SidecarLines lines;
  private final long examples;
  private long next;

  /**
   * Creates a reader for the text of a sidecar.
   *
   * @param examples the number of examples in the data file
   */
  SidecarReader(ByteSource text, long examples) {
    this.lines = new SidecarLines(text);
    this.examples = examples;
  }

  @Override
  public @Nullable ExampleMetadata next() throws IOException {
    String line = lines.next();
    if (line == null) {
      return null;
    }
    ExampleMetadata sampleMetadata;
    try (JsonParser parser = JSON.createParser(line)) {
      sampleMetadata = parse(parser, line);
    } catch (JsonProcessingException e) {
      throw lines.error("is not JSON: %s", Jackson.problem(e)).causedBy(e);
    }
    if (sampleMetadata.first() < next) {
      throw lines.error(
          "begins at example %d (expected at least %d: examples are in ascending order, without"
              + " repeats)",
          sampleMetadata.first(), next);
    }
    next = sampleMetadata.end();
    return sampleMetadata;
  }

  private ExampleMetadata parse(JsonParser parser, String line) throws IOException {
    check(parser.nextToken() == JsonToken.START_OBJECT, "is not a JSON object");
    long example = MISSING;
    long count = MISSING;
    long position = MISSING;
    List<TokenRange> tokens = List.of();
    String sample = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      switch (parser.currentName()) {
        case Sidecar.EXAMPLE -> example = number(parser, example, 0);
        case Sidecar.COUNT -> count = number(parser, count, 1);
        case Sidecar.POSITION -> position = number(parser, position, 0);
        case Sidecar.TOKENS -> tokens = ranges(parser, tokens);
        case Sidecar.SAMPLE -> {
          check(sample == null, "has two %s fields", Sidecar.SAMPLE);
          sample = object(parser, line);
        }
        default ->
            throw lines.error(
                "has a field %s (expected %s, %s, %s, %s or %s)",
                '"' + Quote.show(parser.currentName(), MAX_SHOWN) + '"',
                Sidecar.EXAMPLE,
                Sidecar.COUNT,
                Sidecar.POSITION,
                Sidecar.TOKENS,
                Sidecar.SAMPLE);
      }
    }
    check(parser.nextToken() == null, "has data after its object");
    check(example != MISSING, "has no field %s", Sidecar.EXAMPLE);
    if (sample == null) {
      throw lines.error("has no field %s", Sidecar.SAMPLE);
    }
    return sampleMetadata(example, count == MISSING ? 1 : count, position, tokens, sample);
  }

  private ExampleMetadata sampleMetadata(
      long example, long count, long position, List<TokenRange> tokens, String sample)
      throws FormatException {
    check(
        count <= examples && example <= examples - count,
        "covers example %d and %d more (expected 0 to %d, the examples of the data file)",
        example,
        count - 1,
        examples - 1);
    check(
        position != MISSING || count == 1,
        "covers %d examples without a %s (expected one example)",
        count,
        Sidecar.POSITION);
    check(position <= Long.MAX_VALUE - count, "has a field %s beyond 2^63", Sidecar.POSITION);
    check(
        position == MISSING || tokens.isEmpty(),
        "has both %s and %s (expected only one of them)",
        Sidecar.POSITION,
        Sidecar.TOKENS);
    return new ExampleMetadata(
        example, count, position == MISSING ? ExampleMetadata.WHOLE : position, tokens, sample);
  }

  private long number(JsonParser parser, long before, long least) throws IOException {
    String field = parser.currentName();
    check(before == MISSING, "has two %s fields", field);
    check(
        parser.nextToken() == JsonToken.VALUE_NUMBER_INT,
        "has a field %s that is not an integer",
        field);
    long value = parser.getLongValue();
    check(value >= least, "has the %s %d (expected at least %d)", field, value, least);
    return value;
  }

  private List<TokenRange> ranges(JsonParser parser, List<TokenRange> before) throws IOException {
    check(before.isEmpty(), "has two %s fields", Sidecar.TOKENS);
    check(parser.nextToken() == JsonToken.START_ARRAY, NOT_RANGES, Sidecar.TOKENS);
    List<TokenRange> ranges = new ArrayList<>();
    int next = 0;
    while (parser.nextToken() == JsonToken.START_ARRAY) {
      int start = bound(parser, next);
      next = bound(parser, start + 1);
      check(parser.nextToken() == JsonToken.END_ARRAY, NOT_RANGES, Sidecar.TOKENS);
      ranges.add(new TokenRange(start, next));
      check(
          ranges.size() <= Sidecar.MAX_RANGES,
          "has more than %d ranges of %s",
          Sidecar.MAX_RANGES,
          Sidecar.TOKENS);
    }
    boolean ended = parser.currentToken() == JsonToken.END_ARRAY;
    check(ended && !ranges.isEmpty(), NOT_RANGES, Sidecar.TOKENS);
    return ranges;
  }

  private int bound(JsonParser parser, int least) throws IOException {
    check(parser.nextToken() == JsonToken.VALUE_NUMBER_INT, NOT_RANGES, Sidecar.TOKENS);
    long value = parser.getLongValue();
    check(
        value >= least && value < Integer.MAX_VALUE,
        "has the position %d in the field %s (expected %d to %d: ranges are in ascending order)",
        value,
        Sidecar.TOKENS,
        least,
        Integer.MAX_VALUE - 1);
    return (int) value;
  }

  /** Returns the text of an object exactly as it occurs in the line. */
  private String object(JsonParser parser, String line) throws IOException {
    check(
        parser.nextToken() == JsonToken.START_OBJECT,
        "has a field %s that is not an object",
        Sidecar.SAMPLE);
    int start = (int) Jackson.start(parser).getCharOffset();
    for (int depth = 1; depth > 0; ) {
      JsonToken token = parser.nextToken();
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      check(depth <= MAX_DEPTH, "is nested too deeply (expected at most %d)", MAX_DEPTH);
    }
    int end = (int) Jackson.end(parser).getCharOffset();
    check(
        end - start <= Sidecar.MAX_SAMPLE,
        "has a %s of %d characters (expected at most %d)",
        Sidecar.SAMPLE,
        end - start,
        Sidecar.MAX_SAMPLE);
    return line.substring(start, end);
  }

  @FormatMethod
  private void check(boolean holds, @FormatString String problem, Object... args)
      throws FormatException {
    if (!holds) {
      throw lines.error(problem, args);
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
