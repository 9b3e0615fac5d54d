package org.saevhadoop.spark;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.mapreduce.SaevInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** Spark SQL over Parquet files that we write: the queries of docs/sql.md. */
@Tag("spark")
@Isolated("a JVM has one SparkContext")
class SparkSqlIT {
  private static final String DATASET =
      "fixtures/saev/213c9c09f2cf9c50c90a67b906932e80a999f9d0f779ea26f8362adc8b1f160b";
  private static final List<Integer> LAYERS = List.of(13, 21, 23);
  private static final int EXAMPLES = 7;
  private static final int TOKENS = 10;
  private static final int DIM = 16;
  private static final int ROWS = EXAMPLES * LAYERS.size() * TOKENS;

  @TempDir static Path folder;
  private static Path parquet;
  private static Path examples;
  private static SparkSession spark;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    Path source = Files.createDirectories(folder.resolve("source"));
    try (Stream<Path> files = Files.list(checkout().resolve(DATASET))) {
      for (Path file : files.toList()) {
        Files.copy(file, source.resolve(file.getFileName().toString()));
      }
    }
    byte[] labels = new byte[EXAMPLES * (TOKENS - 1)];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (byte) (i % 3);
    }
    Files.write(source.resolve("labels.bin"), labels);
    spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("SparkSqlIT")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.local.dir", folder.resolve("spark").toString())
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.ui.enabled", "false")
            .getOrCreate();
    parquet = folder.resolve("parquet");
    Conversion.of(
            source.toString(),
            parquet.toString(),
            "parquet",
            spark.sparkContext().hadoopConfiguration())
        .run(RunListener.NONE);
    examples = folder.resolve("examples");
    Configuration conf = new Configuration(spark.sparkContext().hadoopConfiguration());
    conf.set("saev.output.parquet.unit", "example");
    Conversion.of(source.toString(), examples.toString(), "parquet", conf).run(RunListener.NONE);
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.stop();
    }
  }

  private static Path checkout() {
    Path path = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(path.resolve("fixtures"))) {
      path = path.getParent();
    }
    return path;
  }

  private static float[] vector(long example, int layer, int token) throws IOException {
    Path shard = checkout().resolve(DATASET).resolve("acts%06d.bin".formatted(example / 2));
    FloatBuffer floats =
        ByteBuffer.wrap(Files.readAllBytes(shard)).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    int block = (int) (example % 2) * LAYERS.size() + LAYERS.indexOf(layer);
    float[] vector = new float[DIM];
    floats.get((block * TOKENS + token) * DIM, vector);
    return vector;
  }

  /** Returns the rows of the only query for Spark on the page that has some text. */
  private static List<Row> ask(String part) throws IOException {
    String page = Files.readString(checkout().resolve("docs/sql.md"));
    List<String> queries =
        Arrays.stream(page.split("```"))
            .filter(block -> block.startsWith("sql\n") && block.contains("parquet.`parquet`"))
            .filter(block -> block.contains(part))
            .map(block -> block.substring(4).replace("`parquet`", "`" + parquet + "`"))
            .toList();
    assertThat(queries).hasSize(1);
    return spark.sql(queries.get(0)).collectAsList();
  }

  @Test
  void theNormOfEachVectorOfALayer() throws IOException {
    List<Row> rows = ask("ORDER BY example, token");
    assertThat(rows).hasSize(ROWS / LAYERS.size());
    for (Row row : rows) {
      double squares = 0;
      for (float value : vector(row.getLong(0), 13, row.getInt(1))) {
        squares += (double) value * value;
      }
      assertThat(row.getDouble(2)).isCloseTo(Math.sqrt(squares), within(1e-6 * Math.sqrt(squares)));
    }
  }

  @Test
  void allValuesAreRead() throws IOException {
    List<Row> rows = spark.read().parquet(parquet.toString()).collectAsList();
    assertThat(rows).hasSize(ROWS);
    for (Row row : rows) {
      List<Float> values = row.getList(row.fieldIndex("vector"));
      float[] expected =
          vector(row.getAs("example"), row.<Integer>getAs("layer"), row.<Integer>getAs("token"));
      for (int i = 0; i < DIM; i++) {
        assertThat(Float.floatToRawIntBits(values.get(i)))
            .isEqualTo(Float.floatToRawIntBits(expected[i]));
      }
    }
  }

  /** What pyarrow, polars and datasets see, by Arrow's own reader of schemas. */
  @Test
  void arrowFindsListsOfOneLength() throws IOException {
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(parquet.resolve("_common_metadata").toUri());
    String text;
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromPath(file, new Configuration()))) {
      text = reader.getFileMetaData().getKeyValueMetaData().get("ARROW:schema");
    }
    Schema schema =
        MessageSerializer.deserializeSchema(
            new ReadChannel(
                Channels.newChannel(new ByteArrayInputStream(Base64.getDecoder().decode(text)))));
    assertThat(schema)
        .hasToString(
            "Schema<example: Int(64, true) not null, layer: Int(32, true) not null,"
                + " token: Int(32, true) not null,"
                + " vector: FixedSizeList(16)<element: FloatingPoint(SINGLE) not null> not null,"
                + " label: Int(32, true)>");
  }

  @Test
  void normsByLayer() throws IOException {
    List<Row> rows = ask("GROUP BY layer");
    assertThat(rows.stream().map(row -> row.getInt(0))).containsExactlyElementsOf(LAYERS);
    for (Row row : rows) {
      double mean = 0;
      for (int i = 0; i < EXAMPLES * TOKENS; i++) {
        double squares = 0;
        for (float value : vector(i / TOKENS, row.getInt(0), i % TOKENS)) {
          squares += (double) value * value;
        }
        mean += Math.sqrt(squares) / (EXAMPLES * TOKENS);
      }
      assertThat(row.getDouble(1)).isCloseTo(mean, within(1e-5 * mean));
    }
  }

  @Test
  void normsByLabel() throws IOException {
    double[] norms = new double[3];
    for (int i = 0; i < EXAMPLES * (TOKENS - 1); i++) {
      double squares = 0;
      for (float value : vector(i / (TOKENS - 1), 13, i % (TOKENS - 1) + 1)) {
        squares += (double) value * value;
      }
      norms[i % 3] += Math.sqrt(squares) / (EXAMPLES * (TOKENS - 1) / 3);
    }
    List<Row> rows = ask("GROUP BY label");
    assertThat(rows).hasSize(3);
    for (int label = 0; label < 3; label++) {
      assertThat(rows.get(label).getInt(0)).isEqualTo(label);
      assertThat(rows.get(label).getLong(1)).isEqualTo(EXAMPLES * (TOKENS - 1) / 3);
      assertThat(rows.get(label).getDouble(2)).isCloseTo(norms[label], within(1e-5 * norms[label]));
    }
  }

  @Test
  void theNearestRowsAndTheLayersOfAnExample() throws IOException {
    List<Row> nearest = ask("LIMIT 5");
    assertThat(nearest).hasSize(5);
    assertThat(nearest.get(0).getLong(0)).isZero();
    assertThat(nearest.get(0).getInt(1)).isEqualTo(1);
    assertThat(nearest.get(0).getDouble(2)).isZero();
    List<Row> layers = ask("slice(vector");
    assertThat(layers.stream().map(row -> row.getInt(0))).containsExactlyElementsOf(LAYERS);
    for (Row row : layers) {
      float[] vector = vector(2, row.getInt(0), 0);
      assertThat(row.<Float>getList(1)).containsExactly(vector[0], vector[1], vector[2]);
    }
  }

  @Test
  void examplesAreRows() throws IOException {
    String query =
        Arrays.stream(Files.readString(checkout().resolve("docs/sql.md")).split("```"))
            .filter(block -> block.contains("parquet.`examples`"))
            .map(block -> block.substring(4).replace("`examples`", "`" + examples + "`"))
            .findFirst()
            .orElseThrow();
    double[] distances = new double[3];
    for (int i = 0; i < EXAMPLES * (TOKENS - 1); i++) {
      float[] x = vector(i / (TOKENS - 1), 13, i % (TOKENS - 1) + 1);
      float[] y = vector(i / (TOKENS - 1), 21, i % (TOKENS - 1) + 1);
      double squares = 0;
      for (int j = 0; j < DIM; j++) {
        squares += Math.pow((double) x[j] - y[j], 2);
      }
      distances[i % 3] += Math.sqrt(squares) / (EXAMPLES * (TOKENS - 1) / 3);
    }
    List<Row> rows = spark.sql(query).collectAsList();
    assertThat(rows).hasSize(3);
    for (int label = 0; label < 3; label++) {
      assertThat(rows.get(label).getInt(0)).isEqualTo(label);
      assertThat(rows.get(label).getLong(1)).isEqualTo(EXAMPLES * (TOKENS - 1) / 3);
      assertThat(rows.get(label).getDouble(2))
          .isCloseTo(distances[label], within(1e-5 * distances[label]));
    }
  }

  /** The DataFrame of docs/mapreduce.md, in Java. */
  @Test
  void recordsAreADataFrame() throws IOException {
    Configuration conf = new Configuration(spark.sparkContext().hadoopConfiguration());
    conf.set("saev.input.record", "vector");
    conf.set("saev.input.layers", "13");
    JavaRDD<Row> rows =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .newAPIHadoopFile(
                folder.resolve("source").toString(),
                SaevInputFormat.class,
                ActivationKey.class,
                ActivationWritable.class,
                conf)
            .map(r -> RowFactory.create(r._1().example(), r._1().token(), r._2().toFloats()));
    StructType schema =
        new StructType()
            .add("example", DataTypes.LongType)
            .add("token", DataTypes.IntegerType)
            .add("vector", DataTypes.createArrayType(DataTypes.FloatType, false));
    String query = "select sum(element_at(vector, 1)) from %s where example >= 2";
    spark.createDataFrame(rows, schema).createOrReplaceTempView("records");
    Row found = spark.sql(query.formatted("records")).first();
    String ofLayer = query.formatted("parquet.`" + parquet + "`") + " and layer = 13";
    assertThat(found.getDouble(0)).isCloseTo(spark.sql(ofLayer).first().getDouble(0), within(1e-6));
  }

  /** Spark drops the metadata of files, and this order of rows is that of none of their columns. */
  @ParameterizedTest
  @ValueSource(strings = {"snappy", "gzip", "lz4_raw"})
  void aTableThatSparkHasWrittenAnewIsTheSameDataset(String codec) throws Exception {
    Path anew = folder.resolve("anew-" + codec);
    spark
        .read()
        .parquet(parquet.toString())
        .repartition(3, functions.col("token"))
        .sortWithinPartitions(functions.element_at(functions.col("vector"), 1))
        .write()
        .option("compression", codec)
        .parquet(anew.toString());
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    String expected = Digest.of(parquet.toString(), conf).run(RunListener.NONE).toString();
    Configuration ofLayers = new Configuration(conf);
    ofLayers.set("saev.input.layer.column", "layer");
    assertThat(Digest.of(anew.toString(), ofLayers).run(RunListener.NONE)).hasToString(expected);
    String saev = folder.resolve("saev-" + codec).toString();
    Path written =
        Path.of(
            Conversion.of(anew.toString(), saev, "saev", ofLayers).run(RunListener.NONE).path());
    assertThat(written.resolve("labels.bin"))
        .hasSameBinaryContentAs(folder.resolve("source/labels.bin"));
  }

  /** Writes four layers of 1 MiB as .npy files, and converts them. */
  private static Path fourLayers() throws IOException, InterruptedException {
    Path source = Files.createDirectories(folder.resolve("four"));
    String shape = "{'descr': '<f4', 'fortran_order': False, 'shape': (64, 8, 512), }";
    byte[] header = (shape + " ".repeat(117 - shape.length()) + "\n").getBytes(US_ASCII);
    for (int layer = 0; layer < 4; layer++) {
      ByteBuffer file =
          ByteBuffer.allocate(10 + header.length + (1 << 20)).order(ByteOrder.LITTLE_ENDIAN);
      file.put((byte) 0x93).put("NUMPY".getBytes(US_ASCII)).put((byte) 1).put((byte) 0);
      file.putShort((short) header.length).put(header);
      while (file.hasRemaining()) {
        file.putFloat(layer + file.position());
      }
      Files.write(source.resolve("layer_%d.npy".formatted(layer)), file.array());
    }
    Path target = folder.resolve("four-parquet");
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    Conversion.of(source.toString(), target.toString(), "parquet", conf).run(RunListener.NONE);
    return target;
  }

  /** The bytes that tasks have read, with footers. */
  @Test
  void aConditionOnTheLayerReadsItsShareOfTheBytes() throws Exception {
    Path four = fourLayers();
    AtomicLong bytes = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            bytes.addAndGet(end.taskMetrics().inputMetrics().bytesRead());
          }
        };
    Dataset<Row> table =
        spark
            .read()
            .option("parquet.hadoop.vectored.io.enabled", false) // the metric lacks such reads
            .parquet(four.toString());
    spark.sparkContext().addSparkListener(listener);
    assertThat(table.filter("layer = 2").select("vector").collectAsList()).hasSize(64 * 8);
    spark.sparkContext().listenerBus().waitUntilEmpty(10_000);
    spark.sparkContext().removeSparkListener(listener);
    long share = Files.size(four.resolve("part-00000.parquet")) / 4;
    assertThat(bytes.get()).isBetween(1L << 20, share * 12 / 10);
  }

  /** The records that tasks have read, after row groups were skipped, and before the filter. */
  @Test
  void aConditionOnTheLayerSkipsTheRowGroupsOfOthers() throws Exception {
    AtomicLong records = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            records.addAndGet(end.taskMetrics().inputMetrics().recordsRead());
          }
        };
    Dataset<Row> table = spark.read().parquet(parquet.toString());
    spark.sparkContext().addSparkListener(listener);
    assertThat(table.filter("layer = 21").select("vector").collectAsList())
        .hasSize(EXAMPLES * TOKENS);
    for (int i = 0; i < 100 && records.get() == 0; i++) {
      Thread.sleep(50);
    }
    spark.sparkContext().removeSparkListener(listener);
    assertThat(records).hasValue(EXAMPLES * TOKENS);
  }
}
