package org.saevhadoop.format.samples;

/**
 * The attributes of consecutive examples. A sample is one example, or many that are its tokens.
 *
 * @param first number of the first example
 * @param count how many examples there are; 1 where the example is a whole sample
 * @param position the token of the sample that the first example is; {@link #WHOLE} where the
 *     example is the whole sample
 * @param sample the sample's attributes, one JSON object as text
 */
public record ExampleMetadata(long first, long count, long position, String sample) {
  /** The position of an example that is a whole sample. */
  public static final long WHOLE = -1;

  public ExampleMetadata {
    boolean whole = position == WHOLE && count == 1;
    boolean tokens = position >= 0 && count >= 1 && position <= Long.MAX_VALUE - count;
    if (first < 0 || first > Long.MAX_VALUE - count || !whole && !tokens) {
      throw new IllegalArgumentException(
          "no examples are number %d, %d of them from position %d on"
              .formatted(first, count, position));
    }
  }

  /** An example that is a whole sample. */
  public ExampleMetadata(long example, String sample) {
    this(example, 1, WHOLE, sample);
  }

  /** The number after the last example. */
  public long end() {
    return first + count;
  }

  /** Those of the examples from {@code from} to before {@code to}; null where there are none. */
  public ExampleMetadata part(long from, long to) {
    long begin = Math.max(from, first);
    long end = Math.min(to, end());
    if (begin >= end) {
      return null;
    }
    return new ExampleMetadata(
        begin, end - begin, position == WHOLE ? WHOLE : position + begin - first, sample);
  }

  /**
   * These and the next ones as one, where those are the following tokens of the sample; or null.
   */
  public ExampleMetadata with(ExampleMetadata next) {
    boolean follows =
        position != WHOLE
            && next.first == end()
            && next.position == position + count
            && next.sample.equals(sample);
    return follows ? new ExampleMetadata(first, count + next.count, position, sample) : null;
  }

  /** The same of examples that have other numbers. */
  public ExampleMetadata from(long number) {
    return new ExampleMetadata(number, count, position, sample);
  }
}
