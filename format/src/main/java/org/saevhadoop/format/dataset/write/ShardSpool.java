package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;

/**
 * Writes one data file from blocks in any order. If the storage can only append, blocks are
 * collected in a temporary file on the local disk, which is copied once it is complete. Bytes
 * outside of the blocks are zero. If another sink writes the file, the blocks are passed to it in
 * the order of the plan.
 */
public final class ShardSpool implements BlockSink {
  private final String path;
  private final ShardPlan shard;
  private final TableShape table;
  private final BlockOrder order;
  private final int blocks;
  private final BitSet arrived;
  private final ShardPlan.Scattered place;

  /** The data file, if its blocks are written there directly; otherwise null. */
  private final @Nullable Output direct;

  private final @Nullable LocalSpool spool;
  private final Folder folder;
  private final Io.@Nullable Supplier<BlockSink> opener;

  /**
   * Opens the spool of a data file.
   *
   * @param folder the folder in which the data file is created once all blocks have arrived
   * @param opener opens the sink that writes the file; null if the plan describes the file byte by
   *     byte
   */
  public ShardSpool(
      ShardPlan shard,
      WritePlan plan,
      Folder folder,
      Path localFolder,
      Io.@Nullable Supplier<BlockSink> opener)
      throws IOException {
    this.path = folder.path(shard.name());
    this.shard = shard;
    this.table = plan.table();
    this.order = plan.order();
    this.blocks = Math.toIntExact(shard.examples() * table.columns().size());
    this.arrived = new BitSet(blocks);
    this.place = shard.scattered() == null ? inOrder() : shard.scattered();
    this.folder = folder;
    this.opener = opener;
    boolean isDirect = opener == null && place.filler() == null && folder.isSeekable();
    this.direct = isDirect ? folder.create(shard.name()) : null;
    this.spool = isDirect ? null : LocalSpool.temporary(localFolder);
    if (direct != null) {
      shard.writeHead(direct);
    }
  }

  private ShardPlan.Scattered inOrder() {
    long start = shard.blocksBegin();
    return new ShardPlan.Scattered(
        BlockOffsets.contiguous(table, order, shard.examples(), start),
        start + shard.examples() * table.exampleBytes(),
        null);
  }

  @Override
  public void write(long example, int column, ByteBuffer block) throws IOException {
    long index = example - shard.first();
    DatasetError.BLOCK_OUT_OF_ORDER.check(
        index >= 0 && index < shard.examples(),
        path,
        "example %d does not belong here (expected %d to %d)",
        example,
        shard.first(),
        shard.first() + shard.examples() - 1);
    checkArrived(index, column, 1);
    DatasetError.BLOCK_SIZE.check(
        block.remaining() == table.blockBytes(column),
        path,
        "example %d has a block of %d bytes (expected %d)",
        example,
        block.remaining(),
        table.blockBytes(column));
    put(index, column, 1, block);
  }

  @Override
  public boolean writeRun(long example, int column, ByteBuffer run) throws IOException {
    long index = example - shard.first();
    long bytes = table.blockBytes(column);
    long count = bytes == 0 ? 0 : run.remaining() / bytes;
    if (!order.byLayer()
        || count == 0
        || index < 0
        || index + count > shard.examples()
        || count * bytes != run.remaining()
        || place.placement().offset(index + count - 1, column)
            != place.placement().offset(index, column) + (count - 1) * bytes) {
      return false;
    }
    checkArrived(index, column, count);
    put(index, column, count, run);
    return true;
  }

  private void checkArrived(long index, int column, long count) throws FormatException {
    for (long i = index; i < index + count; i++) {
      if (arrived.get(ordinal(i, column))) {
        throw DatasetError.BLOCK_REPEATED.in(
            path, "%s arrived twice", table.describe(shard.first() + i, column));
      }
    }
  }

  private int ordinal(long index, int column) {
    return (int) (column * shard.examples() + index);
  }

  private void put(long index, int column, long count, ByteBuffer bytes) throws IOException {
    int ordinal = ordinal(index, column);
    arrived.set(ordinal, (int) (ordinal + count));
    long offset = place.placement().offset(index, column);
    if (direct != null) {
      direct.writeAt(offset, bytes);
    } else {
      Objects.requireNonNull(spool).write(offset - shard.blocksBegin(), bytes);
    }
  }

  @Override
  public void close() throws IOException {
    try (Output file = direct;
        LocalSpool reading = spool) {
      DatasetError.INCOMPLETE.check(
          arrived.cardinality() == blocks,
          path,
          "is incomplete: %d of %d blocks arrived",
          arrived.cardinality(),
          blocks);
      if (file != null) {
        file.extendTo(place.end());
        shard.writeTail(file);
      } else if (opener == null) {
        copy(Objects.requireNonNull(reading));
      } else {
        replay(Objects.requireNonNull(reading), opener);
      }
    }
  }

  private void copy(LocalSpool reading) throws IOException {
    if (place.filler() != null) {
      place.filler().fill(position -> reading.output(path, shard.blocksBegin(), position));
    }
    try (Output out = folder.create(shard.name())) {
      shard.writeHead(out);
      reading.copyTo(out);
      out.extendTo(place.end());
      shard.writeTail(out);
    }
  }

  private void replay(LocalSpool reading, Io.Supplier<BlockSink> opener) throws IOException {
    ByteBuffer block = Input.buffer(0);
    try (BlockSink sink = opener.get()) {
      for (long i = 0; i < blocks; i++) {
        long index = order.indexInGroup(i, shard.examples());
        int column = order.column(i, shard.examples());
        int bytes = Math.toIntExact(table.blockBytes(column));
        block = block.capacity() < bytes ? Input.buffer(bytes) : block;
        long from = place.placement().offset(index, column) - shard.blocksBegin();
        reading.read(from, block.clear().limit(bytes));
        sink.write(shard.first() + index, column, block.flip());
      }
    }
  }
}
