package org.saevhadoop.format.combined;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;

/** A table in memory, each of whose files holds two examples, and whose values are small. */
record MadeTable(String path, TableShape table, boolean byLayer) implements TableDataset, Folder {
  private static final int PER_FILE = 2;

  CombinedSource source() throws IOException {
    return CombinedSource.of(path, "sum", () -> this);
  }

  /** Returns whether an example and a column are in this table. */
  boolean has(long example, String column) {
    return example < table.examples() && index(column) >= 0;
  }

  int index(String column) {
    return table.columns().stream().map(Column::name).toList().indexOf(column);
  }

  /** Returns a block in a type. */
  ByteBuffer block(long example, int column, DType type) {
    Column stored = table.columns().get(column);
    ByteBuffer values = ByteBuffer.allocate((int) stored.elements()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < stored.elements(); i++) {
      values.put((byte) ((example * 29 + column * 17 + i * 5 + path.hashCode()) & 0x7f));
    }
    ByteBuffer block = ByteBuffer.allocate((int) stored.as(type).bytes());
    DTypeConversion.of(DType.I8, type).convert(values.flip(), block);
    return block.flip();
  }

  @Override
  public Folder folder() {
    return this;
  }

  @Override
  public Shards shards() {
    List<Shard> shards = new ArrayList<>();
    for (long first = 0; first < table.examples(); first += PER_FILE) {
      long examples = Math.min(PER_FILE, table.examples() - first);
      shards.add(new Shard("f" + shards.size(), first, examples, examples * table.exampleBytes()));
    }
    return new Shards(shards);
  }

  @Override
  public BlockOrder storageOrder() {
    return new BlockOrder(byLayer, BlockOrder.byExample(table).columns());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) {
    return BlockOffsets.contiguous(table, storageOrder(), shards().get(shard).examples(), 0);
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    return List.of();
  }

  @Override
  public List<String> warnings() {
    return List.of();
  }

  @Override
  public SortedMap<String, Long> files() {
    return new TreeMap<>();
  }

  @Override
  public Input open(String name) {
    int index = Integer.parseInt(name.substring(1));
    Shard shard = shards().get(index);
    ByteBuffer bytes = ByteBuffer.allocate((int) shard.bytes());
    for (long i = 0; i < shard.examples(); i++) {
      for (int column = 0; column < table.columns().size(); column++) {
        ByteBuffer block = block(shard.first() + i, column, table.columns().get(column).dtype());
        bytes.position((int) placement(index, null).offset(i, column)).put(block);
      }
    }
    return new MemoryInput(path(name), bytes.array(), new ArrayList<>());
  }

  @Override
  public Output create(String name) {
    throw new IllegalStateException("is only read");
  }
}
