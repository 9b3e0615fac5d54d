package org.saevhadoop.format.dataset;

import java.util.List;
import java.util.stream.IntStream;

/**
 * In which order the blocks of a group of examples follow one another.
 *
 * @param byLayer false: (example, layer), as SAEV stores them; true: (layer, example), as a
 *     safetensors file with one tensor a layer does
 * @param columns the columns, as indexes into {@link TableShape#columns()}, in their order
 */
public record BlockOrder(boolean byLayer, List<Integer> columns) {
  public BlockOrder {
    columns = List.copyOf(columns);
  }

  /** (example, layer), all layers as the geometry lists them. */
  public static BlockOrder byExample(Geometry geometry) {
    return new BlockOrder(false, IntStream.range(0, geometry.layers().size()).boxed().toList());
  }

  /** (example, column), all columns as the table lists them. */
  public static BlockOrder byExample(TableShape table) {
    return new BlockOrder(false, IntStream.range(0, table.columns().size()).boxed().toList());
  }

  /** The place of a block among the blocks of a group of {@code examples}. */
  public long ordinal(long indexInGroup, int column, long examples) {
    int place = columns.indexOf(column);
    return byLayer ? place * examples + indexInGroup : indexInGroup * columns.size() + place;
  }

  /** The inverse of {@link #ordinal}: the example's index in its group. */
  public long indexInGroup(long ordinal, long examples) {
    return byLayer ? ordinal % examples : ordinal / columns.size();
  }

  /** The inverse of {@link #ordinal}: the column's index in the table. */
  public int column(long ordinal, long examples) {
    return columns.get((int) (byLayer ? ordinal / examples : ordinal % columns.size()));
  }
}
