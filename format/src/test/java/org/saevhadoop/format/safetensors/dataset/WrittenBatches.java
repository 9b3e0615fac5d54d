package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.header.HeaderEncoder;
import org.saevhadoop.format.tokens.TokenArrays;

/** Datasets in the batch layout, written and read with the defaults of the format. */
public final class WrittenBatches {
  private WrittenBatches() {}

  /** Returns a plan for activations without labels, with the alignment of the reference. */
  public static BatchWritePlan plan(
      Geometry geometry, Columns columns, long examplesPerShard, Provenance provenance) {
    int alignment = HeaderEncoder.ALIGNMENT;
    return plan(
        geometry.table(), columns, examplesPerShard, Tail.WRITE, alignment, provenance, null);
  }

  /** Returns a plan without per-token integers. */
  public static BatchWritePlan plan(
      TableShape table,
      Columns columns,
      long examplesPerShard,
      Tail tail,
      int alignment,
      Provenance provenance,
      @Nullable LabelSource labels) {
    return new BatchWritePlan(
        table, columns, examplesPerShard, tail, alignment, provenance, labels, TokenArrays.NONE);
  }

  /** Opens a directory, by its manifest if it has one. */
  public static SafetensorsDataset open(Folder folder) throws IOException {
    SafetensorsOptions options = SafetensorsOptions.NONE;
    return SafetensorsDataset.of(SafetensorsTable.open(folder, options), options);
  }

  /** Opens a single file as a dataset. */
  public static SafetensorsDataset openFile(Folder folder, String name) throws IOException {
    SafetensorsOptions options = SafetensorsOptions.NONE;
    return SafetensorsDataset.of(SafetensorsTable.openFile(folder, name, options), options);
  }
}
