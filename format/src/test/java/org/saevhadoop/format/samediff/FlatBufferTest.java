package org.saevhadoop.format.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.samediff.FlatForge.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.samediff.FlatBuffer.Table;

class FlatBufferTest {
  private static final int TABLES = 1_000_000;

  @Test
  void aBufferThatIsTooSmallIsNoticed() {
    assertThatThrownBy(() -> new FlatBuffer(ByteBuffer.allocate(11), RuleLevel.ANY))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: a FlatBuffer has at least 12 bytes: ");
  }

  @Test
  void numbersThatAreNotAlignedAreNotOurs() {
    ByteBuffer buffer = withVector(Integer.BYTES + Long.BYTES);
    buffer.putInt(1).putLong(7);
    assertThat(root(buffer, RuleLevel.ANY).int64s(0)).containsExactly(7L);
    assertThatThrownBy(() -> root(buffer, RuleLevel.OURS).int64s(0))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: ours: elements of vectors are aligned: ");
  }

  @Test
  @Tag("long")
  void asManyTablesAsTheLimitAreRead() {
    assertThat(root(tables(TABLES - 1), RuleLevel.ANY).tables(0).size()).isEqualTo(TABLES - 1);
  }

  @Test
  @Tag("late")
  void tooManyTablesAreNoticed() {
    assertThatThrownBy(() -> root(tables(TABLES), RuleLevel.ANY).tables(0))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: there are at most 1,000,000 tables: ");
  }

  private static Table root(ByteBuffer buffer, RuleLevel level) {
    return new FlatBuffer(buffer.duplicate().rewind(), level).root();
  }

  /** A vector of offsets, all of the same table. */
  private static ByteBuffer tables(int count) {
    ByteBuffer buffer = withVector((count + 4) * Integer.BYTES);
    buffer.putInt(count);
    int target = buffer.position() + (count + 1) * Integer.BYTES;
    for (int i = 0; i < count; i++) {
      buffer.putInt(target - buffer.position());
    }
    return buffer.putShort((short) 4).putShort((short) 4).putInt(4).putInt(0);
  }

  /** A table whose field 0 is the vector that follows, whose elements are not aligned to 8. */
  private static ByteBuffer withVector(int bytes) {
    byte[] start = FlatForge.bytes(table(0, List.of()));
    ByteBuffer buffer =
        ByteBuffer.allocate(start.length + bytes).order(ByteOrder.LITTLE_ENDIAN).put(start);
    int field = buffer.getInt(0) + Integer.BYTES;
    return buffer.putInt(field, start.length - field);
  }
}
