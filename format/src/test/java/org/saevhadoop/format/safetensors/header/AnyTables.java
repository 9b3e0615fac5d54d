package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.PlainShardSinks;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.RandomValues;

/** Tables of any columns, whose every block has bytes of its own. */
public final class AnyTables {
  private AnyTables() {}

  /** Columns of any types and shapes, packed and empty ones among them. */
  public static List<Column> columns(RandomValues any) {
    return any.distinct(
        1,
        4,
        Column::name,
        () ->
            column(
                any.of(
                    "a",
                    "b",
                    "layer_9",
                    "layer_10",
                    "\u00fc\ud83d\ude00",
                    "\uff41",
                    "q\"\\\n",
                    " "),
                any.of(DType.class),
                any.list(0, 3, () -> any.longBetween(0, 4))));
  }

  private static Column column(String name, DType dtype, List<Long> shape) {
    boolean whole = TensorSize.bits(dtype, shape) % Byte.SIZE == 0;
    return new Column(name, dtype, whole ? shape : List.of(3L, 4L));
  }

  /** The block of an example, known by its column's name. */
  public static ByteBuffer block(long example, Column column) {
    byte[] bytes = new byte[(int) column.bytes()];
    new Random(example * 31 + column.name().hashCode()).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Writes a dataset as tasks do. */
  public static <P extends WritePlan & DatasetFinisher> void write(
      P target, Folder folder, Path spool) throws IOException {
    PlainShardSinks sinks = new PlainShardSinks(target, SampleMetadata.NONE);
    for (long i = 0; i < target.shardCount(); i++) {
      ShardPlan plan = target.shard(i);
      assertThat(target.shardName(i)).isEqualTo(plan.name());
      BlockOrder order = target.order();
      try (BlockSink sink = sinks.open(i, false, folder, spool)) {
        long blocks = plan.examples() * target.table().columns().size();
        for (long ordinal = 0; ordinal < blocks; ordinal++) {
          long example = plan.first() + order.indexInGroup(ordinal, plan.examples());
          int column = order.column(ordinal, plan.examples());
          sink.write(example, column, block(example, target.table().columns().get(column)));
        }
      }
    }
    InventedFiles.writeDocuments(target, folder);
  }

  /**
   * Asserts that a dataset has all blocks of all columns, whatever the order of these.
   *
   * @param number of the example that was written, from the one that is read
   */
  public static void assertSame(TableDataset dataset, TableShape expected, LongUnaryOperator number)
      throws IOException {
    TableShape table = dataset.table();
    assertThat(table.examples()).isEqualTo(expected.examples());
    assertThat(table.columns()).containsExactlyInAnyOrderElementsOf(expected.columns());
    List<Integer> backwards = new ArrayList<>(BlockOrder.byExample(table).columns());
    Collections.reverse(backwards);
    for (BlockOrder order :
        List.of(
            BlockOrder.byExample(table), new BlockOrder(true, backwards), dataset.storageOrder())) {
      long blocks = 0;
      RecordSelection whole = new RecordSelection(order, 3, RecordSelection.Unit.BLOCK);
      try (BlockCursor cursor = new BlockCursor(dataset, whole, 0, table.examples())) {
        while (cursor.next()) {
          Column column = table.columns().get(cursor.column());
          assertThat(cursor.bytes())
              .as("%d of %s", cursor.example(), column)
              .isEqualTo(block(number.applyAsLong(cursor.example()), column));
          blocks++;
        }
        assertThat(cursor.next()).isFalse();
      }
      assertThat(blocks).isEqualTo(table.examples() * table.columns().size());
    }
  }

  /** Asserts that each file is byte for byte what the reference writes of its tensors. */
  public static void assertCanonical(Folder folder, int alignment) throws IOException {
    for (String name : folder.files().keySet()) {
      if (name.endsWith(SafetensorsTable.SUFFIX)) {
        try (Input in = folder.open(name)) {
          SafetensorsHeader header = SafetensorsHeader.read(in);
          List<TensorSpec> specs =
              header.tensors().stream()
                  .map(t -> new TensorSpec(t.name(), t.dtype(), t.shape()))
                  .toList();
          ByteBuffer again = SafetensorsHeader.encode(specs, header.metadata(), alignment).bytes();
          ByteBuffer found = ByteBuffer.allocate(again.remaining());
          in.readFully(0, found);
          assertThat(found.flip()).isEqualTo(again);
          assertThat(header.dataStart() % alignment).isZero();
        }
      }
    }
  }
}
