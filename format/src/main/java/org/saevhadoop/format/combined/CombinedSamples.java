package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/** Sample metadata of the examples of several sources, of which one at a time is open. */
record CombinedSamples(SourceExamples examples) implements SampleMetadata {
  @Override
  public SampleMetadataCursor cursor(long first, long count) {
    long most = Math.min(count, examples.ranges().examples() - first);
    Iterator<ShardSlice> left = examples.slices(first, Math.max(0, most)).iterator();
    return new SampleMetadataCursor() {
      /** Difference between the number of an example here and its number in the source. */
      private long shift;

      private @Nullable SampleMetadataCursor open;

      @Override
      public @Nullable ExampleMetadata next() throws IOException {
        ExampleMetadata found = open == null ? null : open.next();
        while (found == null && left.hasNext()) {
          close();
          ShardSlice slice = left.next();
          shift = slice.shard().first();
          open =
              examples
                  .open(slice)
                  .sampleMetadata()
                  .orElse(SampleMetadata.NONE)
                  .cursor(slice.start(), slice.examples());
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
