package org.saevhadoop.format.parquet.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/** The schema for Arrow's readers, as Apache Arrow for Java reads it. */
class ArrowSchemaTextTest {
  private static final int TOKENS = 3;
  private static final int DIM = 5;

  @TempDir Path directory;

  private static final TokenArrays TOKEN_IDS =
      new TokenArrays() {
        @Override
        public List<String> names() {
          return List.of("token_ids");
        }

        @Override
        public int tokens() {
          return TOKENS;
        }

        @Override
        public TokenReader open() {
          return new TokenReader() {
            @Override
            public void read(int array, long first, LongBuffer dst) {
              throw new UnsupportedOperationException("no example has token ids");
            }

            @Override
            public void close() {}
          };
        }
      };

  /** Returns the plan of a dataset without examples, which has columns of all kinds. */
  private static ParquetWritePlan plan(
      RowUnit unit, int tokens, int patches, DType dtype, boolean bits) throws IOException {
    Geometry geometry = new Geometry(0, List.of(13, 21), tokens, DIM, dtype);
    InventedDataset labelled = new InventedDataset(geometry, false, 5).withLabels(patches);
    return new ParquetWritePlan(
        geometry,
        7,
        1 << 20,
        unit,
        bits,
        PageCompression.NONE,
        new Provenance(new TreeMap<>()),
        LabelSource.of(labelled, geometry),
        tokens == TOKENS ? TOKEN_IDS : TokenArrays.NONE,
        ExampleIds.numbers(0),
        (first, count) -> () -> null);
  }

  private static List<Field> fields(TableFooter footer) throws IOException {
    byte[] message = Base64.getDecoder().decode(footer.metadata().get("ARROW:schema"));
    ByteArrayInputStream in = new ByteArrayInputStream(message);
    List<Field> fields =
        MessageSerializer.deserializeSchema(new ReadChannel(Channels.newChannel(in))).getFields();
    assertThat(in.available()).isZero();
    return fields;
  }

  /** Writes a plan, and returns the fields of its files, which all have the same. */
  private List<String> written(ParquetWritePlan plan) throws IOException {
    Path folder = directory.resolve(plan.unit() + "-" + plan.geometry().tokens());
    InventedFiles.write(plan.write(), folder);
    List<List<String>> all = new ArrayList<>();
    for (String file : List.of("part-00000.parquet", ParquetWritePlan.SUMMARY)) {
      try (Input in = new LocalFolder(folder).open(file)) {
        TableFooter footer = TableFooter.read(in);
        List<Field> fields = fields(footer);
        assertThat(footer.others()).isEmpty();
        assertThat(fields).hasSameSizeAs(footer.columns());
        for (int i = 0; i < fields.size(); i++) {
          assertDescribes(fields.get(i), footer.columns().get(i));
        }
        all.add(fields.stream().map(Field::toString).toList());
      }
    }
    assertThat(all.get(0)).isEqualTo(all.get(1));
    return all.get(0);
  }

  /** Asserts that a field is a column of the schema of Parquet. */
  private static void assertDescribes(Field field, TableColumn column) {
    assertThat(field.getName()).isEqualTo(column.name());
    Field leaf = field;
    int lists = 0;
    while (leaf.getType() instanceof ArrowType.FixedSizeList) {
      assertThat(leaf.isNullable()).isFalse();
      assertThat(leaf.getChildren()).hasSize(1);
      leaf = leaf.getChildren().get(0);
      lists++;
    }
    assertThat(lists).isEqualTo(column.lists());
    assertThat(leaf.isNullable()).isEqualTo(column.definition() > column.lists());
    assertThat(leaf.getChildren()).isEmpty();
    String type =
        column.isText()
            ? "Utf8"
            : column.elements() > 1
                ? "FixedSizeBinary(" + column.width() + ")"
                : switch (column.dtype()) {
                  case F32 -> "FloatingPoint(SINGLE)";
                  case F64 -> "FloatingPoint(DOUBLE)";
                  case I32 -> "Int(32, true)";
                  case I64 -> "Int(64, true)";
                  default -> "none";
                };
    assertThat(leaf.getType()).hasToString(type);
  }

  @Test
  void rowsThatAreVectorsHaveOneList() throws IOException {
    assertThat(written(plan(RowUnit.VECTOR, TOKENS, TOKENS - 1, DType.F32, false)))
        .containsExactly(
            "example: Int(64, true) not null",
            "layer: Int(32, true) not null",
            "token: Int(32, true) not null",
            "vector: FixedSizeList(5)<element: FloatingPoint(SINGLE) not null> not null",
            "label: Int(32, true)",
            "token_ids: Int(64, true) not null",
            "id: Utf8 not null",
            "sample: Utf8",
            "position: Int(64, true)");
    assertThat(written(plan(RowUnit.VECTOR, 1, 1, DType.F64, false)))
        .contains(
            "vector: FixedSizeList(5)<element: FloatingPoint(DOUBLE) not null> not null",
            "label: Int(32, true) not null",
            "whole: Int(32, true) not null")
        .hasSize(9);
  }

  @Test
  void rowsThatAreExamplesHaveListsOfVectors() throws IOException {
    String vectors =
        ": FixedSizeList(3)<element: FixedSizeList(5)<element: FloatingPoint(SINGLE) not null>"
            + " not null> not null";
    assertThat(written(plan(RowUnit.EXAMPLE, TOKENS, TOKENS - 1, DType.F32, false)))
        .containsExactly(
            "example: Int(64, true) not null",
            "layer_13" + vectors,
            "layer_21" + vectors,
            "label: FixedSizeList(3)<element: Int(32, true) not null> not null",
            "token_ids: FixedSizeList(3)<element: Int(64, true) not null> not null",
            "id: Utf8 not null",
            "sample: Utf8",
            "position: FixedSizeList(3)<element: Int(64, true) not null> not null");
  }

  @ParameterizedTest
  @CsvSource({
    "F16, true, FixedSizeBinary(10)",
    "BF16, true, FixedSizeBinary(10)",
    "F64, true, FixedSizeBinary(40)",
    "I32, false, 'FixedSizeList(5)<element: Int(32, true)'",
    "I64, false, 'FixedSizeList(5)<element: Int(64, true)'"
  })
  void vectorsHaveTheirType(DType dtype, boolean bits, String type) throws IOException {
    assertThat(written(plan(RowUnit.VECTOR, TOKENS, TOKENS, dtype, bits)).get(3))
        .startsWith("vector: " + type)
        .contains(" not null");
    assertThat(written(plan(RowUnit.EXAMPLE, TOKENS, TOKENS, dtype, bits)).get(1))
        .startsWith("layer_13: FixedSizeList(3)<element: " + type);
  }
}
