package org.saevhadoop.format.combined;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;

/** Finds the obstacles to combining sources that can be derived from their facts. */
final class Conflicts {
  private static final int MAX_SHOWN = 20;

  /** The layer of arrays whose names and paths contain no number. */
  private static final String UNNUMBERED = "layer 0";

  private final CombinedSource first;
  private final boolean chosen;
  private final List<FormatException> found = new ArrayList<>();

  /** The path of the first source of each column. */
  private final Map<String, String> paths = new HashMap<>();

  /** The types of each column, which one type must represent; layers share one entry. */
  private final Map<String, Set<DType>> types = new HashMap<>();

  /** The number of [CLS] tokens, if it is known, and the path of the source that states it. */
  private OptionalInt clsTokens = OptionalInt.empty();

  private String clsPath = "";

  private Conflicts(CombinedSource first, boolean chosen) {
    this.first = first;
    this.chosen = chosen;
  }

  /**
   * Returns the only way in which sources can fit together: as more columns if no other source has
   * a column of the first source, otherwise as more examples. Sources never fit in both ways.
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
    Conflicts conflicts = new Conflicts(sources.get(0), chosen != null);
    Combine way = chosen == null ? way(sources) : chosen;
    for (int i = 0; i < sources.size(); i++) {
      if (conflicts.isOfOneKind(sources.get(i))) {
        conflicts.check(i, sources.get(i), way);
      }
    }
    return conflicts.found;
  }

  /**
   * @param number the number of the source, as used in its setting keys
   */
  private void check(int number, CombinedSource source, Combine way) {
    Activations activations = source.facts().activations();
    Activations expected = first.facts().activations();
    if (activations != null && expected != null) {
      checkVectors(source, activations, expected);
    }
    if (way == Combine.EXAMPLES) {
      checkColumns(source);
    } else {
      checkExamples(source);
      checkDisjoint(number, source);
    }
    if (activations != null || way == Combine.EXAMPLES) {
      checkTypes(source);
    }
  }

  private void add(
      CombinationError kind, CombinedSource source, String has, String expected, String path) {
    found.add(kind.in(source.path(), "has %s (expected %s, as in %s)", has, expected, path));
  }

  private void add(CombinationError kind, CombinedSource source, String has, String expected) {
    add(kind, source, has, expected, first.path());
  }

  private boolean isOfOneKind(CombinedSource source) {
    boolean same = (source.facts().activations() == null) == (first.facts().activations() == null);
    if (!same) {
      add(CombinationError.KINDS_DIFFER, source, kind(source), kind(first));
    }
    return same;
  }

  private static String kind(CombinedSource source) {
    String columns = shown(source.facts().columns());
    return source.facts().activations() == null ? columns : "activations of " + columns;
  }

  private void checkVectors(CombinedSource source, Activations own, Activations expected) {
    if (!vectors(own.geometry()).equals(vectors(expected.geometry()))) {
      String has = vectors(own.geometry());
      add(CombinationError.SHAPES_DIFFER, source, has, vectors(expected.geometry()));
    }
    OptionalInt cls = own.clsTokens();
    if (cls.isPresent() && clsTokens.isPresent() && !cls.equals(clsTokens)) {
      String has = cls.getAsInt() + " [CLS] tokens per example";
      add(CombinationError.CLS_DIFFERS, source, has, "" + clsTokens.getAsInt(), clsPath);
    } else if (cls.isPresent() && clsTokens.isEmpty()) {
      clsTokens = cls;
      clsPath = source.path();
    }
  }

  private static String vectors(Geometry geometry) {
    return Quote.sentence("%d tokens of dim %d", geometry.tokens(), geometry.dim());
  }

  private void checkColumns(CombinedSource source) {
    List<String> own = source.facts().columns();
    List<String> expected = first.facts().columns();
    Optional<String> missing = firstOnlyIn(expected, own);
    Optional<String> more = firstOnlyIn(own, expected);
    if (missing.isPresent() || more.isPresent()) {
      String difference = missing.map(name -> "no " + name).or(() -> more).get();
      String has = difference + " among " + shown(own);
      add(CombinationError.COLUMNS_DIFFER, source, has, shown(expected));
      return;
    }
    Map<String, Integer> positions = TableShape.positions(own);
    for (int i = 0; i < expected.size() && first.facts().activations() == null; i++) {
      int position = positions.getOrDefault(expected.get(i), -1);
      String shape = source.facts().table().columns().get(position).shape().toString();
      String other = first.facts().table().columns().get(i).shape().toString();
      if (!shape.equals(other)) {
        String has = expected.get(i) + " of the shape " + shape;
        add(CombinationError.SHAPES_DIFFER, source, has, other);
      }
    }
  }

  private static Optional<String> firstOnlyIn(List<String> columns, List<String> others) {
    Set<String> known = new HashSet<>(others);
    return columns.stream().filter(name -> !known.contains(name)).findFirst();
  }

  /** Checks that one type represents the values of all sources up to this one. */
  private void checkTypes(CombinedSource source) {
    List<String> columns = source.facts().columns();
    boolean activations = source.facts().activations() != null;
    for (int i = 0; i < (activations ? 1 : columns.size()); i++) {
      DType type = source.facts().table().columns().get(i).dtype();
      Set<DType> known =
          types.computeIfAbsent(activations ? "" : columns.get(i), name -> new TreeSet<>());
      Set<DType> all = new TreeSet<>(known);
      all.add(type);
      if (WidestType.of(all).isPresent()) {
        known.add(type);
      } else {
        String expected = "a type that one type holds exactly together with " + known;
        add(CombinationError.TYPES_DIFFER, source, columns.get(i) + " as " + type, expected);
      }
    }
  }

  private void checkExamples(CombinedSource source) {
    long examples = source.facts().table().examples();
    long expected = first.facts().table().examples();
    if (examples != expected && chosen) {
      add(
          CombinationError.EXAMPLES_DIFFER,
          source,
          Quote.sentence("%d examples", examples),
          "" + expected);
    } else if (examples != expected) {
      String has = Quote.sentence("%d examples of ", examples) + shown(source.facts().columns());
      String either = expected + " of other columns, or " + shown(first.facts().columns());
      add(CombinationError.EXAMPLES_DIFFER, source, has, either);
    }
  }

  private void checkDisjoint(int number, CombinedSource source) {
    for (String column : source.facts().columns()) {
      String other = paths.putIfAbsent(column, source.path());
      if (other != null) {
        String has = column + ", which is also in " + other;
        String key =
            column.equals(UNNUMBERED)
                ? "; -D saev.input.%d.layer.names=L numbers arrays without a number"
                    .formatted(number)
                : "";
        add(
            CombinationError.COLUMNS_DIFFER,
            source,
            has,
            "other columns of the same examples",
            first.path() + key);
        return;
      }
    }
  }

  private static String shown(List<String> columns) {
    String list = String.join(", ", columns.subList(0, Math.min(MAX_SHOWN, columns.size())));
    return columns.size() > MAX_SHOWN ? list + ", ... (" + columns.size() + ")" : list;
  }
}
