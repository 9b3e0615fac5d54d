package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.layers.LayerRows.Cursor;

/**
 * Compares the labels and per-token integers of the other layers with the first layer, whose data
 * is kept. A null in another layer is equal to any number, because this project writes per-token
 * integers to the rows of the first layer only.
 */
final class LayerComparison {
  private static final long NONE = -1;
  private static final String WITHOUT = "; --no-sample-metadata ignores these integers";

  private final Folder source;
  private final List<String> integers;
  private final LayerAgreement agreement;
  private final int firstPatch;
  private final SortedSet<String> differing = new TreeSet<>();
  private final SortedSet<String> leftOut = new TreeSet<>();

  LayerComparison(Folder source, LayerShape shape, LayerAgreement agreement) {
    this.source = source;
    this.agreement = agreement;
    this.integers = shape.integers();
    this.firstPatch = shape.geometry().tokens() - shape.patches();
  }

  /**
   * Compares a row with the same row of the first layer.
   *
   * @param token the index of the token in its example
   * @throws FormatException if labels, or integers that must be the same, differ
   */
  void compare(Cursor first, Cursor row, int token) throws IOException {
    if (token >= firstPatch && row.label() != first.label()) {
      throw error(first, row, agreement.label(), row.label(), first.label(), "");
    }
    for (int i = 0; i < integers.size(); i++) {
      long number = row.integer(i);
      if (number != NONE && number != first.integer(i) && first.hasInteger(i)) {
        String name = integers.get(i);
        if (!agreement.isOfAllLayers().test(name)) {
          differing.add(name);
        } else if (agreement.leavesOut()) {
          leftOut.add(name);
        } else {
          throw error(first, row, name, number, first.integer(i), WITHOUT);
        }
      }
    }
  }

  private FormatException error(
      Cursor first, Cursor row, String name, long number, long expected, String without)
      throws IOException {
    try (Input in = ArrayFiles.open(source, row.run().path())) {
      return ArrayError.DIFFERENT_TOKENS.in(
          in.path(),
          "row %d has %s %d in layer %d (expected %s, as for the same token in layer %d%s)",
          row.row(),
          name,
          number,
          row.run().layer(),
          expected == NONE ? "null" : expected,
          first.run().layer(),
          without);
    }
  }

  /**
   * Returns the names of per-token integers that differ although they must be the same in all
   * layers.
   */
  Set<String> leftOut() {
    return leftOut;
  }

  /** Returns a warning for each token array that differs. */
  List<String> warnings() {
    String differs = "column %s differs between layers: ";
    return Stream.concat(
            leftOut.stream().map((differs + "it is left out (--no-sample-metadata)")::formatted),
            differing.stream().map((differs + "the column of the first layer is kept")::formatted))
        .toList();
  }
}
