package org.saevhadoop.format.reader;

import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Table;

/**
 * Which blocks a reader asks for, in which order, and what it calls one record.
 *
 * @param order the layers asked for and their order
 * @param firstToken the first token asked for
 * @param tokens how many tokens are asked for, from the first on; {@link #WHOLE} for whole blocks,
 *     whatever is in them
 * @param group with {@link BlockOrder#byLayer()}, the examples that are read layer by layer before
 *     the next ones: groups begin at multiples of this number
 * @param unit what one record is
 */
public record Selection(BlockOrder order, int firstToken, int tokens, long group, Unit unit) {
  /** As a number of tokens: blocks are not looked into. */
  public static final int WHOLE = 0;

  /** What a record holds. */
  public enum Unit {
    /** {@code [layer, token, dim]} */
    EXAMPLE,
    /** {@code [token, dim]} */
    BLOCK,
    /** {@code [dim]} */
    VECTOR
  }

  public Selection {
    if (unit == Unit.EXAMPLE && order.byLayer()) {
      throw new IllegalArgumentException(
          "records of whole examples can not be read layer by layer");
    }
    if (tokens < 0 || tokens == WHOLE && (firstToken != 0 || unit == Unit.VECTOR)) {
      throw new IllegalArgumentException("no tokens are selected");
    }
    if (group < 1 || order.layerIndexes().isEmpty()) {
      throw new IllegalArgumentException("nothing is selected");
    }
  }

  /** Everything, by example. */
  public static Selection all(Geometry geometry, Unit unit) {
    return new Selection(
        BlockOrder.byExample(geometry), 0, geometry.tokens(), Long.MAX_VALUE, unit);
  }

  /** All tokens of the order's blocks, a block a record. */
  public static Selection blocks(Geometry geometry, BlockOrder order, long group) {
    return new Selection(order, 0, geometry.tokens(), group, Unit.BLOCK);
  }

  /** Whole blocks of the order's columns. */
  public static Selection whole(BlockOrder order, long group, Unit unit) {
    return new Selection(order, 0, WHOLE, group, unit);
  }

  /** Bytes that are read of a block. */
  public long blockBytes(Table table, int column) {
    long bytes = table.blockBytes(column);
    return tokens == WHOLE ? bytes : bytes / tokensOf(table, column) * tokens;
  }

  /** Bytes of a vector, where tokens are selected. */
  long vectorBytes(Table table) {
    int column = order.layerIndexes().get(0);
    return table.blockBytes(column) / tokensOf(table, column);
  }

  /** Bytes that are read of an example. */
  public long exampleBytes(Table table) {
    return order.layerIndexes().stream().mapToLong(column -> blockBytes(table, column)).sum();
  }

  private static long tokensOf(Table table, int column) {
    return table.columns().get(column).shape().get(0);
  }
}
