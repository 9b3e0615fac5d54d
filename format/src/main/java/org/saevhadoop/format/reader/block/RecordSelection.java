package org.saevhadoop.format.reader.block;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.permutation.ExampleSample;

/**
 * Columns to be read, their order, the unit of a record, and a sample of the examples. Any other
 * subset of the examples or tokens is a separate dataset, a projection.
 *
 * @param order the columns to be read and the order of their blocks
 * @param group for {@link BlockOrder#byLayer()}, the number of examples in a group, which is read
 *     layer by layer; groups begin at multiples of this number, whether or not all of their
 *     examples are read
 * @param sample the examples to be read; null for all
 */
public record RecordSelection(
    BlockOrder order, long group, Unit unit, @Nullable ExampleSample sample) {
  /** Content of a record. */
  public enum Unit {
    /** An example: {@code [layer, token, dim]}. */
    EXAMPLE,
    /** A block: {@code [token, dim]}. */
    BLOCK,
    /** A vector: {@code [dim]}. */
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

  /** Creates a selection of records of all examples. */
  public RecordSelection(BlockOrder order, long group, Unit unit) {
    this(order, group, unit, null);
  }

  /** Returns the selection of the whole dataset, example by example. */
  public static RecordSelection all(Geometry geometry, Unit unit) {
    return new RecordSelection(BlockOrder.byExample(geometry.table()), Long.MAX_VALUE, unit);
  }

  /** Returns the selection of the blocks of the columns in {@code order}, one block per record. */
  public static RecordSelection blocks(BlockOrder order, long group) {
    return new RecordSelection(order, group, Unit.BLOCK);
  }

  /** Returns a selection of the same records in example-by-example order. */
  RecordSelection byExample() {
    return new RecordSelection(new BlockOrder(false, order.columns()), group, unit, sample);
  }

  /** Returns the number of examples to be read in a range of examples. */
  public long examplesIn(long first, long count) {
    return sample == null ? count : sample.rank(first + count) - sample.rank(first);
  }

  /** Returns the number of bytes to be read per example. */
  public long exampleBytes(TableShape table) {
    return order.columns().stream().mapToLong(table::blockBytes).sum();
  }
}
