package org.saevhadoop.format.dataset;

import java.util.HashSet;
import java.util.List;
import org.saevhadoop.format.tensor.DType;

/**
 * The logical shape {@code [examples, layers, tokens, dim]} of an activation dataset.
 *
 * @param examples how many examples there are
 * @param layers the layers as the model counts them, in the order in which an example stores them;
 *     none twice
 * @param tokens positions of one example, [CLS] included where there is one
 * @param dim numbers in one vector
 * @param dtype the type of the numbers; float32 in SAEV
 */
public record Geometry(long examples, List<Integer> layers, int tokens, int dim, DType dtype) {
  /** What the column of a layer is called, before its number. */
  public static final String LAYER_PREFIX = "layer_";

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

  /** A dataset of float32. */
  public Geometry(long examples, List<Integer> layers, int tokens, int dim) {
    this(examples, layers, tokens, dim, DType.F32);
  }

  /** Bytes of one number. */
  public int elementBytes() {
    return dtype.bits() / Byte.SIZE;
  }

  /** Bytes of the vector at (example, layer, token). */
  public int vectorBytes() {
    return Math.multiplyExact(dim, elementBytes());
  }

  /** Bytes of the block at (example, layer). */
  public long blockBytes() {
    return (long) tokens * dim * elementBytes();
  }

  /** Bytes of one example with all its layers. */
  public long exampleBytes() {
    return blockBytes() * layers.size();
  }

  /** Where {@code layer} stands in {@link #layers()}, -1 if it was not recorded. */
  public int layerIndex(int layer) {
    return layers.indexOf(layer);
  }

  /** The same shape of other numbers. */
  public Geometry as(DType other) {
    return new Geometry(examples, layers, tokens, dim, other);
  }

  /** The same shape of another number of examples. */
  public Geometry withExamples(long count) {
    return new Geometry(count, layers, tokens, dim, dtype);
  }

  /** The dataset as a table: a column of {@code [token, dim]} for each layer. */
  public TableShape table() {
    List<Long> block = List.of((long) tokens, (long) dim);
    List<Column> columns =
        layers.stream().map(layer -> new Column(LAYER_PREFIX + layer, dtype, block)).toList();
    return new TableShape(examples, columns, layers);
  }
}
