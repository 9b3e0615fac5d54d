package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.safetensors.dataset.TensorDatasetError;
import org.saevhadoop.format.tensor.DType;

/** Files of safetensors that hold tensors of one dimension, or metadata that cannot be read. */
class VectorFilesTest {
  @TempDir Path folder;

  private static Found vector(float... values) {
    return Found.of("F32", List.of((long) values.length), NaiveTensors.floats(values));
  }

  private Path vectors() throws IOException {
    Path source = Files.createDirectories(folder.resolve("source"));
    for (int i = 0; i < 3; i++) {
      Map<String, Found> tensors = Map.of("embedding", vector(i, i + 0.5f, -i, 9));
      NaiveTensors.write(source.resolve("gene_%d.safetensors".formatted(i)), tensors);
    }
    return source;
  }

  @Test
  void aVectorAFileIsAnExampleWithTheNameOfTheFile() throws IOException {
    Path source = vectors();
    JsonNode report = Cli.run("inspect", source, "--json").succeeds().json();
    assertThat(report.get("examples").asInt()).isEqualTo(3);
    assertThat(report.get("tokens").asInt()).isEqualTo(1);
    assertThat(report.get("dim").asInt()).isEqualTo(4);
    Cli.convert(source, folder.resolve("saev"), "saev", "--family=f", "--ckpt=c").succeeds();
    Path out = folder.resolve("out");
    Cli.convert(source, out, "npy", "--verify").succeeds();
    assertThat(Cli.run("cat", out, "--example=1").succeeds().text())
        .isEqualTo(Cli.run("cat", source, "--example=1").succeeds().text())
        .contains("1.5");
    assertThat(Cli.run("cat", out, "--sample-metadata", "--examples=2").succeeds().text())
        .contains("\"gene_2\"");
  }

  @Test
  void aMatrixAmongVectorsIsNoExample() throws IOException {
    Path source = vectors();
    Found matrix = Found.of("F32", List.of(4L, 4L), NaiveTensors.floats(new float[16]));
    NaiveTensors.write(source.resolve("gene_1.safetensors"), Map.of("embedding", matrix));
    Cli.run("digest", source)
        .failsWith(ArrayError.MIXED_SHAPES, source.resolve("gene_1.safetensors"));
  }

  @Test
  void severalVectorsInAFileAreReadAsTheErrorSays() throws IOException {
    Path file = folder.resolve("genes.safetensors");
    NaiveTensors.write(file, Map.of("TP53", vector(1, 2), "MYC", vector(3, 4), "A1", vector(5, 6)));
    assertThat(Cli.run("inspect", file).succeeds().text()).contains("--tensor '{example}=dim'");
    for (String verb : List.of("digest", "verify")) {
      Cli cli = Cli.run(verb, file);
      assertThat(cli.exitCode()).as(verb).isEqualTo(verb.equals("verify") ? 3 : 1);
      assertThat(cli.stderr() + cli.text()).contains("expected --tensor '{example}=dim' if each");
    }
    assertThat(Cli.run("digest", file, "--tensor={example}=dim").succeeds().text())
        .contains("examples=3 layers=0 tokens=1 dim=2");
    assertThat(Cli.run("digest", file, "--from-layout=batch").succeeds().text())
        .contains("examples=2 columns=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"safetensors", "npz"})
  void vectorsOfAFileKeepTheirNamesAsProposed(String container) throws IOException {
    Path file = folder.resolve("genes." + container);
    Map<String, Found> genes =
        Map.of("TP53", vector(1, 2), "MYC", vector(3, 4), "A1", vector(5, 6));
    if (container.equals("npz")) {
      Map<String, byte[]> entries = new TreeMap<>();
      for (Map.Entry<String, Found> gene : genes.entrySet()) {
        byte[] values = gene.getValue().bytes();
        entries.put(gene.getKey(), OwnArrays.npy(DType.F32, List.of(2L), values));
      }
      OwnArrays.zip(file, entries);
    } else {
      NaiveTensors.write(file, genes);
    }
    assertThat(Cli.run("inspect", file).succeeds().text())
        .contains("--to saev --tensor '{example}=dim'");
    Path out = folder.resolve("out");
    Cli.convert(file, out, "npy", "--tensor", "{example}=dim").succeeds();
    assertThat(Cli.run("digest", out).succeeds().text())
        .contains("examples=3 layers=0 tokens=1 dim=2");
    List<String> names = List.of("A1", "MYC", "TP53");
    for (int i = 0; i < names.size(); i++) {
      assertThat(Cli.run("cat", out, "--sample-metadata", "--examples=" + i).succeeds().text())
          .contains("{\"source_array\": \"%s\"}".formatted(names.get(i)));
    }
    assertThat(Cli.run("cat", out, "--example=1").succeeds().text()).contains("3").contains("4");
  }

  @Test
  void aVectorForEachLayerIsAnExampleWithTheNameOfItsFile() throws IOException {
    Path source = Files.createDirectories(folder.resolve("source"));
    for (String protein : List.of("P1A", "Q9Z")) {
      NaiveTensors.write(
          source.resolve(protein + ".safetensors"),
          Map.of("mean_representations.33", vector(1, 2), "mean_representations.12", vector(3, 4)));
    }
    assertThat(Cli.run("digest", source).succeeds().text())
        .contains("examples=2 layers=12,33 tokens=1 dim=2");
    assertThat(Cli.run("inspect", source).succeeds().text())
        .contains("suggestion           1")
        .contains("OUT --to saev --family");
    assertThat(Cli.run("cat", source, "--sample-metadata", "--examples=1").succeeds().text())
        .contains("{\"source_file\": \"Q9Z\"}");
  }

  @Test
  void aTableOfNumbersIsRefusedByAFormatOfVectors() throws IOException {
    Path source = vectors();
    Cli cli =
        Cli.convert(
            source,
            folder.resolve("saev"),
            "saev",
            "--from-layout=batch",
            "--family=f",
            "--ckpt=c");
    cli.failsWithText("tensor `embedding` is not an activation tensor");
  }

  @ParameterizedTest
  @ValueSource(strings = {"digest", "convert", "stats", "verify", "list"})
  void aLayoutThatIsNotKnownIsRefused(String verb) throws IOException {
    Path file = folder.resolve("x.safetensors");
    Found acts = Found.of("F32", List.of(1L, 1L, 2L), NaiveTensors.floats(new float[2]));
    NaiveTensors.write(file, Map.of("layer_3", acts), Map.of("saev.layout", "columns"));
    List<String> more =
        verb.equals("convert") ? List.of(folder.resolve("out").toString(), "--to=npy") : List.of();
    Cli cli = Cli.run(verb, file, more);
    assertThat(cli.exitCode()).as(cli.stderr()).isEqualTo(1);
    assertThat(cli.text() + cli.stderr())
        .contains(file + ": saev.layout is \"columns\" (expected one of [batch, kv])");
    if (!verb.equals("verify")) {
      cli.failsWith(TensorDatasetError.BAD_FILE_METADATA, file);
    }
    Cli.run("digest", file, "--from-layout=batch").succeeds();
  }

  @Test
  void tokensThatBecomeExamplesAreNotCls() throws IOException {
    Path source = vectors();
    Path out = folder.resolve("out");
    Object[] model = {"--family=f", "--ckpt=c", "--cls"};
    Cli.convert(source, out, "saev --ragged=flatten", model)
        .failsAsUsage("--cls and --ragged flatten exclude each other");
    assertThat(out).doesNotExist();
    Cli.convert(source, out, "saev", model).succeeds();
  }

  @Test
  void aFileOfKeysHasAShape() throws IOException {
    Path file = folder.resolve("keys.safetensors");
    Found block = Found.of("F32", List.of(2L, 3L), NaiveTensors.floats(new float[6]));
    NaiveTensors.write(file, Map.of("a__layer_4", block, "b__layer_4", block));
    JsonNode report = Cli.run("inspect", file, "--json").succeeds().json();
    assertThat(report.get("examples").asInt()).isEqualTo(2);
    assertThat(report.get("layers").toString()).isEqualTo("[4]");
    assertThat(report.get("dim").asInt()).isEqualTo(3);
    assertThat(report.get("tensors")).hasSize(2);
  }
}
