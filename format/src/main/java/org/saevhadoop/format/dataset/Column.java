package org.saevhadoop.format.dataset;

import java.util.List;
import java.util.regex.Pattern;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.tensor.DType;

/**
 * Column of a table: one tensor per example, such as a block of activations.
 *
 * @param shape the shape of one example's tensor, slowest dimension first; empty for a scalar
 */
@PublicApi
public record Column(String name, DType dtype, List<Long> shape) {
  /** Name of the column that contains all layers. */
  public static final String ACTS = "acts";

  /** Name of the column of the patch labels. */
  public static final String LABELS = "labels";

  /** The name pattern of a layer column; the group captures the layer number. */
  public static final Pattern LAYER = Pattern.compile(Geometry.LAYER_PREFIX + "(-?\\d{1,10})");

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

  /** Returns whether the name of a column denotes a layer or all layers. */
  public static boolean isActivations(String name) {
    return name.equals(ACTS) || LAYER.matcher(name).matches();
  }

  /** Returns the size in bytes of one example's tensor. */
  public long bytes() {
    return elements() * dtype.bits() / Byte.SIZE;
  }

  /** Returns the number of elements in one example's tensor. */
  public long elements() {
    long elements = 1;
    for (long size : shape) {
      elements *= size;
    }
    return elements;
  }

  /** Returns a column with the same name and shape but a different element type. */
  public Column as(DType other) {
    return new Column(name, other, shape);
  }

  @Override
  public String toString() {
    return name + " " + dtype + shape;
  }
}
