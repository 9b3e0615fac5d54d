package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.SampleMetadata;

/** Several datasets, presented as one dataset. */
public class CombinedTable implements TableDataset {
  private final Combination combination;
  private final OpenSources sources;
  private final Arrangement arrangement;

  CombinedTable(Combination combination) {
    this.combination = combination;
    this.sources = new OpenSources(combination.sources());
    int count = combination.sources().size();
    this.arrangement =
        combination.way() == Combine.EXAMPLES
            ? new MoreExamples(sources, count, combination.table())
            : new MoreLayers(sources, count, combination.table());
  }

  /**
   * Returns facts about the datasets that suffice to combine them again without opening any of
   * them.
   */
  public final List<SourceFacts> facts() {
    return combination.sources().stream().map(CombinedSource::facts).toList();
  }

  /** Returns whether the datasets are combined as more examples or as more columns. */
  public final Combine way() {
    return combination.way();
  }

  /**
   * Returns whether the values of the datasets have different types and are read in a wider type.
   */
  public final boolean isOfSeveralTypes() {
    return facts().stream()
            .flatMap(source -> source.table().columns().stream())
            .map(Column::dtype)
            .distinct()
            .count()
        > 1;
  }

  /** Returns the description of the activations; null if columns are not layers. */
  public final @Nullable Activations described() {
    return combination.activations();
  }

  /** Returns the sources from which a property is read; see {@link Combination#having}. */
  final <T> Optional<SourceExamples> having(Function<SourceFacts, T> what, T absent) {
    return combination.having(sources, what, absent);
  }

  /** Returns all sources if per-token integers of at least one source mark padding. */
  final Optional<SourceExamples> marking() {
    return combination.marking(sources);
  }

  @Override
  public Folder folder() {
    return new CombinedFolder(path(), arrangement);
  }

  @Override
  public String path() {
    return sources.path(0);
  }

  @Override
  public TableShape table() {
    return combination.table();
  }

  @Override
  public Shards shards() {
    return arrangement.shards();
  }

  /** Returns the order in the first shard; sources can have different orders. */
  @Override
  public BlockOrder storageOrder() {
    return combination.way() == Combine.EXAMPLES
        ? sources.facts(0).order()
        : BlockOrder.byColumn(combination.table());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    return arrangement.placement(shard, file);
  }

  /**
   * Estimates the range from the share of the examples, or returns the whole file if it is stored
   * column by column, so that no source is opened. For joined columns, only the file of the first
   * source is known.
   */
  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    Shard file = shards().get(shard);
    if (arrangement.isByColumn(shard)) {
      return List.of(new ByteRange(0, file.bytes()));
    }
    double bytes = (double) file.bytes() / Math.max(1, file.examples());
    long start = (long) (indexInShard * bytes);
    return List.of(new ByteRange(start, (long) ((indexInShard + examples) * bytes) - start));
  }

  @Override
  public String blockPath(long example, int column) throws IOException {
    return arrangement.blockPath(example, column);
  }

  /** Returns the number of the example in its source. */
  @Override
  public long sourceExample(long example) {
    return arrangement.sourceExample(example);
  }

  @Override
  public Optional<ExampleIds> ids() {
    return combination.havingIds(sources).map(ids -> ids);
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() {
    return combination.havingSamples(sources).map(samples -> samples);
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (CombinedSource source : combination.sources()) {
      for (String warning : source.facts().warnings()) {
        warnings.add(warning.contains(source.path()) ? warning : source.path() + ": " + warning);
      }
    }
    if (combination.way() == Combine.EXAMPLES) {
      addDifferences("labels of patches are left out", SourceFacts::patches, warnings);
      addDifferences(
          "per-token integers become sample metadata", SourceFacts::tokenArrays, warnings);
    }
    return warnings;
  }

  /** Warns about data that some sources lack or have in a different form. */
  private void addDifferences(String what, Function<SourceFacts, ?> fact, List<String> warnings) {
    Object first = fact.apply(sources.facts(0));
    combination.sources().stream()
        .filter(source -> !fact.apply(source.facts()).equals(first))
        .findFirst()
        .ifPresent(
            source ->
                warnings.add(
                    "%s: the %s because this source differs from %s"
                        .formatted(source.path(), what, path())));
  }
}
