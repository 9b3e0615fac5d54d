package org.saevhadoop.converters.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.testing.Documentation;

/** The queries of docs/sql.md, by DuckDB. */
@Tag("late")
class SqlPageTest {
  private static final int TOKENS = 10;
  private static final int DIM = 16;
  private static final int EXAMPLES = 7;
  private static final int LAYER = 13;

  @TempDir static Path folder;
  private static Path source;
  private static List<Integer> layers;

  @BeforeAll
  static void convert() throws IOException {
    source = Fixtures.labelled(Fixtures.SMALL, folder);
    layers = new ArrayList<>();
    JsonNode metadata = Fixtures.json(source.resolve("metadata.json"));
    metadata.get("layers").forEach(layer -> layers.add(layer.asInt()));
    Cli.convert(source, folder.resolve("parquet"), "parquet", "--max-parquet-bytes=6000")
        .succeeds();
    Object[] options = {"--unit=example", "--max-parquet-bytes=6000"};
    Cli.convert(source, folder.resolve("examples"), "parquet", options).succeeds();
  }

  /** Returns a vector of the files from which the table was made. */
  private static float[] vector(int example, int layer, int token) throws IOException {
    byte[] shard = Files.readAllBytes(source.resolve("acts%06d.bin".formatted(example / 2)));
    int block = example % 2 * layers.size() + layers.indexOf(layer);
    float[] vector = new float[DIM];
    ByteBuffer.wrap(shard)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get((block * TOKENS + token) * DIM, vector);
    return vector;
  }

  private static double distance(float[] one, float[] other) {
    double squares = 0;
    for (int i = 0; i < DIM; i++) {
      squares += Math.pow(one[i] - other[i], 2);
    }
    return Math.sqrt(squares);
  }

  /** Returns the rows that DuckDB finds. */
  private static List<List<Object>> ask(String query) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement();
        ResultSet found =
            statement.executeQuery(query.replaceAll("'([a-z]+/\\*)", "'" + folder + "/$1"))) {
      while (found.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          row.add(found.getObject(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  /** Returns the rows of the only query for DuckDB on the page that has some text. */
  private static List<List<Object>> askPage(String table, String part)
      throws IOException, SQLException {
    List<String> queries =
        Documentation.blocks(Corpus.checkout(), "sql").stream()
            .filter(block -> block.page().endsWith("sql.md"))
            .map(block -> String.join("\n", block.lines()))
            .filter(query -> query.contains("'" + table + "/*.parquet") && query.contains(part))
            .toList();
    assertThat(queries).hasSize(1);
    return ask(queries.get(0));
  }

  @Test
  void theNormOfEachVector() throws IOException, SQLException {
    List<List<Object>> rows = askPage("parquet", "ORDER BY example, token;");
    assertThat(rows).hasSize(EXAMPLES * TOKENS);
    for (int i = 0; i < rows.size(); i++) {
      double norm = distance(vector(i / TOKENS, LAYER, i % TOKENS), new float[DIM]);
      assertThat(rows.get(i).subList(0, 2)).containsExactly((long) (i / TOKENS), i % TOKENS);
      assertThat((double) rows.get(i).get(2)).isCloseTo(norm, within(norm * 1e-5));
    }
  }

  @Test
  void normsByLayer() throws IOException, SQLException {
    List<List<Object>> rows = askPage("parquet", "GROUP BY layer");
    assertThat(rows.stream().map(row -> row.get(0))).containsExactlyElementsOf(layers);
    for (List<Object> row : rows) {
      double mean = 0;
      for (int i = 0; i < EXAMPLES * TOKENS; i++) {
        float[] vector = vector(i / TOKENS, (int) row.get(0), i % TOKENS);
        mean += distance(vector, new float[DIM]) / (EXAMPLES * TOKENS);
      }
      assertThat((double) row.get(1)).isCloseTo(mean, within(mean * 1e-5));
    }
  }

  @Test
  void normsByLabel() throws IOException, SQLException {
    byte[] labels = Files.readAllBytes(source.resolve("labels.bin"));
    TreeMap<Integer, List<Double>> norms = new TreeMap<>();
    for (int i = 0; i < labels.length; i++) {
      float[] vector = vector(i / (TOKENS - 1), LAYER, i % (TOKENS - 1) + 1);
      norms
          .computeIfAbsent(labels[i] & 0xff, label -> new ArrayList<>())
          .add(distance(vector, new float[DIM]));
    }
    List<List<Object>> rows = askPage("parquet", "GROUP BY label");
    assertThat(rows.stream().map(row -> row.get(0))).containsExactlyElementsOf(norms.keySet());
    for (List<Object> row : rows) {
      List<Double> expected = norms.get(row.get(0));
      double mean = expected.stream().collect(Collectors.averagingDouble(norm -> norm));
      assertThat(row.get(1)).isEqualTo((long) expected.size());
      assertThat((double) row.get(2)).isCloseTo(mean, within(mean * 1e-5));
    }
  }

  @Test
  void theNearestRows() throws IOException, SQLException {
    record Row(long example, int token, double distance) {}
    List<Row> expected = new ArrayList<>();
    for (int i = 0; i < EXAMPLES * TOKENS; i++) {
      float[] vector = vector(i / TOKENS, LAYER, i % TOKENS);
      expected.add(new Row(i / TOKENS, i % TOKENS, distance(vector, vector(0, LAYER, 1))));
    }
    expected.sort(Comparator.comparingDouble(Row::distance));
    List<List<Object>> rows = askPage("parquet", "LIMIT 5");
    assertThat(rows.stream().map(row -> row.subList(0, 2)))
        .containsExactlyElementsOf(
            expected.stream()
                .limit(5)
                .map(row -> List.<Object>of(row.example, row.token))
                .toList());
  }

  @Test
  void layersOfAnExample() throws IOException, SQLException {
    List<List<Object>> rows = askPage("parquet", "first_values");
    assertThat(rows.stream().map(row -> row.get(0))).containsExactlyElementsOf(layers);
    for (List<Object> row : rows) {
      float[] vector = vector(2, (int) row.get(0), 0);
      assertThat(row.get(1))
          .asString()
          .isEqualTo("[%s, %s, %s]".formatted(vector[0], vector[1], vector[2]));
    }
  }

  @Test
  void distancesOfLayersByLabel() throws IOException, SQLException {
    byte[] labels = Files.readAllBytes(source.resolve("labels.bin"));
    TreeMap<Integer, List<Double>> distances = new TreeMap<>();
    for (int i = 0; i < labels.length; i++) {
      int example = i / (TOKENS - 1);
      int token = i % (TOKENS - 1) + 1;
      distances
          .computeIfAbsent(labels[i] & 0xff, label -> new ArrayList<>())
          .add(distance(vector(example, LAYER, token), vector(example, 21, token)));
    }
    List<List<Object>> rows = askPage("examples", "GROUP BY label");
    assertThat(rows.stream().map(row -> row.get(0))).containsExactlyElementsOf(distances.keySet());
    for (List<Object> row : rows) {
      List<Double> expected = distances.get(row.get(0));
      double mean = expected.stream().collect(Collectors.averagingDouble(distance -> distance));
      assertThat(row.get(1)).isEqualTo((long) expected.size());
      assertThat((double) row.get(2)).isCloseTo(mean, within(mean * 1e-5));
    }
  }

  /** Rows that are longer than a page are read, too. */
  @Test
  void examplesOfAnySizeAreRows() throws IOException, SQLException {
    NaiveActivations large = new NaiveActivations(3, List.of(5, 7), 4, 90_000, false, false);
    Path saev = large.writeSaev(folder.resolve("large-source"));
    Cli.convert(saev, folder.resolve("large"), "parquet", "--unit=example").succeeds();
    List<List<Object>> rows =
        ask(
            "SELECT example, token, len(layer_5), len(layer_7[token]), layer_7[token][90000] FROM"
                + " (SELECT *, unnest(range(1, 5)) AS token FROM 'large/*.parquet')"
                + " ORDER BY example, token");
    for (int i = 0; i < 12; i++) {
      float value = large.value(i / 4, 7, i % 4, 89_999);
      assertThat(rows.get(i)).containsExactly(i / 4L, i % 4 + 1L, 4L, 90_000L, value);
    }
    assertThat(rows).hasSize(12);
  }

  /** The metadata is gone, but the columns are named after layers. */
  @Test
  void examplesThatAreWrittenAnewAreRead() throws IOException, SQLException {
    Path again = Files.createDirectory(folder.resolve("again"));
    String copy =
        "COPY (FROM '%s/examples/*.parquet' ORDER BY example) TO '%s/x.parquet' (FORMAT parquet)";
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      statement.execute(copy.formatted(folder, again));
    }
    assertThat(Cli.run("digest", again).succeeds().text())
        .isEqualTo(Cli.run("digest", source).succeeds().text());
  }

  @Test
  void allExamplesAreThere() throws SQLException {
    assertThat(
            ask(
                "SELECT count(*), count(DISTINCT example), min(len(layer_13)), max(len(layer_23[1])),"
                    + " min(len(label)), max(label[1]) FROM 'examples/*.parquet'"))
        .containsExactly(
            List.of(
                (long) EXAMPLES, (long) EXAMPLES, (long) TOKENS, (long) DIM, (long) TOKENS, -1));
  }

  @Test
  void allRowsAreThere() throws SQLException {
    assertThat(
            ask(
                "SELECT count(*), count(DISTINCT (example, layer, token)), min(len(vector)),"
                    + " max(len(vector)), count(label) FROM 'parquet/*.parquet'"))
        .containsExactly(
            List.of(
                (long) EXAMPLES * layers.size() * TOKENS,
                (long) EXAMPLES * layers.size() * TOKENS,
                (long) DIM,
                (long) DIM,
                (long) EXAMPLES * layers.size() * (TOKENS - 1)));
  }
}
