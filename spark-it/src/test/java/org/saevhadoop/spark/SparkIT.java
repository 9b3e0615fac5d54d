package org.saevhadoop.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.mapreduce.SaevInputFormat;
import org.saevhadoop.mapreduce.SaevOutputFormat;
import org.saevhadoop.mapreduce.SafetensorsInputFormat;
import org.saevhadoop.mapreduce.SafetensorsOutputFormat;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;
import scala.Tuple2;

/** A Spark application over our formats, with the one jar: the numbers that our commands see. */
@Tag("spark")
class SparkIT {
  private static final int EXAMPLES = 5;
  private static final List<Integer> LAYERS = List.of(10, 11);
  private static final int TOKENS = 50;
  private static final int DIM = 768;
  private static final int VECTOR_BYTES = DIM * Float.BYTES;
  private static final int BLOCK_BYTES = TOKENS * VECTOR_BYTES;
  private static final int EXAMPLE_BYTES = LAYERS.size() * BLOCK_BYTES;
  private static final int EXAMPLES_PER_SHARD = 2;

  @TempDir static Path folder;
  private static Path saev;
  private static String digest;
  private static JavaSparkContext spark;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    saev =
        checkout()
            .resolve("fixtures/saev")
            .resolve("2826ce7a72edb52860eb5cac3fb9b7c38b784e9822ab9f99eca8368279eaca30");
    digest = command("digest", saev);
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("SparkIT")
            .set("spark.driver.host", "localhost")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.local.dir", folder.resolve("spark").toString())
            .set("spark.ui.enabled", "false");
    spark = new JavaSparkContext(conf);
    for (Dataset dataset : List.of(Dataset.LAYERS, Dataset.ACTS)) {
      Configuration output = new Configuration(spark.hadoopConfiguration());
      output.set("saev.output.columns", dataset.name().toLowerCase(Locale.ROOT));
      output.setInt("saev.output.batch.size", EXAMPLES_PER_SHARD);
      Conversion.of(saev.toString(), dataset.path().toString(), "safetensors", output)
          .run(RunListener.NONE);
    }
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.stop();
    }
  }

  @Test
  void theClassesAreThoseOfTheOneJar() {
    for (Class<?> type : List.of(SaevInputFormat.class, SaevMetadata.class)) {
      assertThat(type.getProtectionDomain().getCodeSource().getLocation().getPath())
          .endsWith("/converters/target/saev-hadoop.jar");
    }
  }

  @ParameterizedTest
  @CsvSource({"SAEV, block", "SAEV, vector", "SAEV, example", "LAYERS, example", "ACTS, vector"})
  void recordsHaveTheDigestOfTheCommand(Dataset dataset, String record) throws IOException {
    var records = read(dataset, Map.of("saev.input.record", record), EXAMPLE_BYTES);
    assertThat(records.getNumPartitions()).isEqualTo(EXAMPLES);
    assertThat(digest(blocks(records, record))).isEqualTo(digest);
    List<Integer> shape = List.of(LAYERS.size(), TOKENS, DIM);
    int outer = List.of("example", "block", "vector").indexOf(record);
    assertThat(records.values().map(SparkIT::shape).distinct().collect())
        .containsExactly(shape.subList(outer, shape.size()));
    int number = EXAMPLES;
    for (int size : shape.subList(0, outer)) {
      number *= size;
    }
    assertThat(records.count()).isEqualTo(number);
  }

  @Test
  void aDriverConvertsAndDigestsWithItsOwnListener() throws Exception {
    List<String> steps = new ArrayList<>();
    RunListener listener =
        new RunListener() {
          @Override
          public void result(FinishedJob job) {
            steps.add(job.job().step());
          }
        };
    String target = folder.resolve("driver").toString();
    Configuration conf = spark.hadoopConfiguration();
    Conversion.Result written =
        Conversion.of(saev.toString(), target, "safetensors", conf).run(listener);
    assertThat(Digest.of(written.path(), conf).run(listener)).hasToString(digest);
    assertThat(steps).containsExactly("convert", "digest");
    assertThatThrownBy(() -> Conversion.of(folder + "/none", target, "saev", conf).run(listener))
        .hasMessage(folder + "/none: no such file or directory");
  }

  @ParameterizedTest
  @CsvSource({"SAEV, 1, 5", "SAEV, 1000000000, 1", "LAYERS, 700000, 3", "ACTS, 700000, 3"})
  void partitionsAreSplits(Dataset dataset, long splitBytes, int partitions) throws IOException {
    var blocks = read(dataset, Map.of("saev.input.record", "block"), splitBytes);
    assertThat(blocks.getNumPartitions()).isEqualTo(partitions);
    assertThat(digest(blocks(blocks, "block"))).isEqualTo(digest);
  }

  /** The example of README.md. */
  @ParameterizedTest
  @CsvSource({"SAEV, 10", "SAEV, 11", "LAYERS, 11", "ACTS, 10"})
  void vectorsOfALayerAreThoseOfTheFiles(Dataset dataset, int layer) throws IOException {
    Map<Tuple2<Long, Integer>, float[]> vectors =
        read(
                dataset,
                Map.of("saev.input.record", "vector", "saev.input.layers", String.valueOf(layer)),
                BLOCK_BYTES)
            .mapToPair(
                r ->
                    new Tuple2<>(new Tuple2<>(r._1().example(), r._1().token()), r._2().toFloats()))
            .collectAsMap();
    assertThat(vectors).hasSize(EXAMPLES * TOKENS);
    for (int example = 0; example < EXAMPLES; example++) {
      ByteBuffer shard = shard(example / EXAMPLES_PER_SHARD);
      int block =
          example % EXAMPLES_PER_SHARD * EXAMPLE_BYTES + LAYERS.indexOf(layer) * BLOCK_BYTES;
      for (int token = 0; token < TOKENS; token++) {
        float[] expected = new float[DIM];
        shard.position(block + token * VECTOR_BYTES);
        shard.asFloatBuffer().get(expected);
        assertThat(vectors.get(new Tuple2<>((long) example, token))).isEqualTo(expected);
      }
    }
  }

  @Test
  void splitsOfWholeFilesAreWrittenWithoutAShuffle() throws IOException {
    Map<String, String> inOrderOfTheFiles =
        Map.of(
            "saev.input.record",
            "block",
            "saev.input.order",
            "layer",
            "saev.input.group",
            String.valueOf(EXAMPLES_PER_SHARD));
    var blocks = read(Dataset.SAEV, inOrderOfTheFiles, EXAMPLE_BYTES);
    assertThat(blocks.getNumPartitions()).isEqualTo(3);
    Path written = folder.resolve("written-tensors");
    Job job = output(SafetensorsOutputFormat.class, written);
    job.getConfiguration().set("saev.output.batch.size", String.valueOf(EXAMPLES_PER_SHARD));
    blocks.saveAsNewAPIHadoopDataset(job.getConfiguration());
    assertThat(contents(written, ".safetensors"))
        .isEqualTo(contents(Dataset.LAYERS.path(), ".safetensors"));
  }

  @Test
  void blocksThatAreBroughtIntoOrderAreWritten() throws IOException {
    var records = read(Dataset.LAYERS, Map.of("saev.input.record", "block"), EXAMPLE_BYTES);
    Path written = folder.resolve(saev.getFileName());
    Job job = output(SaevOutputFormat.class, written);
    // reversed, so that it is the partitioner and the sort that make it right
    blocks(records, "block")
        .sortByKey(false)
        .repartitionAndSortWithinPartitions(new ByFile())
        .mapToPair(
            b ->
                new Tuple2<>(
                    new ActivationKey(b._1().example(), b._1().layer(), 0),
                    new ActivationWritable(new int[] {TOKENS, DIM}, ByteBuffer.wrap(b._2()))))
        .saveAsNewAPIHadoopDataset(job.getConfiguration());
    assertThat(contents(written, ".bin")).isEqualTo(contents(saev, ".bin"));
    assertThat(written.resolve("metadata.json"))
        .hasSameBinaryContentAs(saev.resolve("metadata.json"));
  }

  private enum Dataset {
    SAEV(SaevInputFormat.class),
    LAYERS(SafetensorsInputFormat.class),
    ACTS(SafetensorsInputFormat.class);

    private final Class<? extends ActivationInputFormat> format;

    Dataset(Class<? extends ActivationInputFormat> format) {
      this.format = format;
    }

    Path path() {
      return this == SAEV ? saev : folder.resolve(name());
    }
  }

  /** Where a block stands. It travels between tasks, which Hadoop's Writables do not in Spark. */
  private record Block(long example, int layer) implements Comparable<Block>, Serializable {
    @Override
    public int compareTo(Block other) {
      return Comparator.comparingLong(Block::example)
          .thenComparingInt(Block::layer)
          .compare(this, other);
    }
  }

  /** The blocks of a file to one task, several files to some. */
  private static final class ByFile extends Partitioner {
    private static final long serialVersionUID = 1;

    @Override
    public int numPartitions() {
      return 2;
    }

    @Override
    public int getPartition(Object block) {
      return (int) (((Block) block).example() / EXAMPLES_PER_SHARD) % numPartitions();
    }
  }

  private static JavaPairRDD<ActivationKey, ActivationWritable> read(
      Dataset dataset, Map<String, String> settings, long splitBytes) {
    Configuration conf = new Configuration(spark.hadoopConfiguration());
    settings.forEach(conf::set);
    conf.setLong("mapreduce.input.fileinputformat.split.maxsize", splitBytes);
    return spark.newAPIHadoopFile(
        dataset.path().toString(),
        dataset.format,
        ActivationKey.class,
        ActivationWritable.class,
        conf);
  }

  /** Records of any kind as blocks in memory of their own. */
  private static JavaPairRDD<Block, byte[]> blocks(
      JavaPairRDD<ActivationKey, ActivationWritable> records, String record) {
    return switch (record) {
      case "block" ->
          records.mapToPair(
              r -> new Tuple2<>(new Block(r._1().example(), r._1().layer()), bytes(r._2())));
      case "vector" ->
          records
              .mapToPair(
                  r ->
                      new Tuple2<>(
                          new Block(r._1().example(), r._1().layer()),
                          new Tuple2<>(r._1().token(), bytes(r._2()))))
              .groupByKey()
              .mapValues(SparkIT::join);
      case "example" ->
          records.flatMapToPair(
              r -> {
                assertThat(r._1().layer()).isEqualTo(ActivationKey.ALL);
                List<Tuple2<Block, byte[]>> blocks = new ArrayList<>();
                for (int i = 0; i < LAYERS.size(); i++) {
                  byte[] block = new byte[BLOCK_BYTES];
                  r._2().bytes().get(i * BLOCK_BYTES, block);
                  blocks.add(new Tuple2<>(new Block(r._1().example(), LAYERS.get(i)), block));
                }
                return blocks.iterator();
              });
      default -> throw new IllegalArgumentException(record);
    };
  }

  /** The vectors of a block, which may come in any order. */
  private static byte[] join(Iterable<Tuple2<Integer, byte[]>> vectors) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    TreeSet<Integer> tokens = new TreeSet<>();
    for (Tuple2<Integer, byte[]> vector : vectors) {
      block.position(vector._1() * VECTOR_BYTES).put(vector._2());
      tokens.add(vector._1());
    }
    assertThat(tokens).hasSize(TOKENS);
    return block.array();
  }

  /** What the command digest prints, as it is defined. */
  private static String digest(JavaPairRDD<Block, byte[]> blocks) {
    List<Tuple2<Block, byte[]>> digests =
        blocks.mapValues(bytes -> sha256().digest(bytes)).sortByKey().collect();
    MessageDigest all = sha256();
    digests.forEach(d -> all.update(d._2()));
    return "sha256-blocks:%s examples=%d layers=%s tokens=%d dim=%d"
        .formatted(
            HexFormat.of().formatHex(all.digest()),
            digests.stream().map(d -> d._1().example()).distinct().count(),
            digests.stream()
                .map(d -> String.valueOf(d._1().layer()))
                .distinct()
                .sorted()
                .collect(Collectors.joining(",")),
            TOKENS,
            DIM);
  }

  private static List<Integer> shape(ActivationWritable value) {
    return Arrays.stream(value.shape()).boxed().toList();
  }

  private static byte[] bytes(ActivationWritable value) {
    byte[] bytes = new byte[value.bytes().remaining()];
    value.bytes().get(bytes);
    return bytes;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A dataset to be written with the metadata of the SAEV dataset. */
  private static Job output(Class<? extends ActivationOutputFormat> format, Path path)
      throws IOException {
    Job job = Job.getInstance(spark.hadoopConfiguration());
    job.setOutputFormatClass(format);
    SaevOutputFormat.setMetadata(
        job.getConfiguration(), Files.readAllBytes(saev.resolve("metadata.json")));
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(path.toUri()));
    return job;
  }

  /** The launcher, which has a class path without Spark, and what it prints. */
  private static String command(Object... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(checkout().resolve("bin/saev-hadoop").toString());
    Stream.of(args).map(String::valueOf).forEach(command::add);
    Path errors = folder.resolve("command.err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.to(errors.toFile()));
    builder.environment().remove("HADOOP_CONF_DIR");
    builder.environment().put("SAEV_HADOOP_OPTS", "-XX:TieredStopAtLevel=1");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    return output.strip();
  }

  private static ByteBuffer shard(int index) throws IOException {
    byte[] bytes = Files.readAllBytes(saev.resolve("acts%06d.bin".formatted(index)));
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The three files of a kind: name to SHA-256. */
  private static Map<String, String> contents(Path dataset, String suffix) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(dataset)) {
      for (Path file : files.filter(f -> f.toString().endsWith(suffix)).toList()) {
        byte[] digest = sha256().digest(Files.readAllBytes(file));
        contents.put(file.getFileName().toString(), HexFormat.of().formatHex(digest));
      }
    }
    assertThat(contents).hasSize(3);
    return contents;
  }

  private static Path checkout() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("fixtures"))) {
      folder = folder.getParent();
    }
    return folder;
  }
}
