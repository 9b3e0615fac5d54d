package org.saevhadoop.jobs.diff;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/** Compares the data of the same examples in two datasets, except for the blocks. */
final class SideData {
  private SideData() {}

  /** Returns the number of examples whose sample metadata differs as text. */
  static long samples(TableDataset a, TableDataset b, long first, long count) throws IOException {
    long different = 0;
    try (Samples ofA = new Samples(a, first, count);
        Samples ofB = new Samples(b, first, count)) {
      for (long example = first; example < first + count; example++) {
        different += Objects.equals(ofA.at(example), ofB.at(example)) ? 0 : 1;
      }
    }
    return different;
  }

  /** The sample metadata of examples in ascending order. */
  private static final class Samples implements AutoCloseable {
    private final SampleMetadataCursor cursor;
    private @Nullable ExampleMetadata current;

    Samples(TableDataset dataset, long first, long count) throws IOException {
      this.cursor = dataset.sampleMetadataWithTokens().orElseThrow().cursor(first, count);
      this.current = cursor.next();
    }

    /** Returns the metadata of an example; null if it has none. */
    @Nullable ExampleMetadata at(long example) throws IOException {
      while (current != null && current.end() <= example) {
        current = cursor.next();
      }
      return current == null ? null : current.part(example, example + 1);
    }

    @Override
    public void close() throws IOException {
      cursor.close();
    }
  }

  /** Returns the number of examples whose labels differ. */
  static long labels(ActivationDataset a, ActivationDataset b, long first, long count)
      throws IOException {
    try (PatchLabels ofA = a.openLabels();
        PatchLabels ofB = b.openLabels()) {
      if (ofA.patches() != ofB.patches()) {
        return count;
      }
      long different = 0;
      ByteBuffer labelsA = ByteBuffer.allocate(ofA.patches());
      ByteBuffer labelsB = ByteBuffer.allocate(ofA.patches());
      for (long example = first; example < first + count; example++) {
        ofA.read(example, labelsA.clear());
        ofB.read(example, labelsB.clear());
        different += labelsA.flip().equals(labelsB.flip()) ? 0 : 1;
      }
      return different;
    }
  }
}
