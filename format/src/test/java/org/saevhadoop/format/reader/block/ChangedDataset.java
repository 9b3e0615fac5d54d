package org.saevhadoop.format.reader.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/** An invented dataset whose files behave otherwise, or whose patches are labelled. */
public record ChangedDataset(
    InventedDataset base,
    UnaryOperator<Input> change,
    int patches,
    Labels labels,
    AtomicInteger opened)
    implements ActivationDataset, Folder {
  /** Reads labels of examples from the first one on into a buffer. */
  public interface Labels {
    void read(long first, ByteBuffer dst) throws IOException;
  }

  /** Labels of an example with {@code patches} tokens beside [CLS]. */
  public static ChangedDataset labelled(InventedDataset base, int patches) {
    return reading(base, UnaryOperator.identity())
        .withLabels(
            patches,
            (first, dst) -> {
              for (long i = first * patches; dst.hasRemaining(); i++) {
                dst.put((byte) label(i / patches, (int) (i % patches)));
              }
            });
  }

  public static ChangedDataset reading(InventedDataset base, UnaryOperator<Input> change) {
    return new ChangedDataset(base, change, 0, (first, dst) -> {}, new AtomicInteger());
  }

  public ChangedDataset withLabels(int patchesOfAnExample, Labels read) {
    return new ChangedDataset(base, change, patchesOfAnExample, read, opened);
  }

  /** The label of a patch, 0 to 4. */
  public static int label(long example, int patch) {
    return (int) ((example * 7 + patch * patch) % 5);
  }

  @Override
  public boolean hasLabels() {
    return patches > 0;
  }

  @Override
  public PatchLabels openLabels() {
    return new PatchLabels() {
      @Override
      public int patches() {
        return patches;
      }

      @Override
      public void read(long first, ByteBuffer dst) throws IOException {
        labels.read(first, dst);
      }

      @Override
      public void close() {
        // nothing is open
      }
    };
  }

  @Override
  public Input open(String name) throws IOException {
    opened.incrementAndGet();
    return change.apply(base.open(name));
  }

  @Override
  public Folder folder() {
    return this;
  }

  @Override
  public Shards shards() {
    return base.shards();
  }

  @Override
  public BlockOrder storageOrder() {
    return base.storageOrder();
  }

  @Override
  public BlockOffsets placement(int shard, Input file) {
    return base.placement(shard, file);
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    return base.expectedRanges(shard, indexInShard, examples, columns);
  }

  @Override
  public Activations activations() {
    return base.activations();
  }

  @Override
  public String path() {
    return base.path();
  }

  @Override
  public SortedMap<String, Long> files() {
    return base.files();
  }

  @Override
  public Output create(String name) {
    throw new IllegalStateException("is only read");
  }
}
