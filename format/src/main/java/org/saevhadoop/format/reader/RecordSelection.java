package org.saevhadoop.format.reader;

import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;

/**
 * Which columns a reader asks for, in which order, and what it calls one record. A part of the
 * examples or tokens is a dataset of its own, a projection.
 *
 * @param order the columns asked for and their order
 * @param group with {@link BlockOrder#byLayer()}, the examples that are read layer by layer before
 *     the next ones: groups begin at multiples of this number
 * @param unit what one record is
 */
public record RecordSelection(BlockOrder order, long group, Unit unit) {
  /** What a record holds. */
  public enum Unit {
    /** {@code [layer, token, dim]} */
    EXAMPLE,
    /** {@code [token, dim]} */
    BLOCK,
    /** {@code [dim]} */
    VECTOR
  }

  public RecordSelection {
    if (unit == Unit.EXAMPLE && order.byLayer()) {
      throw new IllegalArgumentException("records of whole examples cannot be read layer by layer");
    }
    if (group < 1 || order.columns().isEmpty()) {
      throw new IllegalArgumentException("nothing is selected");
    }
  }

  /** Everything, by example. */
  public static RecordSelection all(Geometry geometry, Unit unit) {
    return new RecordSelection(BlockOrder.byExample(geometry), Long.MAX_VALUE, unit);
  }

  /** The blocks of the order's columns, a block a record. */
  public static RecordSelection blocks(BlockOrder order, long group) {
    return new RecordSelection(order, group, Unit.BLOCK);
  }

  /** Bytes that are read of an example. */
  public long exampleBytes(TableShape table) {
    return order.columns().stream().mapToLong(table::blockBytes).sum();
  }
}
