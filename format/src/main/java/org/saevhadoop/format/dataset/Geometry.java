package org.saevhadoop.format.dataset;

import java.util.HashSet;
import java.util.List;

/**
 * The logical shape {@code [examples, layers, tokens, dim]} of an activation dataset.
 *
 * @param examples how many examples there are
 * @param layers the layers as the model counts them, in the order in which an example stores them;
 *     none twice
 * @param tokens positions of one example, [CLS] included where there is one
 * @param dim floats in one vector
 */
public record Geometry(long examples, List<Integer> layers, int tokens, int dim) {
  /** Bytes of one element: everything that moves is float32. */
  public static final int ELEMENT_BYTES = Float.BYTES;

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
    long example =
        Math.multiplyExact(Math.multiplyExact((long) tokens * dim, ELEMENT_BYTES), layers.size());
    Math.multiplyExact(example, Math.max(1, examples));
  }

  /** Bytes of the vector at (example, layer, token). */
  public int vectorBytes() {
    return Math.multiplyExact(dim, ELEMENT_BYTES);
  }

  /** Bytes of the block at (example, layer). */
  public long blockBytes() {
    return (long) tokens * dim * ELEMENT_BYTES;
  }

  /** Bytes of one example with all its layers. */
  public long exampleBytes() {
    return blockBytes() * layers.size();
  }

  /** Where {@code layer} stands in {@link #layers()}, -1 if it was not recorded. */
  public int layerIndex(int layer) {
    return layers.indexOf(layer);
  }
}
