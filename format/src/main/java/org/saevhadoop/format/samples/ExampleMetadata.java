package org.saevhadoop.format.samples;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;

/**
 * Sample metadata of consecutive examples. A sample corresponds either to one example, or to many
 * examples, each for one token of the sample.
 *
 * @param first the number of the first example
 * @param count the number of examples; 1 if the example is a whole sample
 * @param position the index in the sample of the token that is the first example, or {@link #WHOLE}
 *     if the example is the whole sample
 * @param tokens if the example is a whole sample, the tokens that it contains, in ascending order;
 *     empty for all tokens
 * @param sample the metadata of the sample as the text of one JSON object
 */
@PublicApi
public record ExampleMetadata(
    long first, long count, long position, List<TokenRange> tokens, String sample) {
  /** Position of an example that is a whole sample. */
  public static final long WHOLE = -1;

  public ExampleMetadata {
    tokens = List.copyOf(tokens);
    boolean whole = position == WHOLE && count == 1;
    boolean single =
        position >= 0 && count >= 1 && position <= Long.MAX_VALUE - count && tokens.isEmpty();
    if (first < 0 || first > Long.MAX_VALUE - count || !whole && !single) {
      throw new IllegalArgumentException(
          "no examples are number %d, %d of them from position %d on"
              .formatted(first, count, position));
    }
  }

  /** Creates the metadata of an example that is a whole sample. */
  public ExampleMetadata(long example, String sample) {
    this(example, 1, WHOLE, sample);
  }

  /** Creates the metadata of examples that have all tokens of the sample or are single tokens. */
  public ExampleMetadata(long first, long count, long position, String sample) {
    this(first, count, position, List.of(), sample);
  }

  /** Returns the exclusive end of the range of example numbers. */
  public long end() {
    return first + count;
  }

  /**
   * Returns the metadata of the examples in the half-open range from {@code from} to {@code to}, or
   * null if there are none.
   */
  public @Nullable ExampleMetadata part(long from, long to) {
    long begin = Math.max(from, first);
    long end = Math.min(to, end());
    if (begin >= end) {
      return null;
    }
    return new ExampleMetadata(
        begin, end - begin, position == WHOLE ? WHOLE : position + begin - first, tokens, sample);
  }

  /**
   * Returns this metadata merged with {@code next}, or null if {@code next} does not belong to the
   * following tokens of the same sample.
   */
  public @Nullable ExampleMetadata with(ExampleMetadata next) {
    boolean follows =
        position != WHOLE
            && next.first == end()
            && next.position == position + count
            && next.sample.equals(sample);
    return follows ? new ExampleMetadata(first, count + next.count, position, sample) : null;
  }

  /** Returns the same metadata for examples that are numbered from {@code number}. */
  public ExampleMetadata from(long number) {
    return new ExampleMetadata(number, count, position, tokens, sample);
  }

  /** Returns the same metadata for an example that has only some tokens of the sample. */
  public ExampleMetadata withTokens(List<TokenRange> some) {
    return new ExampleMetadata(first, count, position, some, sample);
  }
}
