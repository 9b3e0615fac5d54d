package org.saevhadoop.format.dataset;

import java.util.HashSet;
import java.util.List;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;

/**
 * Logical shape {@code [examples, layers, tokens, dim]} of an activation dataset.
 *
 * @param layers the layer numbers of the model, in the order in which an example stores them,
 *     without duplicates
 * @param tokens the number of token positions of an example, including [CLS] if there is one
 * @param dim the number of values in a vector
 * @param dtype the type of the values; float32 in SAEV
 */
@PublicApi
public record Geometry(long examples, List<Integer> layers, int tokens, int dim, DType dtype) {
  /** Prefix of the column name of a layer, before the layer number. */
  public static final String LAYER_PREFIX = "layer_";

  /**
   * A limit above the number of layers of any model; it is needed because a file without data can
   * claim billions of layers.
   */
  public static final int MAX_LAYERS = 100_000;

  private static final int MAX_SHOWN = 100;

  public Geometry {
    layers = List.copyOf(layers);
    if (examples < 0 || layers.isEmpty() || tokens < 1 || dim < 1) {
      throw new IllegalArgumentException(
          "no dataset has the shape [%d, %d, %d, %d]"
              .formatted(examples, layers.size(), tokens, dim));
    }
    if (new HashSet<>(layers).size() < layers.size()) {
      throw new IllegalArgumentException("a layer is listed twice in " + layers);
    }
    if (dtype.bits() % Byte.SIZE != 0) {
      throw new IllegalArgumentException("activations of the packed type " + dtype);
    }
    long example =
        Math.multiplyExact(
            Math.multiplyExact((long) tokens * dim, dtype.bits() / Byte.SIZE), layers.size());
    Math.multiplyExact(example, Math.max(1, examples));
  }

  /**
   * Checks that an array can be interpreted as activations. An array with 0 examples is accepted.
   *
   * @param path the path of the file, for error messages
   * @param shape the shape of the array as it is stored
   * @throws FormatException if the array has 0 layers, tokens or dims
   */
  public static void checkSizes(
      String path, String array, List<Long> shape, long layers, long tokens, long dim)
      throws FormatException {
    DatasetError.NO_VECTORS.check(
        layers > 0 && tokens > 0 && dim > 0,
        path,
        "array %s of shape %s has 0 %s (expected 1 or more; only the number of examples may be 0)",
        Quote.show(array, MAX_SHOWN),
        shape,
        layers == 0 ? "layers" : tokens == 0 ? "tokens" : "dims");
  }

  /** Creates the shape of a float32 dataset. */
  public Geometry(long examples, List<Integer> layers, int tokens, int dim) {
    this(examples, layers, tokens, dim, DType.F32);
  }

  /** Returns the number of vectors. */
  public long vectors() {
    return examples * layers.size() * tokens; // the constructor has checked that they have a size
  }

  /** Returns the size of a value in bytes. */
  public int elementBytes() {
    return dtype.bits() / Byte.SIZE;
  }

  /** Returns the size in bytes of the vector at (example, layer, token). */
  public int vectorBytes() {
    return Math.multiplyExact(dim, elementBytes());
  }

  /** Returns the size in bytes of the block at (example, layer). */
  public long blockBytes() {
    return (long) tokens * dim * elementBytes();
  }

  /** Returns the size in bytes of an example with all its layers. */
  public long exampleBytes() {
    return blockBytes() * layers.size();
  }

  /**
   * Returns the index of {@code layer} in {@link #layers()}.
   *
   * @param path the path of the dataset, for error messages
   * @throws FormatException if the layer was not recorded
   */
  public int requireLayer(int layer, String path) throws FormatException {
    int index = layers.indexOf(layer);
    DatasetError.NO_SUCH_LAYER.check(
        index >= 0, path, "layer %d was not recorded (expected one of %s)", layer, layers);
    return index;
  }

  /** Returns the same shape with a different dtype. */
  public Geometry as(DType other) {
    return new Geometry(examples, layers, tokens, dim, other);
  }

  /** Returns the same shape with a different number of examples. */
  public Geometry withExamples(long count) {
    return new Geometry(count, layers, tokens, dim, dtype);
  }

  /** Returns the dataset as a table with one column of shape {@code [token, dim]} per layer. */
  public TableShape table() {
    List<Long> block = List.of((long) tokens, (long) dim);
    List<Column> columns =
        layers.stream().map(layer -> new Column(LAYER_PREFIX + layer, dtype, block)).toList();
    return new TableShape(examples, columns, layers);
  }
}
