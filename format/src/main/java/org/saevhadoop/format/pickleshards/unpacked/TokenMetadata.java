package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/**
 * Metadata for examples that are single tokens: the metadata of the sample and the position of the
 * token in the sample.
 */
final class TokenMetadata implements SampleMetadata {
  private final SampleMetadata samples;

  /** Number of the first token of each sample, followed by the total number of tokens. */
  private final long[] first;

  TokenMetadata(SampleMetadata samples, long[] tokens) {
    this.samples = samples;
    this.first = PartAddresses.firstTokens(tokens);
  }

  @Override
  public SampleMetadataCursor cursor(long from, long count) throws IOException {
    long end = from > Long.MAX_VALUE - count ? Long.MAX_VALUE : from + count;
    int sample = AscendingSearch.lastAtMost(first.length - 1, i -> first[i + 1], from) + 1;
    SampleMetadataCursor cursor = samples.cursor(sample, first.length);
    return new SampleMetadataCursor() {
      @Override
      public @Nullable ExampleMetadata next() throws IOException {
        for (ExampleMetadata a = cursor.next(); a != null; a = cursor.next()) {
          int number = (int) a.first();
          long tokens = first[number + 1] - first[number];
          if (first[number] >= end) {
            return null;
          }
          if (tokens > 0) {
            return new ExampleMetadata(first[number], tokens, 0, a.sample()).part(from, end);
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
