package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;

/**
 * Writes one data file from blocks in any order: they wait at their place in a temporary file on
 * the local disk, which is copied once all are there. For storages that can only append. What no
 * block fills is zero. Blocks of a file whose length is not known go to the target's own sink, in
 * their order.
 */
public final class ShardSpool implements BlockSink {
  private static final int COPY_BYTES = 1 << 20;

  private final Folder folder;
  private final String path;
  private final ShardPlan plan;
  private final DatasetTarget target;
  private final Table table;
  private final int blocks;
  private final BitSet arrived;
  private final ShardPlan.Scattered place;
  private final FileChannel spool;

  /**
   * Opens the spool file, which has no name any more once it is open.
   *
   * @param folder where the data file is created, once all blocks are there
   * @param localFolder a folder of the local disk
   */
  public ShardSpool(ShardPlan plan, DatasetTarget target, Folder folder, Path localFolder)
      throws IOException {
    this.folder = folder;
    this.path = folder.path(plan.name());
    this.plan = plan;
    this.target = target;
    this.table = target.table();
    this.blocks = Math.toIntExact(plan.examples() * table.columns().size());
    this.arrived = new BitSet(blocks);
    this.place = plan.scattered() == null ? inOrder() : plan.scattered();
    this.spool =
        FileChannel.open(
            Files.createTempFile(localFolder, "blocks", ".spool"),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  private ShardPlan.Scattered inOrder() {
    BlockOrder order = target.order();
    long start = plan.header().length;
    Placement placement =
        order.byLayer()
            ? Placement.byColumn(table, order, plan.examples(), start)
            : Placement.byExample(table, order, start);
    return new ShardPlan.Scattered(placement, start + plan.examples() * table.exampleBytes());
  }

  @Override
  public void write(long example, int layerIndex, ByteBuffer block) throws IOException {
    long index = example - plan.first();
    FormatException.check(
        index >= 0 && index < plan.examples(),
        path,
        "example %d does not belong here (expected %d to %d)",
        example,
        plan.first(),
        plan.first() + plan.examples() - 1);
    int ordinal = (int) (index * table.columns().size()) + layerIndex;
    if (arrived.get(ordinal)) {
      throw FormatException.of(path, "%s arrived twice", table.describe(example, layerIndex));
    }
    FormatException.check(
        block.remaining() == table.blockBytes(layerIndex),
        path,
        "example %d has a block of %d bytes (expected %d)",
        example,
        block.remaining(),
        table.blockBytes(layerIndex));
    arrived.set(ordinal);
    long position = place.placement().offset(index, layerIndex) - plan.header().length;
    while (block.hasRemaining()) {
      position += spool.write(block, position);
    }
  }

  @Override
  public void close() throws IOException {
    try (FileChannel reading = spool) {
      FormatException.check(
          arrived.cardinality() == blocks,
          path,
          "is incomplete: %d of %d blocks arrived",
          arrived.cardinality(),
          blocks);
      if (plan.length() == ShardPlan.UNKNOWN) {
        replay(reading);
      } else {
        copy(reading);
      }
    }
  }

  private void copy(FileChannel reading) throws IOException {
    try (Output out = folder.create(plan.name())) {
      out.write(ByteBuffer.wrap(plan.header()));
      ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);
      long position = 0;
      for (int n = reading.read(buffer, 0); n > 0; n = reading.read(buffer, position)) {
        position += n;
        out.write(buffer.flip());
        buffer.clear();
      }
      out.extendTo(place.end());
      target.finish(plan, out);
    }
  }

  private void replay(FileChannel reading) throws IOException {
    BlockOrder order = target.order();
    ByteBuffer block = ByteBuffer.allocateDirect(0);
    try (BlockSink sink = target.sink(plan, folder)) {
      for (long i = 0; i < blocks; i++) {
        long index = order.indexInGroup(i, plan.examples());
        int column = order.layerIndex(i, plan.examples());
        int bytes = Math.toIntExact(table.blockBytes(column));
        block = block.capacity() < bytes ? ByteBuffer.allocateDirect(bytes) : block;
        long from = place.placement().offset(index, column) - plan.header().length;
        block.clear().limit(bytes);
        while (block.hasRemaining()) {
          FormatException.check(
              reading.read(block, from + block.position()) >= 0, path, "its spool was cut");
        }
        sink.write(plan.first() + index, column, block.flip());
      }
    }
  }
}
