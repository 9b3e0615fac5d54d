package org.saevhadoop.converters.house;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.Datasets;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.projection.IndexPieces;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.projection.TokenRequest;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.ShuffledReader;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorView;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.testing.Documentation;
import org.saevhadoop.testing.Programs;

/** The Java code of the documentation compiles, runs, and stands there as it stands here. */
class DocumentedCodeTest {
  /** Calls classes of SameDiff, which no released library has. */
  private static final String OF_ANOTHER_PROGRAM = "SameDiffSerializer.load";

  /** Programs that ConsumersIT compiles and runs. */
  private static final String CONSUMERS = "spark-it/src/test/consumers";

  @TempDir Path folder;

  private long rows;

  static Stream<Documentation.Block> java() throws IOException {
    return Documentation.blocks(Corpus.checkout(), "java").stream()
        .filter(block -> !block.lines().toString().contains(OF_ANOTHER_PROGRAM));
  }

  @ParameterizedTest
  @MethodSource("java")
  void aBlockIsCodeOfThisPackageOrAConsumer(Documentation.Block block) throws IOException {
    Path here = Corpus.checkout().resolve("converters/src/test/java").resolve(packageFolder());
    List<String> sources;
    try (Stream<Path> files = Files.list(here);
        Stream<Path> consumers = Files.walk(Corpus.checkout().resolve(CONSUMERS))) {
      sources =
          Stream.concat(files, consumers.filter(Files::isRegularFile))
              .map(DocumentedCodeTest::read)
              .map(DocumentedCodeTest::unindented)
              .toList();
    }
    String code = unindented(String.join("\n", block.lines()));
    assertThat(sources).as("%s", block).anyMatch(source -> source.contains(code));
  }

  @Test
  void theFirstPageOfTheJavadocHasBlocksOfTheDocumentation() throws IOException {
    String page =
        Files.readString(Corpus.checkout().resolve("dist/src/main/javadoc/overview.html"));
    List<String> documented =
        Documentation.blocks(Corpus.checkout(), "java").stream()
            .map(block -> unindented(String.join("\n", block.lines())))
            .toList();
    Matcher blocks = Pattern.compile("(?s)<pre>\\{@code\n(.*?)\n}</pre>").matcher(page);
    assertThat(blocks.results().map(block -> unindented(block.group(1))))
        .hasSize(4)
        .isSubsetOf(documented);
  }

  private static String packageFolder() {
    return DocumentedCodeTest.class.getPackageName().replace('.', '/');
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String unindented(String code) {
    return code.lines().map(String::strip).collect(Collectors.joining("\n"));
  }

  @Test
  void packagesThatPagesNameExist() throws IOException {
    Pattern name = Pattern.compile("`(org\\.saevhadoop(?:\\.[a-z]+)+)`");
    List<String> modules = List.of("format", "mapreduce", "jobs", "converters");
    for (String page : Documentation.pages(Corpus.checkout())) {
      Matcher found = name.matcher(Files.readString(Corpus.checkout().resolve(page)));
      while (found.find()) {
        String sources = "src/main/java/" + found.group(1).replace('.', '/');
        assertThat(modules)
            .as("%s: %s", page, found.group(1))
            .anyMatch(module -> Files.exists(Corpus.checkout().resolve(module).resolve(sources)));
      }
    }
  }

  @Test
  void theReaderReturnsEveryVectorInEachEpoch() throws IOException {
    readForTraining(Fixtures.small());
    assertThat(rows).isEqualTo(2 * 7 * 9);
  }

  private void readForTraining(Path directory) throws IOException {
    ActivationDataset dataset = Datasets.open(directory).requireActivations();
    int cls = dataset.activations().clsTokens().orElse(0);
    VectorView view = VectorView.of(dataset, cls, TokenChoice.IMAGE, 13);
    ReaderOptions options = ReaderOptions.defaults().withBatchSize(4096).withBufferSize(16);
    try (ShuffledReader reader = new ShuffledReader(dataset, view, options)) {
      for (int epoch = 0; epoch < 2; epoch++) {
        reader.startEpoch(epoch);
        while (reader.next()) {
          FloatBuffer vectors = reader.batch().floats(); // [rows, dim]
          train(vectors, reader.batch().rows());
        }
      }
    }
  }

  private void train(FloatBuffer vectors, int count) {
    assertThat(vectors.remaining()).isEqualTo(count * 16);
    rows += count;
  }

  /** Runs a program of the documentation, and returns what it prints. */
  private static String printed(String program) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    String source = Corpus.checkout().resolve(CONSUMERS).resolve(program).toString();
    String dataset = Fixtures.small().toString();
    List<String> command = new ArrayList<>(List.of(java));
    command.addAll(Launched.SHORT);
    command.addAll(List.of("-cp", classes, source, dataset));
    return new String(Programs.output(command.toArray(String[]::new)), UTF_8);
  }

  @Test
  void meanNormsAreThoseOfStats() throws Exception {
    JsonNode layers = Cli.run("stats", Fixtures.small(), "--json").json().get("layers");
    Map<Integer, Double> expected = new LinkedHashMap<>();
    layers.forEach(
        layer -> expected.put(layer.get("layer").intValue(), layer.at("/norm/mean").doubleValue()));
    Map<Integer, Double> found = new LinkedHashMap<>();
    printed("verbs/LayerMeans.java")
        .lines()
        .map(line -> line.split(" "))
        .forEach(line -> found.put(Integer.valueOf(line[0]), Double.valueOf(line[1])));
    assertThat(found).hasSize(3).isEqualTo(expected);
    assertThat(Double.parseDouble(printed("format/Norms.java")))
        .isCloseTo(expected.get(13), Percentage.withPercentage(1e-9));
  }

  @Test
  void aVerbConvertsAndDigests() throws Exception {
    String source = Fixtures.small().toString();
    String target = folder.resolve("target").toString();
    Configuration conf = new Configuration();
    conf.setBoolean("saev.convert.verify", true); // compares what was written with the source
    Conversion.Result written =
        Conversion.of(source, target, "safetensors", conf).run(RunListener.NONE);
    DatasetDigest digest = Digest.of(written.path(), conf).run(RunListener.NONE);
    assertThat(Cli.run("digest", source).lastLine()).isEqualTo(digest.toString());
  }

  @Test
  void aPartIsADataset() throws IOException {
    TableDataset dataset = Datasets.open(Fixtures.small());
    ProjectionRequest request =
        new ProjectionRequest(
            LayerRequest.parse("13"),
            IndexPieces.parse("0:1000"),
            ProjectionRequest.NO_LIMIT,
            TokenRequest.ALL);
    TableDataset part = request.resolve(dataset).of(dataset);
    assertThat(part.table().examples()).isEqualTo(7);
    assertThat(part.table().columns()).hasSize(1);
  }

  @Test
  void theJobComputesTheMeanNormOfEachLayer() throws Exception {
    Path norms = folder.resolve("norms");
    String[] paths = {Fixtures.small().toString(), norms.toString()};
    assertThat(ToolRunner.run(new LayerNorms(), paths)).isZero();
    List<String> lines = Files.readAllLines(norms.resolve("part-r-00000"));
    assertThat(lines).hasSize(3).allMatch(line -> line.matches("-?\\d+\t[0-9.E]+"));
    String vectors = Cli.run("cat", Fixtures.small(), "--layer", 13).text();
    double sum =
        vectors
            .lines()
            .flatMap(line -> Stream.of(line.split(" ")).skip(3))
            .mapToDouble(value -> Math.pow(Float.parseFloat(value), 2))
            .sum();
    assertThat(lines.stream().filter(line -> line.startsWith("13\t")).findFirst().orElseThrow())
        .satisfies(
            line ->
                assertThat(Double.parseDouble(line.substring(3)))
                    .isCloseTo(sum / (7 * 10), Percentage.withPercentage(1e-9)));
  }
}
