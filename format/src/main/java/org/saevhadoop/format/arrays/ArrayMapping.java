package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.gather.StridedAxis;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * The interpretation of the arrays whose names match a pattern.
 *
 * @param dimensions the dimensions of an array, in order; dimensions of the same axis are joined,
 *     in C order
 * @param layers the numbers of the layers along the layer axis, or of the only layer; empty for 0,
 *     1, 2, ..., or if the name contains the number
 */
public record ArrayMapping(NamePattern name, List<Dimension> dimensions, List<Integer> layers) {
  /**
   * A dimension of an array.
   *
   * @param axis null if only one index is read
   * @param word the name in the user's option
   * @param index the index that is read if there is no axis; a negative index counts from the end
   */
  public record Dimension(@Nullable Axis axis, String word, long index) {
    private static Dimension along(Axis axis) {
      return new Dimension(axis, axis.toString(), 0);
    }
  }

  private static final String EXPECTED =
      "expected NAME=AXES, with dim and any of example, layer and token in the order of the"
          + " array, repeated if several dimensions form one; layer:13 or layer:10+11 sets the"
          + " numbers of its layers, and WORD:0 is the index to read of any other dimension";

  private static final Pattern ONE_INDEX = Pattern.compile("([a-z][a-z0-9_]*):(-?[0-9]{1,18})");

  private static final int MAX_SHOWN = 100;

  public ArrayMapping {
    dimensions = List.copyOf(dimensions);
    layers = List.copyOf(layers);
  }

  /** Returns a mapping without layer numbers. */
  static ArrayMapping of(NamePattern name, List<Axis> axes) {
    return of(name, axes, List.of());
  }

  /** Returns a mapping of arrays in which each dimension is an axis of its own. */
  public static ArrayMapping of(NamePattern name, List<Axis> axes, List<Integer> layers) {
    return new ArrayMapping(name, axes.stream().map(Dimension::along).toList(), layers);
  }

  /**
   * Parses {@code PATTERN=example,layer,token,dim}: the dimensions in the order of the array; only
   * {@code dim} is required. Repeated words join dimensions; {@code hook:0} reads one index of a
   * dimension that is not an axis.
   *
   * @throws IllegalArgumentException if the text does not have this form
   */
  public static ArrayMapping parse(String text) {
    int cut = text.lastIndexOf('=');
    if (cut < 1) {
      throw refused(text);
    }
    List<Dimension> dimensions = new ArrayList<>();
    List<Integer> layers = List.of();
    for (String part : text.substring(cut + 1).split(",", -1)) {
      String[] word = part.strip().split(":", 2);
      Dimension dimension = dimension(part.strip(), word[0]).orElseThrow(() -> refused(text));
      dimensions.add(dimension);
      if (dimension.axis != null && word.length == 2) {
        if (dimension.axis != Axis.LAYER || !layers.isEmpty()) {
          throw refused(text);
        }
        layers = numbers(text, word[1]);
      }
    }
    ArrayMapping mapping =
        new ArrayMapping(NamePattern.ofArrays(text.substring(0, cut)), dimensions, layers);
    if (!mapping.axes().contains(Axis.DIM)) {
      throw refused(text);
    }
    return mapping;
  }

  private static Optional<Dimension> dimension(String part, String word) {
    Optional<Axis> axis =
        Stream.of(Axis.values()).filter(a -> a.toString().equalsIgnoreCase(word)).findFirst();
    Matcher index = ONE_INDEX.matcher(part);
    return axis.isEmpty() && index.matches()
        ? Optional.of(new Dimension(null, word, Long.parseLong(index.group(2))))
        : axis.map(Dimension::along);
  }

  private static List<Integer> numbers(String text, String list) {
    try {
      return Arrays.stream(list.split("\\+", -1)).map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw (IllegalArgumentException) refused(text).initCause(e);
    }
  }

  /**
   * Returns whether this mapping names one array whose dimensions are in the order of blocks:
   * {@code example,layer,token,dim}, where {@code layer} and {@code token} are optional.
   */
  public boolean isInBlockOrder() {
    List<Axis> ascending = axes().stream().sorted().toList();
    return name.parts().isEmpty()
        && isPlain()
        && ascending.contains(Axis.EXAMPLE)
        && axes().equals(ascending);
  }

  /**
   * Returns the axes of the dimensions of an array. A layer that only has a number, as in {@code
   * layer:13}, does not have to be a dimension.
   *
   * @param rank the number of dimensions of the array
   */
  public List<Axis> axes(int rank) {
    return dimensions(rank).stream().map(Dimension::axis).filter(Objects::nonNull).toList();
  }

  private List<Dimension> dimensions(int rank) {
    List<Dimension> found = new ArrayList<>(dimensions);
    if (layers.size() == 1 && rank == dimensions.size() - 1) {
      found.remove(Dimension.along(Axis.LAYER)); // layer:13 of an array that is one layer
    }
    return found;
  }

  private static IllegalArgumentException refused(String text) {
    int cut = text.lastIndexOf('=');
    List<String> meant =
        Stream.of(text.substring(cut + 1).split(",", -1))
            .flatMap(word -> Axis.meant(word.strip()).stream())
            .map(Axis::toString)
            .toList();
    boolean isComplete =
        meant.size() > 1
            && meant.size() == text.split(",", -1).length
            && meant.contains(Axis.DIM.toString());
    String expected =
        isComplete
            ? "expected %s=%s"
                .formatted(cut < 1 ? "NAME" : text.substring(0, cut), String.join(",", meant))
            : EXPECTED;
    return new IllegalArgumentException("\"%s\" (%s)".formatted(text, expected));
  }

  /** Returns the axes, each once, in the order of the array. */
  public List<Axis> axes() {
    return dimensions.stream().map(Dimension::axis).filter(Objects::nonNull).distinct().toList();
  }

  /** Returns whether each dimension is an axis of its own. */
  public boolean isPlain() {
    return axes().size() == dimensions.size();
  }

  /**
   * Returns whether sizes match an axis, as one dimension or as the dimensions of the activations.
   *
   * @param sizes the sizes of dimensions, except for sizes of 1
   */
  boolean isAlong(Axis axis, ArrayView activations, List<Long> sizes) {
    List<Long> own = new ArrayList<>();
    List<Axis> axes = tokenAxes(activations, own);
    List<Long> along = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      if (axes.get(i) == axis) {
        along.add(own.get(i));
      }
    }
    return sizes.equals(List.of(activations.size(axis))) || sizes.equals(along);
  }

  /**
   * Returns the axis of each example or token dimension whose size is not 1.
   *
   * @param sizes accepts the sizes of these dimensions
   */
  private List<Axis> tokenAxes(ArrayView activations, List<Long> sizes) {
    List<Axis> axes = new ArrayList<>();
    int at = 0;
    for (Dimension dimension : dimensions) {
      if (dimension.axis == Axis.EXAMPLE || dimension.axis == Axis.TOKEN) {
        long size = activations.tokenShape().get(at++);
        if (size != 1) {
          axes.add(dimension.axis);
          sizes.add(size);
        }
      }
    }
    return axes;
  }

  /**
   * Returns an array with one value for each token as {@code [example, 1, token, 1]}; empty if its
   * shape does not match the tokens of the activations. Dimensions of size 1 are ignored, and
   * dimensions that the mapping joins can be a single dimension of the array.
   *
   * @param activations an array that {@link #view} returned
   */
  Optional<ArrayView> tokenView(ArrayView activations, FileArray array) {
    List<Long> sizes = new ArrayList<>();
    List<Long> strides = new ArrayList<>();
    for (int i = 0; i < array.shape().size(); i++) {
      if (array.shape().get(i) != 1) {
        sizes.add(array.shape().get(i));
        strides.add(array.layout().strides().get(i));
      }
    }
    Optional<List<Axis>> axes = matched(activations, sizes);
    if (array.shape().isEmpty() || axes.isEmpty()) {
      return Optional.empty();
    }
    Positions positions = new Positions();
    for (int i = 0; i < sizes.size(); i++) {
      positions.add(axes.get().get(i), sizes.get(i), strides.get(i));
    }
    return Optional.of(
        new ArrayView(
            array.companion().isEmpty() ? activations.file() : array.companion(),
            array.name(),
            array.dtype(),
            array.swapUnit(),
            array.layout().offset(),
            array.layout().width(),
            positions.axes(),
            List.of(),
            false));
  }

  /**
   * Returns the axis of each dimension of an array with one value for each token, given the sizes
   * other than 1; empty if they do not match the tokens.
   */
  private Optional<List<Axis>> matched(ArrayView activations, List<Long> sizes) {
    List<Long> own = new ArrayList<>();
    List<Axis> axes = tokenAxes(activations, own);
    List<Axis> matched = new ArrayList<>();
    int end;
    for (int i = 0; i < axes.size(); i = end) {
      Axis axis = axes.get(i);
      end = i + 1;
      while (end < axes.size() && axes.get(end) == axis) {
        end++;
      }
      List<Long> left = sizes.subList(matched.size(), sizes.size());
      List<Long> run = own.subList(i, end);
      boolean isWhole = Collections.frequency(axes, axis) == run.size();
      if (left.size() >= run.size() && left.subList(0, run.size()).equals(run)) {
        matched.addAll(Collections.nCopies(run.size(), axis));
      } else if (isWhole && !left.isEmpty() && left.get(0) == activations.size(axis)) {
        matched.add(axis);
      } else {
        return Optional.empty();
      }
    }
    return matched.size() == sizes.size() ? Optional.of(matched) : Optional.empty();
  }

  /**
   * Returns an array as {@code [example, layer, token, dim]}.
   *
   * @throws FormatException if the array has the wrong number of dimensions, has no layers or dims,
   *     or lacks an index
   */
  ArrayView view(String path, String file, FileArray array) throws FormatException {
    List<Dimension> found = found(path, array);
    long offset = array.layout().offset();
    List<Long> tokenShape = new ArrayList<>();
    Positions positions = new Positions();
    for (int i = 0; i < found.size(); i++) {
      Axis axis = found.get(i).axis;
      long size = array.shape().get(i);
      long stride = array.layout().strides().get(i);
      if (axis == null) {
        offset += index(path, array, i, found.get(i)) * stride;
      } else {
        positions.add(axis, size, stride);
      }
      if (axis == Axis.EXAMPLE || axis == Axis.TOKEN) {
        tokenShape.add(size);
      }
    }
    List<StridedAxis> axes = axes(path, array, positions);
    long layerCount = axes.get(Axis.LAYER.ordinal()).size();
    // the lengths of all examples decide whether examples without tokens are read
    Geometry.checkSizes(
        path, array.name(), array.shape(), layerCount, 1, axes.get(Axis.DIM.ordinal()).size());
    ArrayError.BAD_SHAPE.check(
        layerCount <= Geometry.MAX_LAYERS,
        path,
        "array %s has %d layers (expected at most %d)",
        Quote.show(array.name(), MAX_SHOWN),
        layerCount,
        Geometry.MAX_LAYERS);
    return new ArrayView(
        file,
        array.name(),
        array.dtype(),
        array.swapUnit(),
        offset,
        array.layout().width(),
        axes,
        tokenShape,
        found.stream().anyMatch(dimension -> dimension.axis == Axis.LAYER));
  }

  /** Returns the dimensions of an array; the dimension of a single layer can be missing. */
  private List<Dimension> found(String path, FileArray array) throws FormatException {
    List<Dimension> found = dimensions(array.shape().size());
    ArrayError.BAD_SHAPE.check(
        array.shape().size() == found.size(),
        path,
        "array %s has the shape %s (expected %s)",
        Quote.show(array.name(), MAX_SHOWN),
        array.shape(),
        found.stream().map(Dimension::word).toList());
    return found;
  }

  private static long index(String path, FileArray array, int at, Dimension dimension)
      throws FormatException {
    long size = array.shape().get(at);
    ArrayError.BAD_SHAPE.check(
        -size <= dimension.index && dimension.index < size,
        path,
        "array %s of shape %s has no index %d in the dimension %s (expected %s)",
        Quote.show(array.name(), MAX_SHOWN),
        array.shape(),
        dimension.index,
        dimension.word,
        size == 0 ? "a size of 1 or more" : "%d to %d".formatted(-size, size - 1));
    return dimension.index < 0 ? dimension.index + size : dimension.index;
  }

  private static List<StridedAxis> axes(String path, FileArray array, Positions positions)
      throws FormatException {
    try {
      return positions.axes();
    } catch (ArithmeticException e) {
      throw ArrayError.BAD_SHAPE
          .in(
              path,
              "array %s of shape %s is too large for one axis (expected fewer than 2^63 elements)",
              Quote.show(array.name(), MAX_SHOWN),
              array.shape())
          .causedBy(e);
    }
  }

  /** The dimensions of an array, grouped by axis. */
  private static final class Positions {
    private final Map<Axis, List<Long>> sizes = new EnumMap<>(Axis.class);
    private final Map<Axis, List<Long>> strides = new EnumMap<>(Axis.class);

    void add(Axis axis, long size, long stride) {
      sizes.computeIfAbsent(axis, key -> new ArrayList<>()).add(size);
      strides.computeIfAbsent(axis, key -> new ArrayList<>()).add(stride);
    }

    List<StridedAxis> axes() {
      return Stream.of(Axis.values())
          .map(
              axis ->
                  new StridedAxis(
                      sizes.getOrDefault(axis, List.of()), strides.getOrDefault(axis, List.of())))
          .toList();
    }
  }
}
