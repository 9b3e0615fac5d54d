package org.saevhadoop.format.dataset;

import java.util.List;
import java.util.stream.IntStream;

/**
 * In which order the blocks of a group of examples follow one another.
 *
 * @param byLayer false: (example, layer), as SAEV stores them; true: (layer, example), as a
 *     safetensors file with one tensor a layer does
 * @param layerIndexes the layers, as indexes into {@link Geometry#layers()}, in their order
 */
public record BlockOrder(boolean byLayer, List<Integer> layerIndexes) {
  public BlockOrder {
    layerIndexes = List.copyOf(layerIndexes);
  }

  /** (example, layer), all layers as the geometry lists them. */
  public static BlockOrder byExample(Geometry geometry) {
    return new BlockOrder(false, IntStream.range(0, geometry.layers().size()).boxed().toList());
  }

  /** (example, column), all columns as the table lists them. */
  public static BlockOrder byExample(Table table) {
    return new BlockOrder(false, IntStream.range(0, table.columns().size()).boxed().toList());
  }

  /** The place of a block among the blocks of a group of {@code examples}. */
  public long ordinal(long indexInGroup, int layerIndex, long examples) {
    int layerPlace = layerIndexes.indexOf(layerIndex);
    return byLayer
        ? layerPlace * examples + indexInGroup
        : indexInGroup * layerIndexes.size() + layerPlace;
  }

  /** The inverse of {@link #ordinal}: the example's index in its group. */
  public long indexInGroup(long ordinal, long examples) {
    return byLayer ? ordinal % examples : ordinal / layerIndexes.size();
  }

  /** The inverse of {@link #ordinal}: the layer's index in the geometry. */
  public int layerIndex(long ordinal, long examples) {
    return layerIndexes.get((int) (byLayer ? ordinal / examples : ordinal % layerIndexes.size()));
  }
}
