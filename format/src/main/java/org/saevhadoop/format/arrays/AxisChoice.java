package org.saevhadoop.format.arrays;

import static org.saevhadoop.format.arrays.Axis.DIM;
import static org.saevhadoop.format.arrays.Axis.EXAMPLE;
import static org.saevhadoop.format.arrays.Axis.LAYER;
import static org.saevhadoop.format.arrays.Axis.TOKEN;

import java.util.ArrayList;
import java.util.List;

/**
 * The dimensions that an array of activations may have, by its rank. If the file also has the ids
 * of its tokens, their dimensions must be among them with the same sizes.
 */
final class AxisChoice {
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
          List.of(LAYER, EXAMPLE, TOKEN, DIM));

  private AxisChoice() {}

  /**
   * Returns all that is possible, the likeliest first; empty if nothing is.
   *
   * @param ids the shapes of the arrays of token ids in the file, {@code [token]} or {@code
   *     [example, token]}
   * @param isLayer whether the name says that the array is one layer
   */
  static List<List<Axis>> of(List<Long> shape, List<List<Long>> ids, boolean isLayer) {
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
    List<Long> expected = new ArrayList<>();
    if (axes.contains(EXAMPLE)) {
      expected.add(shape.get(axes.indexOf(EXAMPLE)));
    }
    expected.add(shape.get(axes.indexOf(TOKEN)));
    return expected.equals(ids);
  }
}
