package org.saevhadoop.format.arrow.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.types.MetadataVersion;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Tables of any types that Apache Arrow writes, against the values that they were made of. */
@Tag("sampled")
class ArrowReaderPropertyTest {
  static final ArrowReader ANY =
      new ArrowReader(
          new ArrowReader.Names(List.of(), Set.of("input_ids"), ArrowReader.Row.OTHER),
          ArrowReader.Bodies.PACKED);

  /** A column of the vectors, whose lists have sizes by level; 0 for one that depends on rows. */
  private record Made(Field field, DType dtype, List<Integer> sizes, List<ArrowType> lists) {
    Object row(RandomValues any, int length, int level) {
      if (level == sizes.size()) {
        return dtype == DType.BOOL ? any.anyLong() & 1 : any.anyLong();
      }
      int size = sizes.get(level) == 0 ? length : sizes.get(level);
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        list.add(row(any, length, level + 1));
      }
      return list;
    }

    List<Long> shape(int length) {
      return sizes.stream().map(size -> (long) (size == 0 ? length : size)).toList();
    }
  }

  private static Made made(RandomValues any, String name, boolean isRagged, boolean isVector) {
    List<Integer> sizes = new ArrayList<>();
    List<ArrowType> lists = new ArrayList<>();
    int levels = any.intBetween(isVector ? 1 : 0, 3);
    int ragged = isRagged && levels > 0 ? any.intBetween(0, levels - 1) : -1;
    for (int i = 0; i < levels; i++) {
      int size = any.intBetween(1, 4);
      boolean isFixed = i != ragged && any.bool();
      sizes.add(i == ragged ? 0 : size);
      lists.add(
          isFixed
              ? ArrowTables.fixed(size)
              : any.bool() ? ArrowTables.LIST : ArrowTables.LARGE_LIST);
    }
    DType dtype =
        isVector
            ? any.of(DType.F16, DType.F32, DType.F64)
            : any.of(DType.BOOL, DType.I8, DType.U16, DType.I32, DType.U32, DType.I64, DType.U64);
    Field field = ArrowTables.column(name, dtype, lists.toArray(ArrowType[]::new));
    return new Made(field, dtype, sizes, lists);
  }

  @Property(tries = 300, sample = 100)
  void valuesAreThoseOfTheTable(RandomValues any) throws IOException {
    boolean isRagged = any.bool();
    Made vectors = made(any, "x", isRagged, true);
    Made integers = made(any, "n", false, false);
    List<Field> fields = new ArrayList<>(List.of(vectors.field, integers.field));
    fields.add(
        any.intBetween(0, 2), ArrowTables.column("text", ArrowTables.UTF8, List.of(), Map.of()));
    fields.add(
        any.intBetween(0, 3),
        new Field(
            "s",
            FieldType.nullable(new ArrowType.Struct()),
            List.of(ArrowTables.column("id", DType.I32), ArrowTables.column("ok", DType.BOOL))));
    List<List<List<Object>>> batches = new ArrayList<>();
    List<Part> expected = new ArrayList<>();
    int count = any.intBetween(1, 4);
    for (int i = 0; i < count; i++) {
      int rows = any.intBetween(i == 0 ? 1 : 0, 40);
      List<List<Object>> columns = new ArrayList<>();
      fields.forEach(field -> columns.add(new ArrayList<>()));
      int length = any.intBetween(1, 3);
      for (int row = 0; row < rows; row++) {
        boolean isNew = isRagged && any.intBetween(0, 3) == 0;
        length = isNew ? any.intBetween(1, 3) : length;
        Object x = vectors.row(any, length, 0);
        Object n = integers.row(any, 1, 0);
        Object id = any.anyLong() & 0xffffffffL;
        for (int c = 0; c < fields.size(); c++) {
          columns
              .get(c)
              .add(
                  switch (fields.get(c).getName()) {
                    case "x" -> x;
                    case "n" -> n;
                    case "s" -> List.of(id, 1L);
                    default -> any.bool() ? null : "text";
                  });
        }
        Part last = expected.isEmpty() ? null : expected.get(expected.size() - 1);
        if (last == null || last.batch != i || !last.shape.equals(vectors.shape(length))) {
          last = new Part(i, vectors.shape(length), new ArrayList<>());
          expected.add(last);
        }
        last.rows.add(List.of(x, n, id));
      }
      batches.add(columns);
    }
    ArrowTables.Form form =
        new ArrowTables.Form(
            any.bool(), any.bool() ? MetadataVersion.V5 : MetadataVersion.V4, any.bool());
    if (form.version() == MetadataVersion.V5) {
      form = new ArrowTables.Form(form.isFile(), form.version(), false);
    }
    form =
        form.with(
            any.of(
                CodecType.NO_COMPRESSION,
                CodecType.NO_COMPRESSION,
                CodecType.LZ4_FRAME,
                CodecType.ZSTD));
    MemoryStorage folder = new MemoryStorage("/data");
    folder.put("x.arrow", ArrowTables.write(form, fields, batches));
    ArrayFile content = ANY.read(folder, "x.arrow");
    assertThat(content.parts()).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      Part part = expected.get(i);
      ArrayFile own = content.parts().get(i);
      check(folder, own, "x", vectors.dtype, part.shape, part.rows, 0);
      check(folder, own, "n", integers.dtype, integers.shape(1), part.rows, 1);
      check(folder, own, "s.id", DType.I32, List.of(), part.rows, 2);
      assertThat(own.arrays()).extracting(FileArray::name).contains("s.ok");
    }
    assertThat(content.warnings()).hasSize(1).first().asString().contains("text (utf8)");
  }

  private record Part(int batch, List<Long> shape, List<List<Object>> rows) {}

  private static void check(
      MemoryStorage folder,
      ArrayFile part,
      String name,
      DType dtype,
      List<Long> shape,
      List<List<Object>> rows,
      int column)
      throws IOException {
    FileArray array =
        part.arrays().stream().filter(a -> a.name().equals(name)).findFirst().orElseThrow();
    List<Long> all = new ArrayList<>(List.of((long) rows.size()));
    all.addAll(shape);
    assertThat(array.shape()).isEqualTo(all);
    assertThat(array.dtype()).isEqualTo(dtype);
    int width = dtype == DType.BOOL ? 1 : dtype.bits() / Byte.SIZE;
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (List<Object> row : rows) {
      ArrowTables.flat(row.get(column))
          .forEach(bits -> expected.writeBytes(Arrays.copyOf(ArrowTables.bytes(bits, 8), width)));
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) array.layout().length());
    try (Input in = ANY.elements(folder, "x.arrow", name)) {
      in.readFully(array.layout().offset(), bytes);
    }
    assertThat(bytes.array()).isEqualTo(expected.toByteArray());
  }
}
