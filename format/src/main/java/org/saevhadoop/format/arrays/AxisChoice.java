package org.saevhadoop.format.arrays;

import static org.saevhadoop.format.arrays.Axis.DIM;
import static org.saevhadoop.format.arrays.Axis.EXAMPLE;
import static org.saevhadoop.format.arrays.Axis.LAYER;
import static org.saevhadoop.format.arrays.Axis.TOKEN;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.io.Quote;

/**
 * The dimensions that an array of activations may have, by its rank. If the file also has token
 * ids, their dimensions must be among these, with the same sizes.
 */
public final class AxisChoice {
  private static final List<List<Axis>> WITHOUT_IDS =
      List.of(
          List.of(EXAMPLE, DIM), List.of(EXAMPLE, TOKEN, DIM), List.of(EXAMPLE, LAYER, TOKEN, DIM));

  private static final List<List<Axis>> WITH_IDS =
      List.of(
          List.of(TOKEN, DIM),
          List.of(TOKEN, LAYER, DIM),
          List.of(LAYER, TOKEN, DIM),
          List.of(EXAMPLE, TOKEN, DIM),
          List.of(EXAMPLE, LAYER, TOKEN, DIM),
          List.of(EXAMPLE, TOKEN, LAYER, DIM),
          List.of(LAYER, EXAMPLE, TOKEN, DIM),
          List.of(EXAMPLE, TOKEN, TOKEN, DIM));

  private static final List<List<Axis>> LESS_LIKELY =
      List.of(
          List.of(EXAMPLE, LAYER, DIM),
          List.of(LAYER, EXAMPLE, DIM),
          List.of(LAYER, EXAMPLE, TOKEN, DIM),
          List.of(EXAMPLE, TOKEN, LAYER, DIM),
          List.of(EXAMPLE, TOKEN, TOKEN, DIM),
          List.of(EXAMPLE, DIM, TOKEN, TOKEN),
          List.of(EXAMPLE, TOKEN, DIM, DIM),
          List.of(EXAMPLE, LAYER, TOKEN, TOKEN, DIM),
          List.of(EXAMPLE, LAYER, TOKEN, DIM, DIM));

  private static final int MAX_SHOWN = 100;

  private AxisChoice() {}

  /**
   * Returns other dimensions that an array without token ids may have, most likely first; empty for
   * an array without elements. A grid of tokens is square.
   *
   * @param isLayer whether the array is one layer, judging by its name
   */
  public static List<List<Axis>> others(List<Long> shape, boolean isLayer) {
    return LESS_LIKELY.stream()
        .filter(axes -> axes.size() == shape.size() && !shape.contains(0L))
        .filter(axes -> !(isLayer && axes.contains(LAYER)))
        .filter(axes -> isSquare(axes, shape))
        .toList();
  }

  /**
   * Returns the most likely dimensions of the arrays in several files if the sizes imply that each
   * file is one example; empty if the sizes are not conclusive. If the first size is the same in
   * all files and the number of tokens differs, the first dimension counts layers.
   *
   * @param shapes the shape of one array of each file, in the order of the files
   */
  public static List<Axis> ofFiles(List<List<Long>> shapes) {
    List<Long> first = shapes.get(0);
    if (shapes.size() < 2 || shapes.stream().anyMatch(shape -> shape.size() != first.size())) {
      return List.of();
    }
    if (first.size() == 2) {
      return areParts(shapes) ? List.of() : List.of(TOKEN, DIM);
    }
    boolean areLayers = isSame(shapes, 0) && first.get(0) > 1;
    if (first.size() == 3) {
      return areLayers && !isSame(shapes, 1) ? List.of(LAYER, TOKEN, DIM) : List.of();
    }
    boolean isOneExample = isSame(shapes, 1) && first.get(1) == 1;
    return first.size() == 4 && areLayers && isOneExample && !isSame(shapes, 2)
        ? List.of(LAYER, EXAMPLE, TOKEN, DIM)
        : List.of();
  }

  /**
   * Returns whether all arrays but the last have the same length, as the parts of one dataset do.
   */
  private static boolean areParts(List<List<Long>> shapes) {
    return isSame(shapes.subList(0, shapes.size() - 1), 0)
        && (shapes.size() > 2 || isSame(shapes, 0));
  }

  private static boolean isSame(List<List<Long>> shapes, int dimension) {
    return shapes.stream().map(shape -> shape.get(dimension)).distinct().limit(2).count() == 1;
  }

  private static boolean isSquare(List<Axis> axes, List<Long> shape) {
    return !axes.contains(TOKEN)
        || shape.get(axes.indexOf(TOKEN)).equals(shape.get(axes.lastIndexOf(TOKEN)));
  }

  /**
   * Returns all possible meanings of the dimensions, most likely first; empty if there are none.
   *
   * @param ids the shapes of the arrays of token ids in the file, {@code [token]} or {@code
   *     [example, token]}; a grid of tokens has one or two dimensions
   * @param isLayer whether the array is one layer, judging by its name
   */
  public static List<List<Axis>> of(List<Long> shape, List<List<Long>> ids, boolean isLayer) {
    List<List<Axis>> possible = new ArrayList<>();
    for (List<Axis> axes : ids.isEmpty() ? WITHOUT_IDS : WITH_IDS) {
      if (axes.size() == shape.size()
          && !(isLayer && axes.contains(LAYER))
          && ids.stream().allMatch(id -> fits(axes, shape, id))) {
        possible.add(axes);
      }
    }
    return possible;
  }

  private static boolean fits(List<Axis> axes, List<Long> shape, List<Long> ids) {
    return ofTokens(axes, shape).equals(ids) || joinedTokens(axes, shape).equals(ids);
  }

  /** Returns the sizes of the dimensions of examples and tokens. */
  private static List<Long> ofTokens(List<Axis> axes, List<Long> shape) {
    List<Long> sizes = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      if (axes.get(i) == EXAMPLE || axes.get(i) == TOKEN) {
        sizes.add(shape.get(i));
      }
    }
    return sizes;
  }

  /** Returns the same sizes with adjacent token dimensions merged into one. */
  private static List<Long> joinedTokens(List<Axis> axes, List<Long> shape) {
    List<Long> sizes = ofTokens(axes, shape);
    int first = axes.contains(EXAMPLE) ? 1 : 0;
    List<Long> tokens = sizes.subList(first, sizes.size());
    long joined = tokens.stream().reduce(1L, (a, b) -> a * b);
    tokens.clear();
    tokens.add(joined);
    return sizes;
  }

  /**
   * Returns the possible meanings if dimensions of size 1 are ignored, for files with one example
   * each in which only some arrays have such a dimension.
   */
  public static List<List<Axis>> loosely(List<Long> shape, List<List<Long>> ids, boolean isLayer) {
    return WITH_IDS.stream()
        .filter(axes -> axes.size() == shape.size() && !(isLayer && axes.contains(LAYER)))
        .filter(
            axes ->
                ids.stream()
                    .map(AxisChoice::longer)
                    .allMatch(
                        id ->
                            longer(ofTokens(axes, shape)).equals(id)
                                || longer(joinedTokens(axes, shape)).equals(id)))
        .toList();
  }

  /**
   * Returns the meanings that the number of dimensions allows if the token ids belong to other
   * tokens.
   */
  public static List<List<Axis>> ofRanks(List<Long> shape, List<List<Long>> ids, boolean isLayer) {
    return WITH_IDS.stream()
        .filter(axes -> axes.size() == shape.size() && !(isLayer && axes.contains(LAYER)))
        .filter(axes -> ids.stream().allMatch(id -> id.size() == ofTokens(axes, shape).size()))
        .toList();
  }

  /**
   * Returns a warning if the token ids contradict the dimensions that the user gives an array; its
   * text does not depend on sizes.
   *
   * @param name the name of the array in the user's option
   */
  public static Optional<String> contradiction(
      String name, List<Axis> axes, List<Long> shape, List<List<Long>> ids) {
    if (ids.isEmpty() || !axes.contains(TOKEN) || axes.size() != shape.size()) {
      return Optional.empty();
    }
    List<List<Axis>> possible = of(shape, ids, false);
    return possible.isEmpty()
            || possible.contains(axes)
            || loosely(shape, ids, false).contains(axes)
        ? Optional.empty()
        : Optional.of(
            "--tensor %s=%s contradicts the token ids next to the array (%s=%s is more likely)"
                .formatted(name, joined(axes), name, joined(possible.get(0))));
  }

  /**
   * Returns the warning that nothing names the dimensions of an array.
   *
   * @param others other meanings of the dimensions, with the options that select them
   */
  static String unnamed(String array, List<Axis> axes, List<String> others) {
    return Quote.sentence(
        "array %s is read as %s, because nothing names its dimensions (--tensor %s=%s confirms this;"
            + " also possible: %s)",
        Quote.show(array, MAX_SHOWN),
        joined(axes),
        Quote.show(NamePattern.literally(array).toString(), MAX_SHOWN),
        joined(axes),
        String.join(" or ", others));
  }

  /** Returns dimensions in the notation of options. */
  public static String joined(List<Axis> axes) {
    return axes.stream().map(Axis::toString).collect(Collectors.joining(","));
  }

  private static List<Long> longer(List<Long> sizes) {
    return sizes.stream().filter(size -> size != 1).toList();
  }
}
