package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.layers.LayerRows.Cursor;

/**
 * Compares the labels and the integers of the rows of other layers with the first layer; only the
 * first layer's are kept. A null differs from nothing: this project writes integers to the rows of
 * the first layer only.
 */
final class LayerComparison {
  private static final long NONE = -1;

  private final Folder source;
  private final List<String> integers;
  private final Predicate<String> isOfAllLayers;
  private final int firstPatch;
  private final SortedSet<String> differing = new TreeSet<>();

  /**
   * Creates a comparison.
   *
   * @param isOfAllLayers whether integers of a name must be the same in all layers
   */
  LayerComparison(Folder source, LayerShape shape, Predicate<String> isOfAllLayers) {
    this.source = source;
    this.isOfAllLayers = isOfAllLayers;
    this.integers = shape.integers();
    this.firstPatch = shape.geometry().tokens() - shape.patches();
  }

  /**
   * Compares a row with the same row of the first layer.
   *
   * @param token the index of the token in its example
   * @throws FormatException if labels differ, or integers that must be the same
   */
  void compare(Cursor first, Cursor row, int token) throws IOException {
    if (token >= firstPatch && row.label() != first.label()) {
      throw error(first, row, LayerColumns.LABEL, row.label(), first.label());
    }
    for (int i = 0; i < integers.size(); i++) {
      long number = row.integer(i);
      if (number != NONE && number != first.integer(i) && first.hasInteger(i)) {
        String name = integers.get(i);
        if (isOfAllLayers.test(name)) {
          throw error(first, row, name, number, first.integer(i));
        }
        differing.add(name);
      }
    }
  }

  private FormatException error(Cursor first, Cursor row, String name, long number, long expected)
      throws IOException {
    try (Input in = ArrayFiles.open(source, row.run().path())) {
      return ArrayError.DIFFERENT_TOKENS.in(
          in.path(),
          "row %d has %s %d in layer %d (expected %s, as the token has in layer %d)",
          row.row(),
          name,
          number,
          row.run().layer(),
          expected == NONE ? "null" : expected,
          first.run().layer());
    }
  }

  /** Returns a warning for each column of other integers that differs. */
  List<String> warnings() {
    return differing.stream()
        .map("column %s differs between layers: that of the first layer is kept"::formatted)
        .toList();
  }
}
