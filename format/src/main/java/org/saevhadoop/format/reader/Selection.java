package org.saevhadoop.format.reader;

import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;

/**
 * Which blocks a reader asks for, in which order, and what it calls one record.
 *
 * @param order the layers asked for and their order
 * @param firstToken the first token asked for
 * @param tokens how many tokens are asked for, from the first on
 * @param group with {@link BlockOrder#byLayer()}, the examples that are read layer by layer before
 *     the next ones: groups begin at multiples of this number
 * @param unit what one record is
 */
public record Selection(BlockOrder order, int firstToken, int tokens, long group, Unit unit) {
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
    if (tokens < 1 || group < 1 || order.layerIndexes().isEmpty()) {
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

  /** Bytes of one record. */
  public long recordBytes(Geometry geometry) {
    long vector = geometry.vectorBytes();
    return switch (unit) {
      case VECTOR -> vector;
      case BLOCK -> vector * tokens;
      case EXAMPLE -> vector * tokens * order.layerIndexes().size();
    };
  }
}
