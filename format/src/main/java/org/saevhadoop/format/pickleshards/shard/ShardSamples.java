package org.saevhadoop.format.pickleshards.shard;

import static org.saevhadoop.format.pickle.value.PickleError.DUPLICATE_LAYER;
import static org.saevhadoop.format.pickle.value.PickleError.DUPLICATE_SAMPLE;
import static org.saevhadoop.format.pickle.value.PickleError.SCHEMA;
import static org.saevhadoop.format.pickle.value.PickleError.SHAPE_MISMATCH;
import static org.saevhadoop.format.pickle.value.PickleError.UNSUPPORTED_MUTATION;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.tensor.DType;

/**
 * The content of a shard, taken from the final object of its pickle: {@code {layer: [sample, ...],
 * ...}}.
 *
 * @param notes descriptions of ignored entries
 * @param misfits samples whose shape field differs from their array; the array takes precedence
 * @param faults errors that do not prevent reading
 */
public record ShardSamples(
    List<Layer> layers,
    List<String> notes,
    List<FormatException> misfits,
    List<FormatException> faults) {
  static final String ID = "sample_idx";

  /** Maximum number of messages of each kind; more would not help the user. */
  private static final int MAX_FAULTS = 20;

  /** The samples of one layer in file order. */
  public record Layer(int number, List<Sample> samples) {}

  /**
   * One sample of one layer.
   *
   * @param id the {@code sample_idx}
   * @param dict all entries of the sample, including the array
   */
  public record Sample(long id, PythonValue.NumpyArray array, PythonValue.Dict dict) {
    /** Returns the dtype of the array, which is a valid dtype for activations. */
    public DType dtype() {
      return dtype(array);
    }

    static DType dtype(PythonValue.NumpyArray array) {
      return Objects.requireNonNull(array.type().dtype());
    }
  }

  /**
   * Interprets the final object of a pickle.
   *
   * @throws FormatException if the object is not a shard
   */
  public static ShardSamples of(String path, @Nullable Object root) throws FormatException {
    if (!(root instanceof PythonValue.Dict dict)) {
      throw SCHEMA.in(
          path, "contains an object of type %s (expected a dict of layers)", LayerKey.kind(root));
    }
    ShardSamples samples =
        new ShardSamples(
            new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    Set<Integer> seen = new HashSet<>();
    Map<Object, Object> lists = new IdentityHashMap<>();
    for (Object key : LayerKey.items(dict.overwrittenKeys())) {
      OptionalInt layer = LayerKey.number(key);
      DUPLICATE_LAYER.check(
          layer.isEmpty(), path, "layer %s is set twice (expected once)", LayerKey.show(key));
    }
    for (int i = 0; i < dict.size(); i++) {
      Object key = dict.key(i);
      OptionalInt number = LayerKey.number(key);
      if (number.isEmpty()) {
        samples.passOver(path, key, dict.value(i));
        continue;
      }
      DUPLICATE_LAYER.check(
          seen.add(number.getAsInt()), path, "layer %d occurs under two keys", number.getAsInt());
      Object list = dict.value(i);
      UNSUPPORTED_MUTATION.check(
          lists.put(list == null ? key : list, key) == null || !grew(list),
          path,
          "the list of layer %s is shared with another layer and was extended in between",
          LayerKey.show(key));
      samples.layers.add(samples.layer(path, number.getAsInt(), list));
    }
    return samples;
  }

  /** Returns warnings for the user: ignored entries and reinterpreted samples. */
  public List<String> warnings() {
    List<String> all = new ArrayList<>(notes);
    misfits.forEach(misfit -> all.add(misfit.getMessage()));
    return all;
  }

  private static boolean grew(@Nullable Object list) {
    return list instanceof PythonValue.PyList items && items.grewAfterStored();
  }

  /** Ignores an entry that is not a layer, unless it contains samples. */
  private void passOver(String path, @Nullable Object key, @Nullable Object value)
      throws FormatException {
    boolean samples = false;
    for (Object item : LayerKey.items(value)) {
      samples |=
          item instanceof PythonValue.Dict dict
              && LayerKey.get(dict, SampleText.ACTIVATION) != null;
    }
    SCHEMA.check(
        !samples,
        path,
        "%s is not a layer but has samples (expected layer_<n>, or n)",
        LayerKey.show(key));
    if (notes.size() < MAX_FAULTS) {
      String text = "%s: the entry %s is not a layer and is not read";
      notes.add(text.formatted(path, LayerKey.show(key)));
    }
  }

  private Layer layer(String path, int number, @Nullable Object value) throws FormatException {
    SCHEMA.check(
        value instanceof PythonValue.PyList || value instanceof PythonValue.Tuple,
        path,
        "layer %d has the type %s (expected a list of samples)",
        number,
        LayerKey.kind(value));
    List<Sample> samples = new ArrayList<>();
    Set<Long> ids = new HashSet<>();
    for (Object item : LayerKey.items(value)) {
      Sample sample = sample(path, number, samples.size(), item);
      if (!ids.add(sample.id)) {
        String problem = "sample %d occurs twice in layer %d";
        note(faults, DUPLICATE_SAMPLE.in(path, problem, sample.id, number));
      }
      checkShape(path, number, sample);
      samples.add(sample);
    }
    return new Layer(number, samples);
  }

  private static Sample sample(String path, int layer, int position, Object item)
      throws FormatException {
    String where = "item " + position + " of layer " + layer; // formatted() is slow
    if (!(item instanceof PythonValue.Dict dict)) {
      throw SCHEMA.in(path, "%s has the type %s (expected a dict)", where, LayerKey.kind(item));
    }
    if (!(LayerKey.get(dict, SampleText.ACTIVATION) instanceof PythonValue.NumpyArray array)) {
      throw SCHEMA.in(
          path,
          "%s has the activation %s (expected a numpy array)",
          where,
          LayerKey.kind(LayerKey.get(dict, SampleText.ACTIVATION)));
    }
    Long id = LayerKey.integer(LayerKey.get(dict, ID));
    if (id == null || id < 0) {
      throw SCHEMA.in(
          path,
          "%s has the sample_idx %s (expected an integer from 0 to 2^63 - 1)",
          where,
          LayerKey.show(LayerKey.get(dict, ID)));
    }
    return new Sample(id, array, dict);
  }

  /** The array takes precedence; the shape field is only compared with it. */
  private void checkShape(String path, int layer, Sample sample) {
    Object field = LayerKey.get(sample.dict, SampleText.SHAPE);
    if (field == null) {
      return;
    }
    List<Object> items = LayerKey.items(field);
    long[] shape = sample.array.shape();
    boolean same = items.size() == shape.length;
    for (int i = 0; same && i < shape.length; i++) {
      Long size = LayerKey.integer(items.get(i));
      same = size != null && size == shape[i];
    }
    if (!same) {
      String problem = "sample %d of layer %d has an array of %s, but its shape field is %s";
      String declared = LayerKey.show(field);
      note(
          misfits,
          SHAPE_MISMATCH.in(path, problem, sample.id, layer, Arrays.toString(shape), declared));
    }
  }

  private static void note(List<FormatException> list, FormatException fault) {
    if (list.size() < MAX_FAULTS) {
      list.add(fault);
    }
  }
}
