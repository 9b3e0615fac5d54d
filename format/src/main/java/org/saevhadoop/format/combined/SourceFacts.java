package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;

/**
 * The facts about a dataset that suffice to combine it with others without keeping it open.
 *
 * @param folder the path of the folder with the data files
 * @param paths the paths, by name, of data files that are not in that folder under that name
 * @param activations the description of the activations; null if the columns are not layers
 * @param contiguous whether the tokens of a block are stored without gaps
 * @param patches the number of labels per example; 0 if there are none
 * @param tokenArrays the names of the per-token integers
 * @param idBytes the maximum size of an id in bytes; {@link #NUMBERED} if the examples are only
 *     numbered
 * @param samples whether there is sample metadata
 * @param isLayerAssumed whether nothing states the number of the only layer
 */
public record SourceFacts(
    String folder,
    Map<String, String> paths,
    TableShape table,
    @Nullable Activations activations,
    Shards shards,
    BlockOrder order,
    boolean contiguous,
    int patches,
    List<String> tokenArrays,
    int idBytes,
    boolean samples,
    boolean isLayerAssumed,
    List<String> warnings) {
  /** The value of {@link #idBytes} if the examples are only numbered. */
  public static final int NUMBERED = -1;

  public SourceFacts {
    paths = Map.copyOf(paths);
    tokenArrays = List.copyOf(tokenArrays);
    warnings = List.copyOf(warnings);
  }

  /** Returns the facts about an open dataset. */
  public static SourceFacts of(TableDataset dataset) throws IOException {
    ActivationDataset activations = dataset instanceof ActivationDataset some ? some : null;
    Optional<ExampleIds> ids = dataset.ids();
    return new SourceFacts(
        dataset.folder().path(),
        paths(dataset),
        dataset.table(),
        activations == null ? null : activations.activations(),
        dataset.shards(),
        dataset.storageOrder(),
        activations == null || activations.tokenRuns().size() == 1,
        activations == null ? 0 : patches(activations),
        activations == null ? List.of() : activations.tokenArrays().names(),
        ids.isEmpty() || ids.get().areNumbers() ? NUMBERED : ids.get().maxBytes(),
        dataset.sampleMetadata().isPresent(),
        activations != null && activations.isLayerAssumed(),
        dataset.warnings());
  }

  /**
   * Returns the paths that cannot be derived from the shard names, for example if a shard consists
   * of several arrays.
   */
  private static Map<String, String> paths(TableDataset dataset) {
    Folder folder = dataset.folder();
    Map<String, String> paths = new HashMap<>();
    for (Shard shard : dataset.shards()) {
      String path = folder.path(shard.name());
      if (!path.equals(folder.path() + "/" + shard.name())) {
        paths.put(shard.name(), path);
      }
    }
    return paths;
  }

  private static int patches(ActivationDataset dataset) throws IOException {
    if (!dataset.hasLabels()) {
      return 0;
    }
    try (PatchLabels labels = dataset.openLabels()) {
      return labels.patches();
    }
  }

  String path(String file) {
    return paths.getOrDefault(file, folder + "/" + file);
  }

  boolean hasIds() {
    return idBytes != NUMBERED;
  }

  /**
   * Returns whether a dataset still has the same blocks at the same offsets; other changes are
   * detected when blocks are read. File lengths are ignored because tasks, which do not list the
   * folder, may not know them.
   */
  boolean isOf(TableDataset dataset) {
    return table.equals(dataset.table())
        && shards.dataFiles().equals(dataset.shards().dataFiles())
        && order.equals(dataset.storageOrder());
  }

  /**
   * Returns the names of the columns for messages and for matching the columns of other sources.
   */
  List<String> columns() {
    return activations == null
        ? table.columns().stream().map(column -> "column " + column.name()).toList()
        : table.columnIds().stream().map(layer -> "layer " + layer).toList();
  }
}
