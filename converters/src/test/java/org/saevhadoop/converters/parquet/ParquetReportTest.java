package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.normalize.NormalizedVectors;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.dataset.DatasetError;

/** What is reported of datasets of {@code convert --to parquet}, and of incomplete ones. */
class ParquetReportTest extends ConvertedDatasets {
  private static final Path SAEV = Fixtures.saev("shards/64988989");
  private static final String SUMMARY = "_common_metadata";

  private static String inspect(Path dataset) {
    return Cli.run("inspect", dataset).succeeds().text();
  }

  private static void assertShown(Path dataset, String... lines) {
    String text = inspect(dataset);
    for (String line : lines) {
      assertThat(text).containsPattern("(?m)^" + line.replaceFirst(" ", " +") + "$");
    }
  }

  @Test
  void whatTravelsWithTheVectorsIsShown() throws IOException {
    Path parquet = convert(SAEV, "parquet", "parquet --max-parquet-bytes 1500");
    assertShown(
        parquet,
        "protocol 2.1",
        "hash 64988989",
        "vector_type list",
        "codec none",
        "row_groups 8",
        "cls_token true",
        "labels true",
        "sample_metadata false");
    assertThat(inspect(parquet)).contains("  saev.metadata  ").contains("...\nbytes ");
    JsonNode json = Cli.run("inspect", parquet, "--json").json();
    assertThat(json.get("labels").asBoolean()).isTrue();
    assertThat(json.get("metadata").get("saev.metadata").asText())
        .isEqualTo(Files.readString(SAEV.resolve("metadata.json")));
    long bytes = 0;
    for (JsonNode shard : json.get("shards")) {
      bytes += Files.size(parquet.resolve(shard.get("file").asText()));
      assertThat(shard.get("bytes").asLong())
          .isEqualTo(Files.size(parquet.resolve(shard.get("file").asText())));
    }
    assertThat(json.get("bytes").asLong()).isEqualTo(bytes);
  }

  @Test
  void typesAreThoseThatAreStored() {
    Path bits = convert(SAEV, "bits", "parquet --dtype bf16 --vector-type bits --codec gzip");
    assertShown(bits, "dtype bfloat16", "vector_type bits", "codec gzip", "row_groups 2");
    Path samples = convert(Fixtures.pickle("spec"), "samples", "parquet");
    assertShown(samples, "sample_metadata true", "labels false");
    String flat = "parquet --tensor hidden_states=token,layer,dim --ragged flatten --dtype F32";
    Path tokens = convert(Fixtures.arrays("vllm"), "tokens", flat);
    assertThat(inspect(tokens)).containsPattern("token_arrays +1\n  token_ids\n");
  }

  @Test
  void aNormalizationIsShown() throws IOException {
    NormalizedVectors vectors = NormalizedVectors.write(folder);
    Object[] by = {"--normalize", vectors.statistics(), "--normalize-by", "center"};
    Path parquet = convert(vectors.source(), "parquet", "parquet", by);
    assertThat(inspect(parquet)).containsPattern("normalization +\\{\"by\":\"center\",\"sha256\":");
  }

  @Test
  void documentsThatCannotBeReadAreAWarning() throws IOException {
    Path parquet = convert(SAEV, "parquet", "parquet");
    for (String file : List.of("part-00000.parquet", SUMMARY)) {
      replace(parquet.resolve(file), "{\n  \"family\"", "[\n  \"family\"");
    }
    assertThat(inspect(parquet)).contains("it is not known whether token 0 is [CLS]");
  }

  /** The folder of a shuffle has a dataset for each layer, and is none itself. */
  @Test
  void shuffledLayersAreVerifiedOneByOne() {
    Path out = folder.resolve("out");
    Cli.run("shuffle", SAEV, out, "--to", "parquet", "--seed", 1, "--verify").succeeds();
    Cli verify = Cli.run("verify", out);
    assertThat(verify.exitCode()).isNotZero();
    assertThat(verify.stderr()).doesNotContain("--files");
    for (String layer : List.of("layer_13", "layer_23")) {
      assertThat(verify.stderr()).contains("verify " + out.resolve(layer));
      assertThat(Cli.run("verify", out.resolve(layer)).succeeds().text())
          .contains("no problem found");
    }
    Cli.run("shuffle", SAEV, out, "--to", "parquet", "--seed", 1).failsWithText("already");
  }

  /** Files of one dataset in each folder are no layers of one. */
  @Test
  void foldersWithoutSummariesAreDatasets() throws IOException {
    Path out = folder.resolve("out");
    Cli.run("shuffle", SAEV, out, "--to", "parquet", "--seed", 1).succeeds();
    for (String layer : List.of("layer_13", "layer_23")) {
      Files.delete(out.resolve(layer).resolve(SUMMARY));
    }
    for (String command : List.of("inspect", "verify", "digest")) {
      Cli cli = Cli.run(command, out);
      assertThat(cli.exitCode()).isNotZero();
      assertThat(cli.text() + cli.stderr())
          .doesNotContain("--files", "proposes")
          .contains(command + " " + out.resolve("layer_13"));
    }
  }

  private static void replace(Path file, String from, String to) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    assertThat(text).contains(from);
    Files.writeString(
        file, text.replaceFirst(Pattern.quote(from), to), StandardCharsets.ISO_8859_1);
  }

  @Test
  void theSummaryDescribesTheDataset() throws IOException {
    Path parquet = convert(SAEV, "parquet", "parquet --max-parquet-bytes 1500");
    Path other = convert(SAEV, "other", "parquet --layers 13");
    Files.copy(other.resolve(SUMMARY), folder.resolve("of-other"));
    Path own = folder.resolve("own");
    Files.move(parquet.resolve(SUMMARY), own);
    Files.copy(folder.resolve("of-other"), parquet.resolve(SUMMARY));
    for (String command : List.of("inspect", "digest")) {
      Cli.run(command, parquet).failsWithText("part-00000.parquet", "another dataset", SUMMARY);
    }
    assertThat(Cli.problems(parquet)).contains("another dataset");
    Files.delete(parquet.resolve(SUMMARY));
    Files.copy(own, parquet.resolve(SUMMARY));
    assertThat(digest(parquet)).isEqualTo(digest(SAEV));
  }

  @Test
  void filesOfAnotherOriginAreRefusedAlthoughTheyHaveTheSameShape() throws IOException {
    NormalizedVectors vectors = NormalizedVectors.write(folder);
    Object[] by = {"--normalize", vectors.statistics(), "--normalize-by", "center"};
    Path parquet = convert(vectors.source(), "parquet", "parquet");
    Path other = convert(vectors.source(), "other", "parquet", by);
    Files.delete(parquet.resolve("part-00000.parquet"));
    Files.copy(other.resolve("part-00000.parquet"), parquet.resolve("part-00000.parquet"));
    assertThat(digest(parquet)).isEqualTo(digest(other)); // documents may have been added
    Files.copy(
        convert(vectors.source(), "first", "parquet").resolve("part-00000.parquet"),
        other.resolve("part-00000.parquet"),
        StandardCopyOption.REPLACE_EXISTING);
    Cli.run("digest", other).failsWithText("part-00000.parquet", "another dataset");
  }

  @Test
  void aSummaryAloneIsAnIncompleteDataset() throws IOException {
    Path parquet = convert(SAEV, "parquet", "parquet");
    Files.delete(parquet.resolve("part-00000.parquet"));
    for (String command : List.of("inspect", "digest")) {
      Cli.run(command, parquet).failsWith(DatasetError.INCOMPLETE, parquet);
    }
    assertThat(Cli.problems(parquet)).contains("no *.parquet file");
  }

  /** As a job of another program leaves it that was killed, or a copy of the data files. */
  @Test
  void aDatasetWithoutASummaryIsReadIfItHasAllExamples() throws IOException {
    Path parquet = convert(SAEV, "parquet", "parquet --max-parquet-bytes 1500");
    Files.delete(parquet.resolve(SUMMARY));
    assertThat(digest(parquet)).isEqualTo(digest(SAEV));
    assertThat(Cli.assertSound(parquet).text()).contains("has no " + SUMMARY);
    Cli.run("convert", SAEV, parquet, "--to", "parquet", "--overwrite").failsWithText(SUMMARY);
    Files.delete(parquet.resolve("part-00003.parquet"));
    Cli.run("digest", parquet).failsWithText("has 6 examples (expected 7");
  }
}
