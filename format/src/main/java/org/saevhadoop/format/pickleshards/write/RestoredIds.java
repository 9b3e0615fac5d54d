package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.pickle.value.PyJson;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.shard.LayerKey;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.tensor.DType;

/**
 * The sample ids and the types of arrays, if they are restored from metadata. Ids are unique in one
 * dataset, but a conversion may put samples from several machines into one dataset, and each
 * machine numbers its own samples. The arrays of a layer must have one type, but several datasets
 * that are read as one may have recorded different types, or only some of them a type.
 */
public final class RestoredIds {
  /** The maximum number of examples whose unordered ids are compared; each id takes 8 bytes. */
  private static final long MAX_EXAMPLES = 1L << 24;

  private final ActivationDataset dataset;
  private final int layer;
  private final long examples;
  private final Set<DType> types = EnumSet.noneOf(DType.class);
  private long[] ids = new long[0];
  private int known;
  private long last = -1;
  private boolean ascends = true;

  private RestoredIds(ActivationDataset dataset) {
    this.dataset = dataset;
    this.layer = dataset.geometry().layers().get(0);
    this.examples = dataset.geometry().examples();
  }

  /** Reads the sample metadata of a dataset. */
  public static RestoredIds of(ActivationDataset dataset) throws IOException {
    RestoredIds ids = new RestoredIds(dataset);
    Optional<SampleMetadata> samples = dataset.sampleMetadata();
    if (samples.isPresent()) {
      ids.read(samples.get());
    }
    return ids;
  }

  private void read(SampleMetadata samples) throws IOException {
    ids = new long[(int) Math.min(examples, MAX_EXAMPLES)];
    long numbered = 0;
    try (SampleMetadataCursor cursor = samples.cursor(0, examples)) {
      ExampleMetadata next = cursor.next();
      for (; next != null; next = cursor.next()) {
        addWithout(numbered, next.first());
        add(next);
        addNumbers(next.first() + 1, next.end());
        numbered = next.end();
      }
    }
    addWithout(numbered, examples);
  }

  /** Returns whether all ids that are known before data is read are unique. */
  public boolean areUnique() {
    return ascends || examples > MAX_EXAMPLES || !repeat();
  }

  /** Returns whether all arrays have one type if each has the type in its metadata. */
  public boolean areOfOneType() {
    return types.size() <= 1;
  }

  /** Adds the examples of a range that have no metadata. */
  private void addWithout(long first, long end) {
    if (first < end) {
      types.add(RestoredSample.dtype(null, dataset.geometry().dtype()));
    }
    addNumbers(first, end);
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

  /** Adds an example with metadata. Single tokens of a sample are always numbered. */
  private void add(ExampleMetadata example) throws IOException {
    String where = dataset.path();
    PythonValue.Dict sample =
        RestoredSample.ofLayer(where, PyJson.parse(where, example.sample()), layer);
    types.add(RestoredSample.dtype(RestoredSample.recorded(sample), dataset.geometry().dtype()));
    Long id =
        example.position() == ExampleMetadata.WHOLE
            ? LayerKey.integer(LayerKey.get(sample, RestoredSample.SAMPLE_IDX))
            : null;
    add(id == null ? example.first() : id);
  }
}
