package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.columns.ActivationColumns;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * Interpretation of the arrays whose names match a pattern.
 *
 * @param axes the dimensions of an array, in its order
 * @param layers the numbers of the layers along the layer dimension, or of the only layer; empty
 *     for 0, 1, 2, ..., or if the name has the number
 */
public record ArrayMapping(NamePattern name, List<Axis> axes, List<Integer> layers) {
  private static final String EXPECTED =
      "expected NAME=AXES, with dim and any of example, layer and token in the order of the array;"
          + " layer:13 or layer:10+11 gives the numbers of its layers";

  private static final int MAX_SHOWN = 100;

  public ArrayMapping {
    axes = List.copyOf(axes);
    layers = List.copyOf(layers);
  }

  /**
   * Parses {@code PATTERN=example,layer,token,dim}: the dimensions in the order of the array, of
   * which only {@code dim} is required.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static ArrayMapping parse(String text) {
    int cut = text.lastIndexOf('=');
    if (cut < 1) {
      throw refused(text);
    }
    List<Axis> axes = new ArrayList<>();
    List<Integer> layers = List.of();
    for (String part : text.substring(cut + 1).split(",", -1)) {
      String[] word = part.strip().split(":", 2);
      try {
        axes.add(Axis.valueOf(word[0].toUpperCase(Locale.ROOT)));
        if (word.length == 2) {
          layers = Arrays.stream(word[1].split("\\+", -1)).map(Integer::valueOf).toList();
        }
      } catch (IllegalArgumentException e) {
        throw (IllegalArgumentException) refused(text).initCause(e);
      }
      if (word.length == 2 && axes.get(axes.size() - 1) != Axis.LAYER) {
        throw refused(text);
      }
    }
    if (!axes.contains(Axis.DIM) || EnumSet.copyOf(axes).size() < axes.size()) {
      throw refused(text);
    }
    return new ArrayMapping(NamePattern.parse(text.substring(0, cut)), axes, layers);
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException("\"%s\" (%s)".formatted(text, EXPECTED));
  }

  /** Returns whether examples are a dimension of the arrays. */
  boolean hasExamples() {
    return axes.contains(Axis.EXAMPLE);
  }

  /** Returns the shape that an array of one value for each token of activations has. */
  List<Long> tokenShape(ArrayView activations) {
    return axes.stream()
        .filter(axis -> axis == Axis.EXAMPLE || axis == Axis.TOKEN)
        .map(activations::size)
        .toList();
  }

  /**
   * Returns an array of one value for each token as {@code [example, 1, token, 1]}; empty if it has
   * another shape than the tokens of the activations. Dimensions of the size 1 do not count.
   *
   * @param activations an array that {@link #view} returned
   */
  Optional<ArrayView> tokenView(ArrayView activations, FileArray array) {
    List<Long> sizes = array.shape().stream().filter(size -> size != 1).toList();
    if (array.shape().isEmpty()
        || !sizes.equals(tokenShape(activations).stream().filter(size -> size != 1).toList())) {
      return Optional.empty();
    }
    List<Long> strides = new ArrayList<>();
    for (int i = 0; i < array.shape().size(); i++) {
      if (array.shape().get(i) != 1) {
        strides.add(array.layout().strides().get(i));
      }
    }
    Long[] size = {1L, 1L, 1L, 1L};
    Long[] stride = {0L, 0L, 0L, 0L};
    for (Axis axis : axes) {
      boolean isOne = activations.size(axis) == 1;
      if (!isOne && (axis == Axis.EXAMPLE || axis == Axis.TOKEN)) {
        size[axis.ordinal()] = activations.size(axis);
        stride[axis.ordinal()] = strides.remove(0);
      }
    }
    StridedLayout layout = array.layout();
    return Optional.of(
        new ArrayView(
            array.companion().isEmpty() ? activations.file() : array.companion(),
            array.name(),
            array.dtype(),
            array.swapUnit(),
            new StridedLayout(layout.offset(), layout.width(), List.of(size), List.of(stride)),
            false));
  }

  /**
   * Returns an array as {@code [example, layer, token, dim]}.
   *
   * @param path the path of the file
   * @throws FormatException if the array has another number of dimensions, or no layers or dims
   */
  ArrayView view(String path, String file, FileArray array) throws FormatException {
    List<Axis> found = new ArrayList<>(axes);
    if (layers.size() == 1 && array.shape().size() == axes.size() - 1) {
      found.remove(Axis.LAYER); // layer:13 of an array that is one layer
    }
    ArrayError.BAD_SHAPE.check(
        array.shape().size() == found.size(),
        path,
        "array %s has the shape %s (expected %s)",
        Quote.show(array.name(), MAX_SHOWN),
        array.shape(),
        found);
    Long[] sizes = {1L, 1L, 1L, 1L};
    Long[] strides = {0L, 0L, 0L, 0L};
    for (int i = 0; i < found.size(); i++) {
      sizes[found.get(i).ordinal()] = array.shape().get(i);
      strides[found.get(i).ordinal()] = array.layout().strides().get(i);
    }
    long layerCount = sizes[Axis.LAYER.ordinal()];
    // whether examples of no tokens are read is decided by the lengths of all examples
    Geometry.checkSizes(
        path, array.name(), array.shape(), layerCount, 1, sizes[Axis.DIM.ordinal()]);
    ArrayError.BAD_SHAPE.check(
        layerCount <= ActivationColumns.MAX_LAYERS,
        path,
        "array %s has %d layers (expected at most %d)",
        Quote.show(array.name(), MAX_SHOWN),
        layerCount,
        ActivationColumns.MAX_LAYERS);
    StridedLayout layout = array.layout();
    return new ArrayView(
        file,
        array.name(),
        array.dtype(),
        array.swapUnit(),
        new StridedLayout(layout.offset(), layout.width(), List.of(sizes), List.of(strides)),
        found.contains(Axis.LAYER));
  }
}
