package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.tensor.DType;

@Isolated
@Tag("late")
class ManyColumnsTest {
  private static final int MANY = 100_000;

  @Test
  void blocksOfKeysAreFoundByTheirColumnsWhateverOrderAFileHas() {
    Column a = new Column("a", DType.F32, List.of());
    Column b = new Column("b", DType.F32, List.of());
    KeyedFile part = new KeyedFile(List.of("0", "1"), List.of(b, a), new long[] {0, 4, 8, 12});
    BlockOffsets placement = part.placement(List.of(a, b), 100);
    assertThat(placement.offset(0, 0)).isEqualTo(104);
    assertThat(placement.offset(1, 1)).isEqualTo(108);
  }

  @Test
  @Timeout(60)
  void theTimeOfAConversionGrowsWithItsColumnsAndNotWithTheirSquare() {
    List<Column> columns =
        IntStream.range(0, MANY)
            .mapToObj(i -> new Column("c%06d".formatted(i), DType.F32, List.of()))
            .toList();
    TableShape table = new TableShape(1, columns);
    BatchWritePlan target =
        WrittenBatches.plan(table, Columns.LAYERS, 2, Tail.PAD, 8, Provenance.NONE, null);
    assertThat(target.order().columns()).startsWith(0, 1, 2).endsWith(MANY - 1);
    long start = target.shard(0).header().length;
    BlockOffsets placement = target.shard(0).scattered().placement();
    assertThat(placement.offset(0, MANY - 1)).isEqualTo(start + 8L * (MANY - 1));

    long[] begins = IntStream.range(0, MANY).mapToLong(i -> 4L * i).toArray();
    KeyedFile keyed = new KeyedFile(List.of("0"), columns, begins);
    assertThat(keyed.placement(columns, 100).offset(0, MANY - 1)).isEqualTo(96 + 4L * MANY);
    BlockOrder order = target.order();
    long sum = IntStream.range(0, MANY).mapToLong(column -> order.ordinal(0, column, 1)).sum();
    assertThat(sum).isEqualTo(MANY * (MANY - 1L) / 2);
  }
}
