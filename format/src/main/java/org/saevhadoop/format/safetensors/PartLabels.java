package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** The labels of all parts of a dataset, one after another; one part is open at a time. */
final class PartLabels implements PatchLabels {
  private final SafetensorsDataset dataset;
  private final List<Shard> shards;
  private final int patches;
  private Shard part;
  private Input file;
  private long start;

  PartLabels(SafetensorsDataset dataset) {
    this.dataset = dataset;
    this.shards = dataset.shards();
    this.patches = dataset.patches();
  }

  @Override
  public int patches() {
    return patches;
  }

  @Override
  public void read(long first, ByteBuffer dst) throws IOException {
    int limit = dst.limit();
    long example = first;
    while (dst.hasRemaining()) {
      seek(example);
      long index = example - part.first();
      long left = (part.examples() - index) * patches;
      int n = (int) Math.min(left, dst.remaining());
      dst.limit(dst.position() + n);
      file.readFully(start + index * patches, dst);
      dst.limit(limit);
      example += n / patches;
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  private void seek(long example) throws IOException {
    if (part != null && example >= part.first() && example < part.first() + part.examples()) {
      return;
    }
    long examples = dataset.geometry().examples();
    FormatException.check(
        example >= 0 && example < examples,
        dataset.folder().path(),
        "has no labels of example %d (expected 0 to %d)",
        example,
        examples - 1);
    close();
    part = null;
    Shard sought = new Shard("", example, 0, 0);
    int found = Collections.binarySearch(shards, sought, Comparator.comparingLong(Shard::first));
    int index = found >= 0 ? found : -found - 2;
    file = dataset.folder().open(shards.get(index).name());
    start = dataset.labelsStart(index, file);
    part = shards.get(index);
  }
}
