package org.saevhadoop.format.activations;

import static org.saevhadoop.format.activations.SampleText.ACTIVATION;
import static org.saevhadoop.format.activations.SampleText.DTYPE;
import static org.saevhadoop.format.activations.SampleText.LAYERS;
import static org.saevhadoop.format.activations.SampleText.SHAPE;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.saevhadoop.format.attributes.ExampleAttributes;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.PickleError;
import org.saevhadoop.format.pickle.Py;
import org.saevhadoop.format.pickle.PyJson;
import org.saevhadoop.format.tensor.DType;

/**
 * A sample as its attributes tell it.
 *
 * @param dict its keys and values; that of {@code activation} is not looked at
 * @param shape of its array: as it was, as far as the example has its numbers
 * @param dtype of its array as it was; null where the attributes do not tell
 */
record RestoredSample(Py.Dict dict, long[] shape, DType dtype) {
  private static final String SAMPLE_IDX = "sample_idx";
  private static final String TEXT = "text_preview";
  private static final String METADATA = "metadata";

  /** More tokens than any example has; the product of two of them is a long. */
  private static final long TOO_MANY = 1L << 31;

  /** What the attributes say of an array; null for attributes of something else. */
  private record Description(DType dtype, long[] shape) {
    static Description of(Object value) {
      if (!(value instanceof Py.Dict dict)) {
        return null;
      }
      Object name = LayerKey.get(dict, DTYPE);
      List<Object> sizes = LayerKey.items(LayerKey.get(dict, SHAPE));
      boolean natural = sizes.stream().allMatch(size -> size instanceof Long n && n >= 0);
      return Arrays.stream(DType.values())
          .filter(dtype -> natural && !sizes.isEmpty() && dtype.numpyName().equals(name))
          .findFirst()
          .map(dtype -> new Description(dtype, sizes.stream().mapToLong(n -> (Long) n).toArray()))
          .orElse(null);
    }
  }

  /**
   * The sample of an example in a layer.
   *
   * @param where as error messages name the attributes
   * @param attributes of the example, among others
   * @param stored shape of the examples
   */
  static RestoredSample of(
      String where, ExampleAttributes attributes, long example, int layer, Geometry stored)
      throws FormatException {
    Py.Dict dict = ofLayer(where, PyJson.parse(where, attributes.sample()), layer);
    Description description = Description.of(LayerKey.get(dict, ACTIVATION));
    DType dtype = description == null ? null : description.dtype;
    long[] block = {stored.tokens(), stored.dim()};
    if (attributes.position() != ExampleAttributes.WHOLE) {
      long position = attributes.position() + example - attributes.first();
      return new RestoredSample(token(dict, example, position, block), block, dtype);
    }
    if (description == null) {
      return new RestoredSample(standard(example, block, preview(dict), dict), block, null);
    }
    long[] shape = shape(description.shape, stored);
    boolean same = Arrays.equals(shape, description.shape);
    return new RestoredSample(same ? dict : withShape(dict, shape), shape, dtype);
  }

  /** The sample's id; the example's number where it is none that a shard may have. */
  long id(long example) {
    Long id = LayerKey.integer(LayerKey.get(dict, SAMPLE_IDX));
    return id == null ? example : id;
  }

  /** Where the layers of a sample differ, there is a dict for each. */
  private static Py.Dict ofLayer(String where, Object value, int layer) throws FormatException {
    PickleError.BAD_METADATA.check(value instanceof Py.Dict, where, "is no dict");
    Py.Dict dict = (Py.Dict) value;
    if (dict.size() != 1 || !(LayerKey.get(dict, LAYERS) instanceof Py.Dict dicts)) {
      return dict;
    }
    Object found = dicts.size() == 0 ? null : dicts.value(0);
    for (int i = 0; i < dicts.size(); i++) {
      if (Long.valueOf(layer).equals(dicts.key(i))) {
        found = dicts.value(i);
      }
    }
    return found instanceof Py.Dict own ? own : dict;
  }

  /** The shape that an array had, with the tokens that are left and the vectors that there are. */
  private static long[] shape(long[] original, Geometry stored) {
    long tokens = 1;
    for (int i = 0; i < original.length - 1; i++) {
      tokens = Math.min(tokens, TOO_MANY) * Math.min(original[i], TOO_MANY);
    }
    if (tokens > stored.tokens()) {
      return new long[] {stored.tokens(), stored.dim()};
    }
    long[] shape = original.clone();
    shape[shape.length - 1] = stored.dim();
    return shape;
  }

  private static Py.Dict withShape(Py.Dict dict, long[] shape) {
    Py.Dict changed = new Py.Dict(dict.kind());
    for (int i = 0; i < dict.size(); i++) {
      Object value = dict.value(i);
      boolean old = SHAPE.equals(dict.key(i));
      changed.append(dict.key(i), old && value instanceof Py.Tuple ? tuple(shape) : value);
    }
    return changed;
  }

  private static Py.Dict token(Py.Dict sample, long example, long position, long[] shape) {
    Py.Dict metadata = new Py.Dict(Py.Dict.Kind.DICT);
    Object id = LayerKey.get(sample, SAMPLE_IDX);
    metadata.append(id == null ? "sample" : SAMPLE_IDX, id == null ? sample : id);
    metadata.append("position", position);
    return standard(example, shape, preview(sample), metadata);
  }

  private static String preview(Py.Dict sample) {
    return LayerKey.get(sample, TEXT) instanceof String text ? text : "";
  }

  private static Py.Dict standard(long example, long[] shape, String text, Py.Dict metadata) {
    Py.Dict dict = new Py.Dict(Py.Dict.Kind.DICT);
    dict.append(SAMPLE_IDX, example);
    dict.append(ACTIVATION, null);
    dict.append(SHAPE, tuple(shape));
    dict.append(TEXT, text);
    dict.append(METADATA, metadata);
    return dict;
  }

  private static Py.Tuple tuple(long[] shape) {
    return new Py.Tuple(LongStream.of(shape).<Object>mapToObj(size -> size).toList());
  }
}
