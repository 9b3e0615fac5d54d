package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.pickle.value.PyJson;
import org.saevhadoop.format.pickleshards.shard.LayerKey;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;

/**
 * The sample ids, if they are restored from metadata. Ids are unique in one dataset, but a
 * conversion may put samples from several machines into one dataset, and each machine numbers its
 * own samples.
 */
public final class RestoredIds {
  /** The maximum number of examples whose unordered ids are compared; each id takes 8 bytes. */
  private static final long MAX_EXAMPLES = 1L << 24;

  private final long[] ids;
  private int known;
  private long last = -1;
  private boolean ascends = true;

  private RestoredIds(int most) {
    ids = new long[most];
  }

  /** Returns whether all ids that are known before data is read are unique. */
  public static boolean areUnique(ActivationDataset dataset) throws IOException {
    Optional<SampleMetadata> samples = dataset.sampleMetadata();
    if (samples.isEmpty()) {
      return true;
    }
    long examples = dataset.geometry().examples();
    int layer = dataset.geometry().layers().get(0);
    RestoredIds ids = new RestoredIds((int) Math.min(examples, MAX_EXAMPLES));
    long numbered = 0;
    try (SampleMetadataCursor cursor = samples.get().cursor(0, examples)) {
      ExampleMetadata next = cursor.next();
      for (; next != null; next = cursor.next()) {
        ids.addNumbers(numbered, next.first());
        ids.add(id(dataset.path(), next, layer));
        ids.addNumbers(next.first() + 1, next.end());
        numbered = next.end();
      }
    }
    ids.addNumbers(numbered, examples);
    return ids.ascends || examples > MAX_EXAMPLES || !ids.repeat();
  }

  /** Adds the examples of a range that have no ids and are numbered. */
  private void addNumbers(long first, long end) {
    for (long number = first; number < end; number++) {
      add(number);
    }
  }

  private void add(long id) {
    ascends &= id > last;
    last = id;
    if (known < ids.length) {
      ids[known++] = id;
    }
  }

  private boolean repeat() {
    Arrays.sort(ids, 0, known);
    for (int i = 1; i < known; i++) {
      if (ids[i] == ids[i - 1]) {
        return true;
      }
    }
    return false;
  }

  /** Examples that are single tokens of a sample are always numbered. */
  private static long id(String where, ExampleMetadata example, int layer) throws IOException {
    if (example.position() != ExampleMetadata.WHOLE) {
      return example.first();
    }
    Object id =
        LayerKey.get(
            RestoredSample.ofLayer(where, PyJson.parse(where, example.sample()), layer),
            RestoredSample.SAMPLE_IDX);
    Long number = LayerKey.integer(id);
    return number == null ? example.first() : number;
  }
}
