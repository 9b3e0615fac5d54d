package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.gather.SwappedInput;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;

/**
 * An array as activations.
 *
 * @param file the path of the file, relative to the folder of the dataset
 * @param array the name of the array in the file
 * @param layout the positions of the elements, as {@code [example, layer, token, dim]}
 * @param hasLayers whether layers are a dimension of the array
 */
record ArrayView(
    String file, String array, DType dtype, int swapUnit, StridedLayout layout, boolean hasLayers) {
  /** Rows that are longer are read element by element, which no array with such rows needs. */
  private static final long MAX_WIDTH = 1 << 24;

  private static final int MAX_SHOWN = 100;

  long size(Axis axis) {
    return layout.shape().get(axis.ordinal());
  }

  long stride(Axis axis) {
    return layout.strides().get(axis.ordinal());
  }

  /**
   * Returns the same vectors with several consecutive examples of one token as one example.
   *
   * @param tokens the number of tokens of an example
   * @param path the path of the file
   * @throws FormatException if the number of vectors is not a multiple of that
   */
  ArrayView withTokens(int tokens, String path) throws FormatException {
    ArrayError.BAD_SHAPE.check(
        size(Axis.TOKEN) == 1 && size(Axis.EXAMPLE) % tokens == 0,
        path,
        "array %s has %d examples of %d tokens (expected a multiple of %d vectors, as"
            + " --tokens-per-example says)",
        Quote.show(array, MAX_SHOWN),
        size(Axis.EXAMPLE),
        size(Axis.TOKEN),
        tokens);
    List<Long> sizes =
        List.of(size(Axis.EXAMPLE) / tokens, size(Axis.LAYER), (long) tokens, size(Axis.DIM));
    long stride = stride(Axis.EXAMPLE);
    List<Long> strides = List.of(stride * tokens, stride(Axis.LAYER), stride, stride(Axis.DIM));
    return new ArrayView(
        file,
        array,
        dtype,
        swapUnit,
        new StridedLayout(layout.offset(), layout.width(), sizes, strides),
        hasLayers);
  }

  /**
   * Returns whether blocks are contiguous and little-endian, so that they can be read in place.
   *
   * @param tokens the number of tokens of a block
   */
  boolean isDirect(int tokens) {
    long vector = size(Axis.DIM) * layout.width();
    return swapUnit == 1
        && (size(Axis.DIM) == 1 || stride(Axis.DIM) == layout.width())
        && (tokens == 1 || stride(Axis.TOKEN) == vector);
  }

  /**
   * Returns elements from an index on, in the order of some dimensions; the other dimensions are at
   * their index.
   *
   * @param first the index of the first element along each {@link Axis}
   * @param count the number of elements along each {@link Axis}
   */
  StoredElements<String> elements(long[] first, long[] count, Axis... order) {
    long offset = layout.offset();
    for (Axis axis : Axis.values()) {
      offset += first[axis.ordinal()] * stride(axis);
    }
    long width = layout.width();
    List<Long> sizes = new ArrayList<>();
    List<Long> strides = new ArrayList<>();
    for (Axis axis : order) {
      long size = count[axis.ordinal()];
      boolean isRow =
          axis == Axis.DIM && stride(axis) == layout.width() && size * width <= MAX_WIDTH;
      if (isRow) {
        width *= size;
      } else if (size != 1) {
        sizes.add(size);
        strides.add(stride(axis));
      }
    }
    if (sizes.isEmpty()) {
      sizes.add(1L);
      strides.add(width);
    }
    return new StoredElements<>(file, new StridedLayout(offset, (int) width, sizes, strides));
  }

  /**
   * Opens integers of tokens as one file of {@code [example, token]}.
   *
   * @param path the path of the file for messages
   */
  Input integers(KeptTokens.FileSource files, String path) {
    long[] all = {size(Axis.EXAMPLE), 1, size(Axis.TOKEN), 1};
    StoredElements<String> elements = elements(new long[4], all, Axis.EXAMPLE, Axis.TOKEN);
    return SwappedInput.of(
        new GatheredInput<>(path, name -> files.open(name, array), List.of(elements)), swapUnit);
  }

  /** Returns the file and the array for messages. */
  @Override
  public String toString() {
    return array.equals(ArrayFile.UNNAMED)
        ? file
        : "%s of %s".formatted(Quote.show(array, MAX_SHOWN), file);
  }
}
