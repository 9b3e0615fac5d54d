package org.saevhadoop.format.projection;

import java.io.IOException;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/**
 * Sample metadata of a subset of the examples.
 *
 * @param ranges the selected examples, which are renumbered from 0
 */
record ProjectedSampleMetadata(SampleMetadata source, IndexRanges ranges)
    implements SampleMetadata {
  @Override
  public SampleMetadataCursor cursor(long first, long count) {
    Iterator<IndexRange> left = ranges.slice(first, count).iterator();
    return new SampleMetadataCursor() {
      /** Number of the first example of the remaining ranges. */
      private long next = first;

      /** Difference between the number of an example in this subset and its stored number. */
      private long shift;

      private @Nullable SampleMetadataCursor open;

      @Override
      public @Nullable ExampleMetadata next() throws IOException {
        ExampleMetadata found = open == null ? null : open.next();
        while (found == null && left.hasNext()) {
          close();
          IndexRange examples = left.next();
          shift = next - examples.start();
          next += examples.length();
          open = source.cursor(examples.start(), examples.length());
          found = open.next();
        }
        return found == null ? null : found.from(found.first() + shift);
      }

      @Override
      public void close() throws IOException {
        if (open != null) {
          SampleMetadataCursor closing = open;
          open = null;
          closing.close();
        }
      }
    };
  }
}
