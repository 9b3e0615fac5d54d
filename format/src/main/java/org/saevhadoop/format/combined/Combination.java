package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonEscapes;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * Several datasets that fit together, in the given order.
 *
 * @param way whether the datasets are combined as more examples or as more columns
 * @param renumber whether appended examples lose their ids and are only numbered
 * @param table the columns of the combined dataset
 * @param activations the description of the combined activations; null if columns are not layers
 */
public record Combination(
    List<CombinedSource> sources,
    Combine way,
    boolean renumber,
    TableShape table,
    @Nullable Activations activations) {
  /** Key of the provenance document that lists the sources. */
  public static final String SOURCES = "saev.sources";

  public Combination {
    sources = List.copyOf(sources);
  }

  /**
   * Combines datasets.
   *
   * @param chosen the way to combine the datasets; null to use the only way that can fit
   * @throws FormatException the first of the {@link #conflicts}, if there are any
   */
  public static Combination of(
      List<CombinedSource> sources, @Nullable Combine chosen, boolean renumber)
      throws FormatException {
    for (FormatException conflict : conflicts(sources, chosen)) {
      throw conflict;
    }
    Combine way = chosen == null ? Conflicts.way(sources) : chosen;
    try {
      Activations activations = activations(sources, way);
      TableShape table = activations == null ? table(sources, way) : activations.geometry().table();
      return new Combination(sources, way, renumber, table, activations);
    } catch (ArithmeticException e) {
      throw DatasetError.TOO_LARGE
          .in(sources.get(0).path(), "is larger than 2^63 bytes together with the other datasets")
          .causedBy(e);
    }
  }

  /**
   * Returns all obstacles to combining datasets that are known without reading their examples.
   *
   * @param sources the datasets; at least one
   * @param chosen the way to combine the datasets; null to use the only way that can fit
   */
  public static List<FormatException> conflicts(
      List<CombinedSource> sources, @Nullable Combine chosen) {
    return Conflicts.of(sources, chosen);
  }

  /** Returns the combined dataset. No source is opened before it is read. */
  public TableDataset dataset() {
    return activations == null
        ? new CombinedTable(this)
        : new CombinedActivations(this, activations);
  }

  /**
   * Checks data that {@link #conflicts} does not read: the ids of the examples and, if columns are
   * joined, the labels, per-token integers and sample metadata.
   *
   * @throws FormatException if an id occurs twice, or if the sources have different data for the
   *     same example
   */
  public void checkExamples() throws IOException {
    new ExamplesCheck(this).run();
  }

  private static long examples(List<CombinedSource> sources, Combine way) {
    long examples = 0;
    for (CombinedSource source : way == Combine.EXAMPLES ? sources : sources.subList(0, 1)) {
      examples = Math.addExact(examples, source.facts().table().examples());
    }
    return examples;
  }

  private static TableShape table(List<CombinedSource> sources, Combine way) {
    if (way == Combine.LAYERS) {
      return new TableShape(
          examples(sources, way),
          sources.stream().flatMap(source -> source.facts().table().columns().stream()).toList());
    }
    SourceFacts first = sources.get(0).facts();
    List<String> names = first.columns();
    List<Set<DType>> types = names.stream().<Set<DType>>map(name -> new HashSet<>()).toList();
    for (CombinedSource source : sources) {
      Map<String, Integer> positions = TableShape.positions(source.facts().columns());
      for (int i = 0; i < types.size(); i++) {
        int column = Objects.requireNonNull(positions.get(names.get(i)));
        types.get(i).add(source.facts().table().columns().get(column).dtype());
      }
    }
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      columns.add(first.table().columns().get(i).as(WidestType.of(types.get(i)).orElseThrow()));
    }
    return new TableShape(examples(sources, way), columns, first.table().columnIds());
  }

  private static @Nullable Activations activations(List<CombinedSource> sources, Combine way) {
    Activations first = sources.get(0).facts().activations();
    if (first == null) {
      return null;
    }
    List<Activations> all =
        sources.stream()
            .map(source -> Objects.requireNonNull(source.facts().activations()))
            .toList();
    Stream<Activations> layered = way == Combine.LAYERS ? all.stream() : Stream.of(first);
    Set<DType> types = new HashSet<>();
    all.forEach(each -> types.add(each.geometry().dtype()));
    Geometry geometry =
        new Geometry(
            examples(sources, way),
            layered.flatMap(each -> each.geometry().layers().stream()).toList(),
            first.geometry().tokens(),
            first.geometry().dim(),
            WidestType.of(types).orElseThrow());
    boolean isKnown = all.stream().allMatch(each -> each.clsTokens().isPresent());
    OptionalInt cls = isKnown ? first.clsTokens() : OptionalInt.empty();
    return new Activations(geometry, cls, first.provenance().with(SOURCES, list(sources)));
  }

  /** Returns the JSON array that lists the sources. */
  private static String list(List<CombinedSource> sources) {
    StringBuilder list = new StringBuilder("[");
    for (CombinedSource source : sources) {
      list.append(list.length() > 1 ? ", " : "").append("{\"name\": ");
      JsonEscapes.UTF8.quote(name(source.path()), list);
      JsonEscapes.UTF8.quote(source.identity(), list.append(", \"hash\": "));
      list.append(", \"examples\": ").append(source.facts().table().examples()).append('}');
    }
    return list.append(']').toString();
  }

  /**
   * Returns the last component of a path; provenance does not depend on the location of datasets.
   */
  private static String name(String path) {
    return path.substring(path.lastIndexOf('/', path.length() - 2) + 1);
  }

  /** Returns a copy of a combination of activations with other provenance. */
  public Combination with(Provenance provenance) {
    Activations described = Objects.requireNonNull(activations);
    return new Combination(
        sources,
        way,
        renumber,
        table,
        new Activations(described.geometry(), described.clsTokens(), provenance));
  }

  /**
   * Returns the sources from which a property of the examples is read: all sources if examples are
   * appended, or the first source that has the property if columns are joined.
   *
   * @param what returns the fact that states whether a source has the property, and in what form
   * @param absent the value of the fact for a source that lacks the property
   */
  <T> Optional<SourceExamples> having(OpenSources open, Function<SourceFacts, T> what, T absent) {
    IntStream having =
        IntStream.range(0, sources.size())
            .filter(i -> !what.apply(sources.get(i).facts()).equals(absent));
    if (way == Combine.LAYERS) {
      return having.boxed().findFirst().map(i -> new SourceExamples(open, List.of(i)));
    }
    T first = what.apply(sources.get(0).facts());
    boolean alike =
        having.filter(i -> what.apply(open.facts(i)).equals(first)).count() == sources.size();
    return alike ? Optional.of(allSources(open)) : Optional.empty();
  }

  /** Returns the sources from which ids are read; empty if examples are only numbered. */
  Optional<SourceExamples> havingIds(OpenSources open) {
    if (way == Combine.LAYERS) {
      return having(open, SourceFacts::hasIds, false);
    }
    boolean any = !renumber && sources.stream().anyMatch(source -> source.facts().hasIds());
    return any ? Optional.of(allSources(open)) : Optional.empty();
  }

  /**
   * Returns the sources from which sample metadata is read; examples of other sources have none. If
   * appended sources have different per-token integers, the integers are part of the sample
   * metadata.
   */
  Optional<SourceExamples> havingSamples(OpenSources open) {
    if (way == Combine.LAYERS) {
      return having(open, SourceFacts::samples, false);
    }
    return Optional.of(allSources(open)).filter(SourceExamples::hasSamples);
  }

  /** Returns all sources if per-token integers of at least one source mark padding. */
  Optional<SourceExamples> marking(OpenSources open) {
    return sources.stream()
            .anyMatch(source -> !PaddingMarks.deciding(source.facts().tokenArrays()).isEmpty())
        ? Optional.of(allSources(open))
        : Optional.empty();
  }

  private SourceExamples allSources(OpenSources open) {
    return new SourceExamples(open, IntStream.range(0, sources.size()).boxed().toList());
  }
}
