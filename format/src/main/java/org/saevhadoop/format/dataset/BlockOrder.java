package org.saevhadoop.format.dataset;

import java.util.List;
import java.util.stream.IntStream;
import org.saevhadoop.format.api.PublicApi;

/**
 * Order of the blocks in a group of examples.
 *
 * @param byLayer false for (example, layer), the order of SAEV; true for (layer, example), the
 *     order of a safetensors file with one tensor per layer
 * @param columns the order of the columns, as indexes into {@link TableShape#columns()}
 */
@PublicApi
public record BlockOrder(boolean byLayer, List<Integer> columns) {
  public BlockOrder {
    columns = List.copyOf(columns);
  }

  /** Returns the order (example, column), with the columns in table order. */
  public static BlockOrder byExample(TableShape table) {
    return new BlockOrder(false, IntStream.range(0, table.columns().size()).boxed().toList());
  }

  /** Returns the order (column, example), with the columns in table order. */
  public static BlockOrder byColumn(TableShape table) {
    return new BlockOrder(true, byExample(table).columns);
  }

  /** Returns the position of a block within a group of {@code examples}. */
  public long ordinal(long indexInGroup, int column, long examples) {
    boolean isOfTable = columns.get(column) == column; // always so in writing
    int rank = isOfTable ? column : columns.indexOf(column);
    return byLayer ? rank * examples + indexInGroup : indexInGroup * columns.size() + rank;
  }

  /** Returns the index, within its group, of the example at an {@link #ordinal}. */
  public long indexInGroup(long ordinal, long examples) {
    return byLayer ? ordinal % examples : ordinal / columns.size();
  }

  /** Returns the index, within the table, of the column at an {@link #ordinal}. */
  public int column(long ordinal, long examples) {
    return columns.get((int) (byLayer ? ordinal / examples : ordinal % columns.size()));
  }
}
