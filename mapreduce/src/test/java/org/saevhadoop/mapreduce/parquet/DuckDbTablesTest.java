package org.saevhadoop.mapreduce.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.table.ColumnReader;
import org.saevhadoop.format.parquet.table.TableColumn;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.tensor.DType;

/** Tables of DuckDB are read bit for bit. */
@Tag("long")
class DuckDbTablesTest {
  private static final int ROWS = 5000;
  private static final int DIM = 24;

  @TempDir Path folder;

  private void copy(String select, String options) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "COPY (%s) TO '%s' (FORMAT parquet, %s)"
              .formatted(select, folder.resolve("x.parquet"), options));
    }
  }

  private ByteBuffer read(Input in, TableFooter footer, int column, long... lengths)
      throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      new ColumnReader(in, footer, group, column, lengths)
          .read(
              elements -> {
                byte[] bytes = new byte[elements.remaining()];
                elements.get(bytes);
                read.writeBytes(bytes);
              });
    }
    return ByteBuffer.wrap(read.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @CsvSource({
    "uncompressed, V1",
    "snappy, V1",
    "gzip, V1",
    "lz4_raw, V1",
    "snappy, V2",
    "uncompressed, V2"
  })
  void listsAreReadBitForBit(String codec, String version) throws Exception {
    copy(
        "SELECT list_transform(range(%d), x -> CAST(i * 31 + x AS FLOAT) / 7) AS embedding,"
                .formatted(DIM)
            + " CAST(i % 100 AS SMALLINT) AS label, i % 3 = 0 AS flag, 'row ' || i AS text,"
            + " list_transform(range(2), y -> list_transform(range(3), x -> CAST(i + y * 3 + x AS"
            + " DOUBLE))) AS tokens FROM range(%d) t(i)".formatted(ROWS),
        "CODEC '%s', PARQUET_VERSION %s, ROW_GROUP_SIZE 2048".formatted(codec, version));
    try (Input in = new LocalFolder(folder).open("x.parquet")) {
      TableFooter footer = TableFooter.read(in);
      assertThat(footer.rowGroups()).hasSize(3);
      assertThat(footer.columns().stream().map(TableColumn::dtype).toList())
          .isEqualTo(List.of(DType.F32, DType.I16, DType.BOOL, DType.U8, DType.F64));
      ByteBuffer embedding = read(in, footer, 0, DIM);
      ByteBuffer label = read(in, footer, 1);
      ByteBuffer flag = read(in, footer, 2);
      ByteBuffer tokens = read(in, footer, 4, 2, 3);
      assertThat(footer.columns().get(3).isText()).isTrue();
      for (int i = 0; i < ROWS; i++) {
        for (int x = 0; x < DIM; x++) {
          assertThat(embedding.getFloat()).isEqualTo((float) (i * 31 + x) / 7);
        }
        assertThat(label.getShort()).isEqualTo((short) (i % 100));
        assertThat(flag.get()).isEqualTo((byte) (i % 3 == 0 ? 1 : 0));
        for (int x = 0; x < 6; x++) {
          assertThat(tokens.getDouble()).isEqualTo(i + x);
        }
      }
      assertThat(embedding.hasRemaining() || tokens.hasRemaining()).isFalse();
    }
  }

  @Test
  void constantsAndNaNAreRead() throws Exception {
    copy("SELECT ['nan'::FLOAT, -0.0::FLOAT, 1] AS v FROM range(300000)", "CODEC snappy");
    try (Input in = new LocalFolder(folder).open("x.parquet")) {
      ByteBuffer values = read(in, TableFooter.read(in), 0, 3);
      while (values.hasRemaining()) {
        assertThat(values.getInt()).isEqualTo(Float.floatToIntBits(Float.NaN));
        assertThat(values.getInt()).isEqualTo(Integer.MIN_VALUE);
        assertThat(values.getFloat()).isEqualTo(1);
      }
    }
  }

  @Test
  void aCodecThatIsNotReadIsNamed() throws Exception {
    copy("SELECT [1.5::FLOAT] AS v FROM range(300)", "CODEC zstd");
    try (Input in = new LocalFolder(folder).open("x.parquet")) {
      assertThatThrownBy(() -> TableFooter.read(in))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(
              "column v is compressed with ZSTD (expected zstd-jni, the jar of com.github.luben");
    }
  }
}
