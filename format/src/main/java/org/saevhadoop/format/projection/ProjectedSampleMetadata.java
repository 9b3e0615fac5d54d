package org.saevhadoop.format.projection;

import java.io.IOException;
import java.util.Iterator;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/**
 * Sample metadata of a subset of the examples.
 *
 * @param source the sample metadata of all examples
 * @param ranges the selected examples, which are renumbered from 0
 */
record ProjectedSampleMetadata(SampleMetadata source, IndexRanges ranges)
    implements SampleMetadata {
  @Override
  public SampleMetadataCursor cursor(long first, long count) {
    return new Cursor(first, ranges.slice(first, count).iterator());
  }

  private final class Cursor implements SampleMetadataCursor {
    /** The ranges that are still to be read, and the number of their first example here. */
    private final Iterator<IndexRange> left;

    private long next;
    private SampleMetadataCursor open;

    /** Difference between the number of an example here and its stored number. */
    private long shift;

    Cursor(long first, Iterator<IndexRange> left) {
      this.next = first;
      this.left = left;
    }

    @Override
    public ExampleMetadata next() throws IOException {
      while (true) {
        ExampleMetadata found = open == null ? null : open.next();
        if (found != null) {
          return found.from(found.first() + shift);
        }
        close();
        if (!openNext()) {
          return null;
        }
      }
    }

    private boolean openNext() throws IOException {
      if (!left.hasNext()) {
        return false;
      }
      IndexRange examples = left.next();
      shift = next - examples.start();
      next += examples.length();
      open = source.cursor(examples.start(), examples.length());
      return true;
    }

    @Override
    public void close() throws IOException {
      if (open != null) {
        SampleMetadataCursor closing = open;
        open = null;
        closing.close();
      }
    }
  }
}
