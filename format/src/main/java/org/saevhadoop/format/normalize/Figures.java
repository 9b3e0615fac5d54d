package org.saevhadoop.format.normalize;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.io.FormatException;

/**
 * The statistics in a file, by layer.
 *
 * @param path the path of the file, for messages
 * @param layers the statistics by layer number
 * @param only whether there is a single layer without a number, whose key is 0
 */
record Figures(String path, SortedMap<Integer, LayerFigures> layers, boolean only) {
  public Figures {
    layers = Collections.unmodifiableSortedMap(new TreeMap<>(layers));
  }

  /** Returns the statistics of a layer whose number the file does not state. */
  public static Figures ofOnly(String path, LayerFigures figures) {
    return new Figures(path, new TreeMap<>(Map.of(0, figures)), true);
  }

  /**
   * Returns the statistics of a layer.
   *
   * @param all the layers of the dataset
   * @throws FormatException if the file has no statistics for the layer
   */
  LayerFigures of(int layer, List<Integer> all) throws FormatException {
    NormalizeError.NO_STATISTICS.check(
        !only || all.size() == 1,
        path,
        "has statistics of one layer, without its number, and the layers are %s (expected --layers"
            + " with one of them)",
        all);
    LayerFigures figures = layers.get(only ? 0 : layer);
    if (figures == null && all.stream().noneMatch(layers::containsKey)) {
      throw NormalizeError.NO_STATISTICS.in(
          path,
          "has statistics of the layers %s, but none of layer %d (expected statistics of a dataset"
              + " with layer %d)",
          layers.keySet(),
          layer,
          layer);
    }
    if (figures == null) {
      throw NormalizeError.NO_STATISTICS.in(
          path,
          "has statistics of the layers %s, but none of layer %d (expected --layers with some of"
              + " them)",
          layers.keySet(),
          layer);
    }
    return figures;
  }
}
