package org.saevhadoop.format.arrays.proposal;

import static org.saevhadoop.format.arrays.Axis.DIM;
import static org.saevhadoop.format.arrays.Axis.EXAMPLE;
import static org.saevhadoop.format.arrays.Axis.LAYER;
import static org.saevhadoop.format.arrays.Axis.TOKEN;

import java.util.List;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.file.FileArray;

/** The dimensions of arrays of several files whose sizes show that each file is one example. */
final class FileAxes {
  private FileAxes() {}

  /**
   * Returns the likeliest dimensions; empty if the sizes show nothing. If the first size is the
   * same in all files, and that of the tokens is not, the first dimension is that of layers.
   *
   * @param arrays one of each file, in the order of the files
   */
  static List<Axis> of(List<FileArray> arrays) {
    int rank = arrays.get(0).shape().size();
    if (arrays.size() < 2 || arrays.stream().anyMatch(array -> array.shape().size() != rank)) {
      return List.of();
    }
    if (rank == 2) {
      return isShards(arrays) ? List.of() : List.of(TOKEN, DIM);
    }
    boolean areLayers = isSame(arrays, 0) && arrays.get(0).shape().get(0) > 1;
    if (rank == 3) {
      return areLayers && !isSame(arrays, 1) ? List.of(LAYER, TOKEN, DIM) : List.of();
    }
    boolean isOneExample = isSame(arrays, 1) && arrays.get(0).shape().get(1) == 1;
    return rank == 4 && areLayers && isOneExample && !isSame(arrays, 2)
        ? List.of(LAYER, EXAMPLE, TOKEN, DIM)
        : List.of();
  }

  /** Returns whether all arrays but the last have the same length, as parts of one dataset do. */
  private static boolean isShards(List<FileArray> arrays) {
    return isSame(arrays.subList(0, arrays.size() - 1), 0)
        && (arrays.size() > 2 || isSame(arrays, 0));
  }

  private static boolean isSame(List<FileArray> arrays, int dimension) {
    return arrays.stream().map(array -> array.shape().get(dimension)).distinct().count() == 1;
  }
}
