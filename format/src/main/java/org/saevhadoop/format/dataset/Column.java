package org.saevhadoop.format.dataset;

import java.util.List;
import org.saevhadoop.format.tensor.DType;

/**
 * What each example of a dataset has of one kind: a block of activations, or any other tensor.
 *
 * @param name the column's name
 * @param dtype the type of its elements
 * @param shape elements of one example per dimension, the slowest first; empty for a single number
 */
public record Column(String name, DType dtype, List<Long> shape) {
  public Column {
    shape = List.copyOf(shape);
    long bits = dtype.bits();
    for (long size : shape) {
      if (size < 0) {
        throw new IllegalArgumentException("column " + name + " has the shape " + shape);
      }
      bits = Math.multiplyExact(bits, size);
    }
    if (bits % Byte.SIZE != 0) {
      throw new IllegalArgumentException(
          "an example of column %s, %s %s, does not end at a byte".formatted(name, dtype, shape));
    }
  }

  /** Bytes of one example. */
  public long bytes() {
    return elements() * dtype.bits() / Byte.SIZE;
  }

  /** Elements of one example. */
  public long elements() {
    long elements = 1;
    for (long size : shape) {
      elements *= size;
    }
    return elements;
  }

  /** The same column of other elements. */
  public Column as(DType other) {
    return new Column(name, other, shape);
  }

  @Override
  public String toString() {
    return name + " " + dtype + shape;
  }
}
