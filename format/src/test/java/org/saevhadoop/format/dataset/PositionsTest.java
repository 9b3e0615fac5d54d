package org.saevhadoop.format.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is asked with each block takes as many steps for a thousand layers as for one. */
class PositionsTest {
  private static final int MANY = 4000;

  /** Integers that count how often they are compared or read. */
  private static final class CountedList extends AbstractList<Integer> {
    private final AtomicInteger reads = new AtomicInteger();

    @Override
    public Integer get(int index) {
      reads.incrementAndGet();
      return MANY + 7 - index;
    }

    @Override
    public int size() {
      return MANY;
    }
  }

  @Test
  void positionsOfAllLayersAreFoundByReadingEachOnce() {
    CountedList layers = new CountedList();
    Map<Integer, Integer> positions = TableShape.positions(layers);
    assertThat(layers.reads).hasValue(MANY);
    IntStream.range(0, MANY).forEach(i -> assertThat(positions).containsEntry(MANY + 7 - i, i));
    assertThat(positions.get(7)).isNull();
  }

  @Test
  void offsetsOfAColumnDoNotDependOnTheOthers() {
    Geometry geometry = new Geometry(3, IntStream.range(7, MANY + 7).boxed().toList(), 2, 4);
    TableShape table = geometry.table();
    BlockOffsets offsets = BlockOffsets.contiguous(table, BlockOrder.byExample(table), 3, 100);
    assertThat(offsets.offset(2, MANY - 1)).isEqualTo(100 + 32L * (3 * MANY - 1));
    assertThat(TableShape.positions(List.of())).isEmpty();
  }
}
