package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedAxis;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.gather.SwappedInput;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;

/**
 * A view of an array as activations.
 *
 * @param file the path of the file, relative to the folder of the dataset
 * @param array the name of the array in the file
 * @param offset the offset of the first element in the file in bytes
 * @param width the size of an element in bytes
 * @param axes the positions of the elements along each {@link Axis}
 * @param tokenShape the sizes of the dimensions of the array that are examples or tokens; empty if
 *     the array is not activations
 * @param hasLayers whether layers are a dimension of the array
 */
record ArrayView(
    String file,
    String array,
    DType dtype,
    int swapUnit,
    long offset,
    int width,
    List<StridedAxis> axes,
    List<Long> tokenShape,
    boolean hasLayers) {
  /**
   * The maximum row size in bytes; longer rows, which do not occur, are read element by element.
   */
  private static final long MAX_WIDTH = 1 << 24;

  private static final int MAX_SHOWN = 100;

  ArrayView {
    axes = List.copyOf(axes);
    tokenShape = List.copyOf(tokenShape);
  }

  /** Returns this view, moved to another file if it is in file {@code from}. */
  ArrayView moved(String from, String to) {
    return file.equals(from) && !from.equals(to)
        ? new ArrayView(to, array, dtype, swapUnit, offset, width, axes, tokenShape, hasLayers)
        : this;
  }

  StridedAxis along(Axis axis) {
    return axes.get(axis.ordinal());
  }

  long size(Axis axis) {
    return along(axis).size();
  }

  /**
   * Returns the same vectors with several consecutive examples of one token as one example.
   *
   * @param tokens the number of tokens per example
   * @throws FormatException if the number of vectors is not a multiple of {@code tokens}
   */
  ArrayView withTokens(int tokens, String path) throws FormatException {
    ArrayError.BAD_SHAPE.check(
        size(Axis.TOKEN) == 1 && size(Axis.EXAMPLE) % tokens == 0,
        path,
        "array %s has %d examples of %d tokens (expected a multiple of %d vectors, as"
            + " --tokens-per-example requires)",
        Quote.show(array, MAX_SHOWN),
        size(Axis.EXAMPLE),
        size(Axis.TOKEN),
        tokens);
    Optional<StridedAxis.Split> split = along(Axis.EXAMPLE).split(tokens);
    ArrayError.BAD_SHAPE.check(
        split.isPresent(),
        path,
        "array %s has vectors that are not evenly spaced (expected --tensor with token dimensions"
            + " instead of --tokens-per-example %d)",
        Quote.show(array, MAX_SHOWN),
        tokens);
    List<StridedAxis> changed = new ArrayList<>(axes);
    changed.set(Axis.EXAMPLE.ordinal(), split.get().outer());
    changed.set(Axis.TOKEN.ordinal(), split.get().inner());
    return new ArrayView(
        file, array, dtype, swapUnit, offset, width, changed, tokenShape, hasLayers);
  }

  /**
   * Returns whether blocks are contiguous and little-endian, so that they can be read in place.
   *
   * @param tokens the number of tokens per block
   */
  boolean isDirect(int tokens) {
    StridedAxis dim = along(Axis.DIM);
    StridedAxis token = along(Axis.TOKEN);
    return swapUnit == 1
        && (dim.size() == 1 || dim.isEven() && dim.stride() == width)
        && (tokens == 1 || token.isEven() && token.stride() == dim.size() * width);
  }

  /**
   * Returns the elements from an index on, in the given order of axes: one array, or several if the
   * elements are not evenly spaced along an axis.
   *
   * @param first the index of the first element along each {@link Axis}
   * @param count the number of elements along each {@link Axis}, 1 if {@code order} lacks the axis
   * @param order the axes, with {@link Axis#DIM} last if present
   */
  List<StoredElements<String>> elements(long[] first, long[] count, Axis... order) {
    long start = offset;
    for (int axis = 0; axis < count.length; axis++) {
      start += count[axis] == 1 ? axes.get(axis).offset(first[axis]) : 0;
    }
    List<Box> boxes = List.of(new Box(start, width, List.of(), List.of()));
    for (int i = order.length - 1; i >= 0; i--) {
      int axis = order[i].ordinal();
      if (count[axis] != 1) {
        boxes = repeated(boxes, axes.get(axis), first[axis], count[axis]);
      }
      if (order[i] == Axis.DIM) {
        boxes = List.of(boxes.get(0).withRows());
      }
    }
    List<StoredElements<String>> elements = new ArrayList<>(boxes.size());
    for (Box box : boxes) {
      elements.add(
          new StoredElements<>(
              file, new StridedLayout(box.offset, box.width, box.sizes, box.strides)));
    }
    return elements;
  }

  /** Returns the boxes repeated for each element of an axis, in the order of that axis. */
  private static List<Box> repeated(List<Box> boxes, StridedAxis axis, long first, long count) {
    List<Box> all = new ArrayList<>();
    if (boxes.size() == 1) {
      for (StridedAxis.Section section : axis.sections(first, count)) {
        all.add(boxes.get(0).along(section));
      }
      return all;
    }
    for (long i = first; i < first + count; i++) {
      StridedAxis.Section one = new StridedAxis.Section(axis.offset(i), StridedAxis.ONE);
      boxes.forEach(box -> all.add(box.along(one)));
    }
    return all;
  }

  /** The {@link StridedLayout} of some elements while its dimensions are collected. */
  private record Box(long offset, int width, List<Long> sizes, List<Long> strides) {
    /** Returns the box with an axis prepended, for some elements of that axis. */
    Box along(StridedAxis.Section section) {
      return new Box(
          offset + section.offset(),
          width,
          joined(section.axis().sizes(), sizes),
          joined(section.axis().strides(), strides));
    }

    private static List<Long> joined(List<Long> outer, List<Long> inner) {
      if (outer.isEmpty() || inner.isEmpty()) {
        return outer.isEmpty() ? inner : outer;
      }
      List<Long> all = new ArrayList<>(outer);
      all.addAll(inner);
      return all;
    }

    /** Returns the box with its last dimension as one element, if the elements are adjacent. */
    Box withRows() {
      int last = sizes.size() - 1;
      return last >= 0 && strides.get(last) == width && sizes.get(last) <= MAX_WIDTH / width
          ? new Box(
              offset,
              (int) (width * sizes.get(last)),
              sizes.subList(0, last),
              strides.subList(0, last))
          : this;
    }
  }

  /**
   * Opens per-token integers as one file with the shape {@code [example, token]}.
   *
   * @param path the path of the file, for messages
   */
  Input integers(KeptTokens.FileSource files, String path) {
    long[] all = {size(Axis.EXAMPLE), 1, size(Axis.TOKEN), 1};
    return SwappedInput.of(
        new GatheredInput<>(
            path,
            name -> files.open(name, array),
            elements(new long[4], all, Axis.EXAMPLE, Axis.TOKEN)),
        swapUnit);
  }

  /** Returns the file and the array for messages. */
  @Override
  public String toString() {
    return array.equals(ArrayFile.UNNAMED)
        ? file
        : "%s of %s".formatted(Quote.show(array, MAX_SHOWN), file);
  }
}
