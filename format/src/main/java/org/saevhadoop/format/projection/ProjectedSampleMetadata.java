package org.saevhadoop.format.projection;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/**
 * Sample metadata of a subset of the examples.
 *
 * @param source the sample metadata of all examples
 * @param ranges the selected examples, which are renumbered from 0
 */
record ProjectedSampleMetadata(SampleMetadata source, List<IndexRange> ranges)
    implements SampleMetadata {
  @Override
  public SampleMetadataCursor cursor(long first, long count) {
    return new Cursor(first, first > Long.MAX_VALUE - count ? Long.MAX_VALUE : first + count);
  }

  private final class Cursor implements SampleMetadataCursor {
    private final long first;
    private final long end;

    /** The next range to be read. */
    private int range;

    private long rangeFirst;
    private SampleMetadataCursor open;

    /** Difference between the number of an example here and its stored number. */
    private long shift;

    Cursor(long first, long end) {
      this.first = first;
      this.end = end;
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
      while (range < ranges.size() && rangeFirst < end) {
        IndexRange examples = ranges.get(range++);
        long from = Math.max(first, rangeFirst);
        long to = Math.min(end, rangeFirst + examples.length());
        shift = rangeFirst - examples.start();
        rangeFirst += examples.length();
        if (from < to) {
          open = source.cursor(from - shift, to - from);
          return true;
        }
      }
      return false;
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
