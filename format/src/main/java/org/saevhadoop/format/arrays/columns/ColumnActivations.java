package org.saevhadoop.format.arrays.columns;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tokens.TokenArrays;

/** Activations in any table, as a dataset whose columns are the layers. */
public class ColumnActivations implements ActivationDataset {
  private final TableDataset table;
  private final ActivationColumns columns;
  private final Activations activations;
  private final Supplier<BlockOrder> order;
  private final List<String> warnings;

  /**
   * Creates a dataset.
   *
   * @param activations the description of the activations, with the shape in {@code columns}
   * @param order supplies the order of the blocks in a shard, with layers as columns
   * @param warnings warnings for the user, including warnings about the table
   */
  public ColumnActivations(
      TableDataset table,
      ActivationColumns columns,
      Activations activations,
      Supplier<BlockOrder> order,
      List<String> warnings) {
    this.table = table;
    this.columns = columns;
    this.activations = isEachLabelled(activations) ? withoutCls(activations) : activations;
    this.order = order;
    this.warnings = List.copyOf(warnings);
  }

  /**
   * Returns whether each token has a label; in that case there is no [CLS], because [CLS] has no
   * label.
   */
  private boolean isEachLabelled(Activations described) {
    return hasLabels()
        && table.table().columns().get(columns.labels()).elements()
            == described.geometry().tokens();
  }

  private static Activations withoutCls(Activations described) {
    return described.clsTokens().isPresent()
        ? described
        : new Activations(described.geometry(), OptionalInt.of(0), described.provenance());
  }

  @Override
  public final Folder folder() {
    return table.folder();
  }

  @Override
  public String path() {
    return table.path();
  }

  @Override
  public final Activations activations() {
    return activations;
  }

  @Override
  public final Shards shards() {
    return table.shards();
  }

  @Override
  public final BlockOrder storageOrder() {
    return order.get();
  }

  @Override
  public final BlockOffsets placement(int shard, Input file) throws IOException {
    return columns.placement(table.placement(shard, file));
  }

  @Override
  public final List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> layers) {
    return table.expectedRanges(shard, indexInShard, examples, columns.columnsOf(layers));
  }

  @Override
  public final boolean hasLabels() {
    return columns.labels() >= 0;
  }

  @Override
  public final PatchLabels openLabels() throws IOException {
    return hasLabels()
        ? new ColumnLabels(table, columns.labels())
        : ActivationDataset.super.openLabels();
  }

  @Override
  public final TokenArrays tokenArrays() {
    return columns.tokens().isEmpty()
        ? TokenArrays.NONE
        : new ColumnTokens(table, columns.tokens(), geometry().tokens());
  }

  @Override
  public final String blockPath(long example, int column) throws IOException {
    return table.blockPath(example, columns.columnsOf(List.of(column)).get(0));
  }

  @Override
  public final long sourceExample(long example) {
    return table.sourceExample(example);
  }

  @Override
  public final Optional<ExampleIds> ids() {
    return table.ids();
  }

  @Override
  public final Optional<SampleMetadata> sampleMetadata() throws IOException {
    return table.sampleMetadata();
  }

  @Override
  public final List<String> warnings() {
    return warnings;
  }
}
