package org.saevhadoop.format.projection;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tokens.TokenArrays;

/** Subset of the examples, layers and tokens of activations. */
final class ProjectedActivations extends ProjectedTable implements ActivationDataset {
  private final ActivationDataset source;
  private final Projection projection;
  private final Activations activations;
  private final List<IndexRange> tokens;

  ProjectedActivations(ActivationDataset source, Projection projection) {
    super(source, projection);
    this.source = source;
    this.projection = projection;
    Geometry stored = source.geometry();
    List<Integer> layers = projection.columns().stream().map(stored.layers()::get).toList();
    Geometry geometry =
        new Geometry(
            projection.exampleCount(),
            layers,
            projection.tokenCount(),
            stored.dim(),
            stored.dtype());
    this.activations = new Activations(geometry, clsTokens(), source.activations().provenance());
    this.tokens = storedTokens();
  }

  /**
   * A subset without token 0 has no [CLS] token, even if it is unknown whether token 0 is [CLS].
   */
  private OptionalInt clsTokens() {
    boolean kept = projection.tokens().get(0).start() == 0;
    return kept ? source.activations().clsTokens() : OptionalInt.of(0);
  }

  /** Returns the selected ranges of tokens in the stored blocks of the source. */
  private List<IndexRange> storedTokens() {
    IndexRanges runs = new IndexRanges(source.tokenRuns());
    return IndexRanges.merged(
        projection.tokens().stream()
            .flatMap(range -> runs.slice(range.start(), range.length()).stream())
            .toList());
  }

  @Override
  public Activations activations() {
    return activations;
  }

  @Override
  public boolean isLayerAssumed() {
    return source.isLayerAssumed();
  }

  @Override
  public List<IndexRange> tokenRuns() {
    return tokens;
  }

  @Override
  public int sourceToken(int token) {
    return source.sourceToken((int) new IndexRanges(projection.tokens()).index(token));
  }

  @Override
  public TableShape table() {
    return ActivationDataset.super.table();
  }

  @Override
  public ActivationDataset requireActivations() {
    return this;
  }

  /** Returns the offsets of the blocks, where each block begins with its first selected token. */
  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    BlockOffsets blocks = super.placement(shard, file);
    long skipped =
        (tokens.get(0).start() - source.tokenRuns().get(0).start())
            * source.geometry().vectorBytes();
    return skipped == 0 ? blocks : (index, column) -> blocks.offset(index, column) + skipped;
  }

  /** If it is unknown whether token 0 is [CLS], a projection to that token has no labels. */
  @Override
  public boolean hasLabels() {
    return source.hasLabels() && !patches(source.activations().clsTokens().orElse(1)).isEmpty();
  }

  /** Returns the selected ranges of patches in the source, that is, of tokens other than [CLS]. */
  private List<IndexRange> patches(int cls) {
    List<IndexRange> ranges = new ArrayList<>();
    for (IndexRange range : projection.tokens()) {
      long start = Math.max(0, range.start() - cls);
      if (start < range.stop() - cls) {
        ranges.add(new IndexRange(start, range.stop() - cls));
      }
    }
    return ranges;
  }

  @Override
  public PatchLabels openLabels() throws IOException {
    if (!hasLabels()) {
      return ActivationDataset.super.openLabels();
    }
    PatchLabels labels = source.openLabels();
    // If there is one more token than patches, it is [CLS].
    int cls =
        source
            .activations()
            .clsTokens()
            .orElse(labels.patches() < source.geometry().tokens() ? 1 : 0);
    return new ProjectedLabels(labels, projection.examples(), patches(cls));
  }

  @Override
  public TokenArrays tokenArrays() {
    TokenArrays all = source.tokenArrays();
    return all.isEmpty()
        ? all
        : new ProjectedTokens(all, new IndexRanges(projection.examples()), projection.tokens());
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() throws IOException {
    Optional<SampleMetadata> selected = super.sampleMetadata();
    int stored = source.geometry().tokens();
    return projection.tokenCount() == stored
        ? selected
        : selected.map(all -> new SelectedTokens(all, path(), stored, projection.tokens()));
  }
}
