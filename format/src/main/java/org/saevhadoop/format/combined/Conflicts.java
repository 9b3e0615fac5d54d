package org.saevhadoop.format.combined;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/** Finds what keeps sources from being combined, as far as their facts show it. */
final class Conflicts {
  private static final int MAX_SHOWN = 20;

  private final List<CombinedSource> sources;
  private final CombinedSource first;
  private final boolean chosen;
  private final List<FormatException> found = new ArrayList<>();

  /** What is known of [CLS] so far, and the source that says so. */
  private OptionalInt clsTokens = OptionalInt.empty();

  private String clsPath = "";

  private Conflicts(List<CombinedSource> sources, boolean chosen) {
    this.sources = sources;
    this.first = sources.get(0);
    this.chosen = chosen;
  }

  /**
   * Returns how sources fit: as more columns if none has a column of the first one, otherwise as
   * more examples. Both never fit.
   */
  static Combine way(List<CombinedSource> sources) {
    Set<String> columns = new HashSet<>(sources.get(0).facts().columns());
    return sources.size() > 1
            && sources.stream()
                .skip(1)
                .allMatch(source -> Collections.disjoint(columns, source.facts().columns()))
        ? Combine.LAYERS
        : Combine.EXAMPLES;
  }

  /** Returns all conflicts in the order of the sources. */
  static List<FormatException> of(List<CombinedSource> sources, @Nullable Combine chosen) {
    Conflicts conflicts = new Conflicts(sources, chosen != null);
    Combine way = chosen == null ? way(sources) : chosen;
    Map<String, String> paths = new HashMap<>();
    Map<String, Set<DType>> types = new HashMap<>();
    for (CombinedSource source : sources) {
      if (conflicts.isOfOneKind(source)) {
        conflicts.checkVectors(source);
        if (way == Combine.EXAMPLES) {
          conflicts.checkColumns(source);
          conflicts.checkTypes(source, types);
        } else {
          conflicts.checkExamples(source);
          conflicts.checkDisjoint(source, paths);
          if (source.facts().activations() != null) {
            conflicts.checkTypes(source, types);
          }
        }
      }
    }
    return conflicts.found;
  }

  private boolean isOfOneKind(CombinedSource source) {
    boolean expected = first.facts().activations() != null;
    boolean same = (source.facts().activations() != null) == expected;
    if (!same && expected) {
      found.add(
          CombinationError.KINDS_DIFFER.in(
              source.path(),
              "contains no activations, but %s (expected activations, as in %s)",
              shown(source.facts().columns()),
              first.path()));
    } else if (!same) {
      found.add(
          CombinationError.KINDS_DIFFER.in(
              source.path(),
              "contains activations of %s (expected %s, as in %s)",
              shown(source.facts().columns()),
              shown(first.facts().columns()),
              first.path()));
    }
    return same;
  }

  private void checkVectors(CombinedSource source) {
    Activations activations = source.facts().activations();
    Activations expected = first.facts().activations();
    if (activations == null || expected == null) {
      return;
    }
    Geometry geometry = activations.geometry();
    Geometry other = expected.geometry();
    if (geometry.tokens() != other.tokens() || geometry.dim() != other.dim()) {
      found.add(
          CombinationError.SHAPES_DIFFER.in(
              source.path(),
              "has %d tokens of dim %d (expected %d of dim %d, as in %s)",
              geometry.tokens(),
              geometry.dim(),
              other.tokens(),
              other.dim(),
              first.path()));
    }
    OptionalInt cls = activations.clsTokens();
    if (cls.isPresent() && clsTokens.isPresent() && !cls.equals(clsTokens)) {
      found.add(
          CombinationError.CLS_DIFFERS.in(
              source.path(),
              "has %d [CLS] tokens per example (expected %d, as in %s)",
              cls.getAsInt(),
              clsTokens.getAsInt(),
              clsPath));
    } else if (cls.isPresent() && clsTokens.isEmpty()) {
      clsTokens = cls;
      clsPath = source.path();
    }
  }

  private void checkColumns(CombinedSource source) {
    List<String> columns = source.facts().columns();
    List<String> expected = first.facts().columns();
    Map<String, Integer> positions = TableShape.positions(columns);
    List<String> missing = expected.stream().filter(name -> !positions.containsKey(name)).toList();
    Set<String> known = new HashSet<>(expected);
    List<String> more = columns.stream().filter(name -> !known.contains(name)).toList();
    if (!missing.isEmpty() || !more.isEmpty()) {
      found.add(
          CombinationError.COLUMNS_DIFFER.in(
              source.path(),
              "%s %s, having %s (expected %s, as in %s)",
              missing.isEmpty() ? "also has" : "lacks",
              missing.isEmpty() ? more.get(0) : missing.get(0),
              shown(columns),
              shown(expected),
              first.path()));
      return;
    }
    for (int i = 0; i < expected.size(); i++) {
      Column column = source.facts().table().columns().get(columns.indexOf(expected.get(i)));
      Column other = first.facts().table().columns().get(i);
      if (first.facts().activations() == null && !column.shape().equals(other.shape())) {
        found.add(
            CombinationError.SHAPES_DIFFER.in(
                source.path(),
                "%s has the shape %s (expected %s, as in %s)",
                expected.get(i),
                column.shape(),
                other.shape(),
                first.path()));
      }
    }
  }

  /** Checks that one type holds the values of all sources, and names the first that does not. */
  private void checkTypes(CombinedSource source, Map<String, Set<DType>> types) {
    List<String> columns = source.facts().columns();
    boolean activations = source.facts().activations() != null;
    for (int i = 0; i < (activations ? 1 : columns.size()); i++) {
      DType type = source.facts().table().columns().get(i).dtype();
      Set<DType> before =
          types.computeIfAbsent(activations ? "" : columns.get(i), name -> new HashSet<>());
      Set<DType> all = new HashSet<>(before);
      all.add(type);
      if (WidestType.of(all).isPresent()) {
        before.add(type);
      } else {
        found.add(
            CombinationError.TYPES_DIFFER.in(
                source.path(),
                "%s is %s (expected a type that one type holds exactly together with %s)",
                columns.get(i),
                type,
                before.stream().sorted().toList()));
      }
    }
  }

  private void checkExamples(CombinedSource source) {
    long examples = source.facts().table().examples();
    long expected = first.facts().table().examples();
    if (examples != expected && chosen) {
      found.add(
          CombinationError.EXAMPLES_DIFFER.in(
              source.path(),
              "has %d examples (expected %d, as in %s)",
              examples,
              expected,
              first.path()));
    } else if (examples != expected) {
      found.add(
          CombinationError.EXAMPLES_DIFFER.in(
              source.path(),
              "has %d examples of %s (expected %d of other columns, or %s, as in %s)",
              examples,
              shown(source.facts().columns()),
              expected,
              shown(first.facts().columns()),
              first.path()));
    }
  }

  private void checkDisjoint(CombinedSource source, Map<String, String> paths) {
    for (String column : source.facts().columns()) {
      String other = paths.putIfAbsent(column, source.path());
      if (other != null) {
        found.add(
            CombinationError.COLUMNS_DIFFER.in(
                source.path(),
                "has %s, as %s does (expected other columns of the same examples)",
                column,
                other));
        return;
      }
    }
  }

  private static String shown(List<String> columns) {
    String list = String.join(", ", columns.subList(0, Math.min(MAX_SHOWN, columns.size())));
    return columns.size() > MAX_SHOWN ? list + ", ... (" + columns.size() + ")" : list;
  }
}
