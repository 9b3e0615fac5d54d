package org.saevhadoop.format.arrays;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/** Derives the shape of a dataset from the shapes of all groups. */
final class GroupShapes {
  private GroupShapes() {}

  /**
   * Returns the shape of the examples of all groups.
   *
   * @param notes accepts warnings for the user
   * @throws FormatException if the policy does not allow the lengths of the examples, or if the
   *     arrays are not activations
   */
  static Geometry geometry(
      String path, ArrayAssembly.Result found, RaggedPolicy ragged, Consumer<String> notes)
      throws FormatException {
    TreeMap<Long, Long> lengths = new TreeMap<>();
    long examples = 0;
    for (ExampleGroup group : found.groups()) {
      group.lengths().forEach((tokens, count) -> lengths.merge(tokens, count, Long::sum));
      examples = Math.addExact(examples, group.examples(ragged));
    }
    if (examples > 0) {
      lengths.values().removeIf(count -> count == 0);
    }
    noteMissingFields(found.groups(), notes);
    int tokens = tokens(path, found.groups(), ragged, lengths, notes);
    ArrayView first = found.groups().get(0).first();
    try {
      int dim = Math.toIntExact(first.size(Axis.DIM));
      Geometry geometry = new Geometry(examples, found.layers(), tokens, dim, first.dtype());
      for (ExampleGroup group : found.groups()) {
        if (group.isFilled(geometry, ragged)) {
          ragged.filling(path, geometry.dtype());
        }
      }
      return geometry;
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw DatasetError.NO_ACTIVATIONS
          .in(path, "its arrays are not activations: %s", e.getMessage())
          .causedBy(e);
    }
  }

  /** Returns the number of tokens of each example. */
  private static int tokens(
      String path,
      List<ExampleGroup> groups,
      RaggedPolicy ragged,
      SortedMap<Long, Long> lengths,
      Consumer<String> notes)
      throws FormatException {
    try {
      return ragged.tokens(path, lengths, notes);
    } catch (FormatException e) {
      if (e.kind() != DatasetError.RAGGED
          || groups.stream().allMatch(group -> group.kept() == null)) {
        throw e;
      }
      throw DatasetError.RAGGED
          .in(
              path,
              "%s, not counting tokens that masks leave out (expected %s; --mask NAME=keep keeps"
                  + " such tokens)",
              e.problem(),
              e.expected())
          .causedBy(e);
    }
  }

  private static void noteMissingFields(List<ExampleGroup> groups, Consumer<String> notes) {
    Set<String> names = groups.get(0).fields().kept().keySet();
    List<ExampleGroup> others =
        groups.stream().filter(group -> !group.fields().kept().keySet().equals(names)).toList();
    if (!others.isEmpty()) {
      notes.accept(
          "%s has the per-token integers %s (expected %s, as in %s%s); missing ones are -1"
              .formatted(
                  others.get(0).first().file(),
                  others.get(0).fields().kept().keySet(),
                  names,
                  groups.get(0).first().file(),
                  others.size() == 1
                      ? ""
                      : Quote.sentence(", also in %d other files", others.size() - 1)));
    }
  }
}
