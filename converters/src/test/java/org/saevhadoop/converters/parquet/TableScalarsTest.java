package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;

/** Dates, times, decimals and small floats in tables become sample metadata. */
class TableScalarsTest extends ConvertedDatasets {
  private static final int ROWS = 40;

  private static final String FIELDS =
      Tables.LISTS
          + """
          optional int32 day (DATE);
          required int32 millis (TIME(MILLIS,true));
          required int64 micros (TIME(MICROS,false));
          required int64 nanos (TIME(NANOS,false));
          optional int64 utc (TIMESTAMP(MILLIS,true));
          required int64 wall (TIMESTAMP(MICROS,false));
          required int64 fine (TIMESTAMP(NANOS,true));
          required int96 old;
          required int32 cents (DECIMAL(9,2));
          required int64 long (DECIMAL(18,0));
          required fixed_len_byte_array(16) wide (DECIMAL(38,10));
          required fixed_len_byte_array(8) eight (DECIMAL(18,3));
          required fixed_len_byte_array(2) half (FLOAT16);
          required fixed_len_byte_array(16) uuid (UUID);
          optional binary free (DECIMAL(20,3));
          """;

  private static final BigInteger WIDE = new BigInteger("-123456789012345678901234567890");

  private static Binary bigEndian(BigInteger number, int width) {
    byte[] bytes = new byte[width];
    byte[] own = number.toByteArray();
    Arrays.fill(bytes, (byte) (number.signum() < 0 ? -1 : 0));
    System.arraycopy(own, 0, bytes, width - own.length, own.length);
    return Binary.fromConstantByteArray(bytes);
  }

  private static Binary int96(long nanos, int julianDay) {
    ByteBuffer bytes = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    return Binary.fromConstantByteArray(bytes.putLong(nanos).putInt(julianDay).array());
  }

  private static Binary half(int bits) {
    return Binary.fromConstantByteArray(new byte[] {(byte) bits, (byte) (bits >> 8)});
  }

  private Path table(String version, boolean isIndexed) throws IOException {
    return Tables.write(
        folder.resolve("table/x.parquet"),
        FIELDS,
        ROWS,
        (row, i) -> {
          Tables.lists(row, "embedding", i, 2, 3);
          if (i % 2 == 0) {
            row.append("day", 19753 - i).append("utc", -1L - i);
          }
          row.append("millis", 3_600_000 + i).append("micros", 86_399_999_999L - i);
          row.append("nanos", 1L + i).append("wall", 1_700_000_000_000_000L + i);
          row.append("fine", -1L).append("old", int96(1_000_000_001L, i == 0 ? 5373484 : 2440588));
          row.append("cents", -5 - i).append("long", 100L + i);
          row.append("wide", bigEndian(WIDE, 16)).append("eight", bigEndian(BigInteger.TEN, 8));
          row.append("half", half(i == 0 ? 0x2e66 : i == 2 ? 0xfc00 : 0x8001));
          row.append("uuid", bigEndian(WIDE, 16));
          if (i != 1) {
            row.append("free", bigEndian(BigInteger.valueOf(i - 300L), 2 + i % 13));
          }
        },
        own ->
            own.withDictionaryEncoding(isIndexed)
                .withPageRowCountLimit(9)
                .withWriterVersion(WriterVersion.fromString(version)));
  }

  @ParameterizedTest
  @CsvSource({"v1, true", "v1, false", "v2, true", "v2, false"})
  void scalarsOfAllTypesAreJson(String version, boolean isIndexed) throws IOException {
    Path table = table(version, isIndexed);
    Cli cli = Cli.convert(table, folder.resolve("out"), "npy", "--verify").succeeds();
    assertThat(cli.stderr()).doesNotContain("not kept");
    List<String> found =
        Cli.run("cat", folder.resolve("out"), "--sample-metadata")
            .succeeds()
            .text()
            .lines()
            .toList();
    assertThat(found).hasSize(ROWS);
    assertThat(found.get(0))
        .contains(
            """
            {"day": "2024-01-31", "millis": "01:00:00.000", "micros": "23:59:59.999999", \
            "nanos": "00:00:00.000000001", "utc": "1969-12-31T23:59:59.999Z", \
            "wall": "2023-11-14T22:13:20.000000", "fine": "1969-12-31T23:59:59.999999999Z", \
            "old": "9999-12-31T00:00:01.000000001", "cents": -0.05, "long": 100, \
            "wide": -12345678901234567890.1234567890, "eight": 0.010, "half": 0.099975586, \
            "uuid": "fffffffe-7116-f009-3c8c-1f11b1c0f52e", "free": -0.300}\
            """);
    assertThat(found.get(1))
        .contains("{\"day\": null,", "\"utc\": null", "\"old\": \"1970-01-01T00:00:01.000000001\"")
        .contains("\"cents\": -0.06", "\"half\": -5.9604645E-8,", "\"free\": null}");
    assertThat(found.get(2))
        .contains("\"day\": \"2024-01-29\"", "\"half\": \"-Infinity\",", "\"free\": -0.298}");
    Cli.assertSound(table);
  }

  /** DuckDB reads decimals as bytes of any length in pages of version 1 only, and writes none. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("late")
  void uuidsAndDecimalsInBytesAreThoseThatDuckDbReads(boolean isIndexed)
      throws IOException, SQLException {
    Path table = table("v1", isIndexed);
    List<String> expected = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT '\"uuid\": \"' || uuid || '\", \"free\": ' || coalesce(free::VARCHAR, 'null')"
                    + " FROM '%s'".formatted(table))) {
      while (rows.next()) {
        expected.add(rows.getString(1));
      }
    }
    List<String> found =
        Cli.run("cat", table, "--sample-metadata").succeeds().text().lines().toList();
    assertThat(found).hasSize(ROWS).hasSameSizeAs(expected);
    for (int i = 0; i < ROWS; i++) {
      assertThat(found.get(i)).contains(expected.get(i) + "}");
    }
  }

  @Test
  void aDecimalOfTooManyBytesIsDamage() throws IOException {
    for (int length : new int[] {0, 33}) {
      Path table =
          Tables.write(
              folder.resolve(length + ".parquet"),
              Tables.LIST + " required binary free (DECIMAL(20,3));",
              3,
              (row, i) -> {
                Tables.list(row, "embedding", i, 3);
                row.append("free", Binary.fromConstantByteArray(new byte[i == 1 ? length : 32]));
              });
      assertThat(Cli.problems(table)).contains("a decimal has %d bytes".formatted(length));
    }
  }

  /** Dates are integers in the file. */
  @Test
  void datesAreNoTokenIds() throws IOException {
    Path table =
        Tables.write(
            folder.resolve("x.parquet"),
            Tables.LIST + " required int32 token_ids (DATE); required int32 day (DATE);",
            3,
            (row, i) -> {
              Tables.list(row, "embedding", i, 3);
              row.append("token_ids", i).append("day", i);
            });
    Path out = folder.resolve("out");
    assertThat(Cli.convert(table, out, "npy").succeeds().stderr()).contains("not kept: token_ids");
    assertThat(Cli.run("cat", out, "--sample-metadata", "--example=2").text())
        .contains("{\"day\": \"1970-01-03\"}");
  }

  @Test
  void theEndOfADayIsATimeAndALaterOneIsDamage() throws IOException {
    Path end = times(86_400_000);
    assertThat(Cli.run("cat", end, "--sample-metadata").succeeds().text())
        .contains("{\"millis\": \"24:00:00.000\"}");
    Path later = times(86_400_001);
    assertThat(Cli.problems(later)).contains("NanoOfDay").hasLineCount(1);
    String row = "column millis has a value in row 1, counted from 0, that is no date or time";
    assertThat(Cli.problems(later)).contains(later + ": " + row);
    Cli.convert(later, folder.resolve("out"), "npy").failsWithText(later + ": " + row);
  }

  private Path times(int millis) throws IOException {
    return Tables.write(
        folder.resolve(millis + ".parquet"),
        Tables.LIST + " required int32 millis (TIME(MILLIS,true));",
        3,
        (row, i) -> {
          Tables.list(row, "embedding", i, 3);
          row.append("millis", i == 1 ? millis : 1);
        });
  }

  @Test
  @Tag("late")
  void scalarsOfDuckDbAreItsOwnTexts() throws IOException, SQLException {
    Path table = folder.resolve("duckdb.parquet");
    String columns =
        "(DATE '0001-01-01' + (i * 40001)::INTEGER) AS d,"
            + " (TIMESTAMP '1900-01-01 00:00:00.000001' + INTERVAL (i * 7919) HOUR) AS t,"
            + " (TIME '00:00:01.5' + INTERVAL (i) MINUTE) AS clock,"
            + " (i * 1.25 - 10)::DECIMAL(9, 3) AS small, (i * 1000003)::DECIMAL(38, 20) AS large";
    String json =
        """
        '{"d": "' || strftime(d, '%Y-%m-%d') || '", "t": "' || strftime(t, '%Y-%m-%dT%H:%M:%S.%f')
        || '", "clock": "' || strftime(DATE '2000-01-01' + clock, '%H:%M:%S.%f')
        || '", "small": ' || small || ', "large": ' || large || '}'
        """;
    List<String> expected = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE x AS SELECT [[i::FLOAT, 1], [2, 3]] AS v, %s FROM range(90) r(i)"
              .formatted(columns));
      statement.execute("COPY x TO '%s' (FORMAT parquet)".formatted(table));
      try (ResultSet rows = statement.executeQuery("SELECT " + json + " FROM x")) {
        while (rows.next()) {
          expected.add(rows.getString(1));
        }
      }
    }
    Path out = convert(table, "out", "npy");
    List<String> found =
        Cli.run("cat", out, "--sample-metadata").succeeds().text().lines().toList();
    assertThat(found).hasSize(90).hasSameSizeAs(expected);
    for (int i = 0; i < 90; i++) {
      assertThat(found.get(i)).contains(expected.get(i));
    }
  }
}
