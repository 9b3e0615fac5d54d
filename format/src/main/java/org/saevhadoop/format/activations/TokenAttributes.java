package org.saevhadoop.format.activations;

import java.io.IOException;
import org.saevhadoop.format.attributes.AttributeCursor;
import org.saevhadoop.format.attributes.Attributes;
import org.saevhadoop.format.attributes.ExampleAttributes;

/** The attributes of tokens that are examples: those of their sample, and their place in it. */
final class TokenAttributes implements Attributes {
  private final Attributes samples;

  /** The number of the first token of each sample, and of all. */
  private final long[] first;

  /**
   * @param samples the attributes of the samples
   * @param tokens of each
   */
  TokenAttributes(Attributes samples, long[] tokens) {
    this.samples = samples;
    this.first = new long[tokens.length + 1];
    for (int i = 0; i < tokens.length; i++) {
      first[i + 1] = first[i] + tokens[i];
    }
  }

  @Override
  public AttributeCursor cursor(long from, long count) throws IOException {
    long end = from > Long.MAX_VALUE - count ? Long.MAX_VALUE : from + count;
    int sample = 0;
    while (sample < first.length - 1 && first[sample + 1] <= from) {
      sample++;
    }
    AttributeCursor cursor = samples.cursor(sample, first.length);
    return new AttributeCursor() {
      @Override
      public ExampleAttributes next() throws IOException {
        for (ExampleAttributes a = cursor.next(); a != null; a = cursor.next()) {
          int number = (int) a.first();
          long tokens = first[number + 1] - first[number];
          if (first[number] >= end) {
            return null;
          }
          if (tokens > 0) {
            return new ExampleAttributes(first[number], tokens, 0, a.sample()).part(from, end);
          }
        }
        return null;
      }

      @Override
      public void close() throws IOException {
        cursor.close();
      }
    };
  }
}
