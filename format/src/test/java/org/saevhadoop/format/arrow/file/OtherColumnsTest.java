package org.saevhadoop.format.arrow.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.tensor.DType;

/** Columns of any type before the vectors, whose nodes and buffers are skipped. */
class OtherColumnsTest {
  private static final int ROWS = 3;

  private static final ArrowReader EXAMPLES =
      new ArrowReader(
          new ArrowReader.Names(List.of(), Set.of(), ArrowReader.Row.EXAMPLE),
          ArrowReader.Bodies.IN_PLACE);

  static Stream<Field> others() {
    Field number = field("n", new ArrowType.Int(32, true));
    Field text = field("t", ArrowTables.UTF8);
    return Stream.of(
        field("o", new ArrowType.Null()),
        field("o", new ArrowType.Binary()),
        field("o", new ArrowType.LargeBinary()),
        field("o", new ArrowType.BinaryView()),
        field("o", new ArrowType.FixedSizeBinary(5)),
        field("o", new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO)),
        field("o", new ArrowType.Duration(TimeUnit.SECOND)),
        field("o", new ArrowType.Decimal(50, 2, 256)),
        field("o", new ArrowType.List(), text),
        field("o", new ArrowType.ListView(), number),
        field("o", new ArrowType.LargeListView(), text),
        field("o", new ArrowType.FixedSizeList(2), text),
        field("o", new ArrowType.Struct(), text, number),
        field("o", new ArrowType.Union(UnionMode.Sparse, new int[] {0, 1}), text, number),
        field("o", new ArrowType.Union(UnionMode.Dense, new int[] {0, 1}), text, number),
        field(
            "o",
            new ArrowType.Map(false),
            new Field(
                "entries",
                FieldType.notNullable(new ArrowType.Struct()),
                List.of(
                    new Field("key", FieldType.notNullable(ArrowTables.UTF8), List.of()),
                    field("value", new ArrowType.Int(64, true))))),
        field(
            "o",
            new ArrowType.RunEndEncoded(),
            new Field("run_ends", FieldType.notNullable(new ArrowType.Int(32, true)), List.of()),
            field("values", ArrowTables.UTF8)));
  }

  private static Field field(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  @ParameterizedTest
  @MethodSource("others")
  void theVectorsAfterThemAreRead(Field other) throws IOException {
    Field vectors = ArrowTables.column("x", DType.F32, ArrowTables.LIST);
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(List.of((long) Float.floatToIntBits(i + 1), (long) Float.floatToIntBits(-i)));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root =
            VectorSchemaRoot.create(new Schema(List.of(other, vectors)), allocator);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, Channels.newChannel(out))) {
      FieldVector before = root.getVector(0);
      before.allocateNew();
      before.setValueCount(ROWS);
      ArrowTables.fill(root.getVector(1), rows);
      root.setRowCount(ROWS);
      writer.writeBatch();
      writer.end();
    }
    MemoryStorage folder = new MemoryStorage("/data");
    folder.put("x.arrow", out.toByteArray());
    ArrayFile content = EXAMPLES.read(folder, "x.arrow");
    FileArray array =
        content.arrays().stream().filter(own -> own.name().equals("x")).findFirst().orElseThrow();
    assertThat(array.shape()).isEqualTo(List.of((long) ROWS, 2L));
    ByteBuffer found = ByteBuffer.allocate(ROWS * 2 * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (Input in = EXAMPLES.elements(folder, "x.arrow", "x")) {
      in.readFully(array.layout().offset(), found);
    }
    for (int i = 0; i < ROWS; i++) {
      assertThat(found.getFloat(8 * i)).isEqualTo(i + 1);
      assertThat(found.getFloat(8 * i + 4)).isEqualTo(-i);
    }
  }
}
