package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;

/**
 * What must be known of a dataset to combine it with others, so that it need not be open.
 *
 * @param folder the path of the folder with the data files
 * @param activations the description of the activations; null if the columns are not layers
 * @param contiguous whether the tokens of a block are stored without gaps
 * @param patches the number of labels per example; 0 if there are none
 * @param tokenArrays the names of the arrays of tokens
 * @param idBytes the maximum size of an id in bytes; {@link #NUMBERED} if the examples are only
 *     numbered
 * @param samples whether there is sample metadata
 */
public record SourceFacts(
    String folder,
    TableShape table,
    @Nullable Activations activations,
    Shards shards,
    BlockOrder order,
    boolean contiguous,
    int patches,
    List<String> tokenArrays,
    int idBytes,
    boolean samples,
    List<String> warnings) {
  /** The size of ids that are only the numbers of the examples. */
  public static final int NUMBERED = -1;

  public SourceFacts {
    tokenArrays = List.copyOf(tokenArrays);
    warnings = List.copyOf(warnings);
  }

  /** Returns what is known of an open dataset. */
  public static SourceFacts of(TableDataset dataset) throws IOException {
    ActivationDataset activations = dataset instanceof ActivationDataset some ? some : null;
    Optional<ExampleIds> ids = dataset.ids();
    return new SourceFacts(
        dataset.folder().path(),
        dataset.table(),
        activations == null ? null : activations.activations(),
        dataset.shards(),
        dataset.storageOrder(),
        activations == null || activations.tokenRuns().size() == 1,
        activations == null ? 0 : patches(activations),
        activations == null ? List.of() : activations.tokenArrays().names(),
        ids.isEmpty() || ids.get().areNumbers() ? NUMBERED : ids.get().maxBytes(),
        dataset.sampleMetadata().isPresent(),
        dataset.warnings());
  }

  private static int patches(ActivationDataset dataset) throws IOException {
    if (!dataset.hasLabels()) {
      return 0;
    }
    try (PatchLabels labels = dataset.openLabels()) {
      return labels.patches();
    }
  }

  boolean hasIds() {
    return idBytes != NUMBERED;
  }

  /** Returns whether blocks are where they were: what changed besides shows when it is read. */
  boolean isOf(TableDataset dataset) {
    return table.equals(dataset.table())
        && shards.equals(dataset.shards())
        && order.equals(dataset.storageOrder());
  }

  /** Returns the columns as messages name them, by which they are matched with those of others. */
  List<String> columns() {
    return activations == null
        ? table.columns().stream().map(column -> "column " + column.name()).toList()
        : table.columnIds().stream().map(layer -> "layer " + layer).toList();
  }
}
