package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.arrays.file.ArrayError;

/** The layers of {@code --layer-names}: numbers, which they keep, or names, which are recorded. */
class LayerNamesTest {
  @TempDir Path folder;

  private Path acts(long... shape) throws IOException {
    byte[] values = new byte[(int) Arrays.stream(shape).reduce(4, (a, b) -> a * b)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) (i / 4 % 50 + 1);
    }
    Path file = folder.resolve("x.safetensors");
    List<Long> sizes = Arrays.stream(shape).boxed().toList();
    NaiveTensors.write(file, Map.of("x", Found.of("F32", sizes, values)));
    return file;
  }

  private static final List<String> FOUR = List.of("--tensor=x=example,layer,token,dim");

  @Test
  void numbersAreTheLayersInTheOrderOfTheDimension() throws IOException {
    Path source = acts(2, 3, 2, 4);
    JsonNode report =
        Cli.run("inspect", source, FOUR, "--layer-names=7,3", "--layer-names= 11", "--json")
            .succeeds()
            .json();
    assertThat(report.get("layers").toString()).isEqualTo("[7,3,11]");
    assertThat(report.has("layer_names")).isFalse();
    String all = Cli.run("cat", source, FOUR, "--examples=1", "--format=hex").succeeds().text();
    Cli seven = Cli.run("cat", source, FOUR, "--layer-names=7,3,11", "--layer=7", "--example=1");
    Cli zero = Cli.run("cat", source, FOUR, "--layer=0", "--example=1");
    assertThat(all).isNotEmpty();
    assertThat(seven.succeeds().text().lines().map(l -> l.replaceFirst("^1 7", "1 0")))
        .containsExactlyElementsOf(zero.succeeds().text().lines().toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3,attn,11 | has the numbers 3, 11 and the names attn (expected only numbers, or only names)",
        "3,7,3 | is \"3,7,3\" (expected each layer once)",
        "3,03,7 | is \"3,03,7\" (expected each layer once)",
        "a,b,a | is \"a,b,a\" (expected each layer once)",
        "3,,7 | is \"3,,7\" (expected each layer once)"
      })
  void whatIsNoListOfLayersIsRefusedByEachVerb(String names, String problem) throws IOException {
    Path source = acts(2, 3, 2, 4);
    for (String verb :
        List.of("inspect", "stats", "digest", "list", "verify", "bench", "convert", "diff")) {
      List<String> more =
          switch (verb) {
            case "convert" -> List.of(folder.resolve("out").toString(), "--to=npy");
            case "diff" -> List.of(source.toString());
            default -> List.of();
          };
      Cli cli = Cli.run(verb, source, more, FOUR, "--layer-names=" + names);
      assertThat(cli.exitCode()).as("%s: %s", verb, cli.stderr()).isEqualTo(2);
      assertThat(cli.stderr().lines()).as(verb).hasSize(1);
      assertThat(cli.stderr()).as(verb).startsWith("--layer-names " + problem);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"npy", "safetensors", "safetensors --columns=acts", "safetensors --kv", "parquet"})
  void namesAreRecordedWhereDocumentsAre(String to) throws IOException {
    Path source = acts(2, 3, 2, 4);
    String names = "--layer-names=attn,mlp,post";
    Path out = folder.resolve("out");
    Cli written = Cli.run("convert", source, out, FOUR, names, "--to", to.split(" ")).succeeds();
    assertThat(written.stderr())
        .contains("--layer-names: layers become numbers, 0=attn, 1=mlp, 2=post");
    assertThat(names("inspect", source, FOUR, names)).isEqualTo("[\"attn\",\"mlp\",\"post\"]");
    assertThat(names("inspect", out)).isEqualTo("[\"attn\",\"mlp\",\"post\"]");
    Path part = folder.resolve("part");
    Cli.run("convert", out, part, "--to", to.split(" "), "--layers=2,1").succeeds();
    assertThat(names("inspect", part)).isIn("[\"post\",\"mlp\"]", "[\"mlp\",\"post\"]");
  }

  private static String names(Object... command) throws IOException {
    return Cli.run(command, "--json").succeeds().json().path("layer_names").toString();
  }

  @Test
  void namesSurviveAContainer() throws IOException {
    Path source = acts(2, 3, 2, 4);
    Path container = folder.resolve("container");
    Object[] named = {FOUR, "--layer-names=attn,mlp,post", "--to=samediff"};
    Cli.run("convert", source, container, named).succeeds();
    Path back = folder.resolve("back");
    Cli.run("convert", container, back, "--to=npy").succeeds();
    assertThat(names("inspect", back)).isEqualTo("[\"attn\",\"mlp\",\"post\"]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"saev --family=f --ckpt=c", "pickle"})
  void aFormatThatLosesNamesSaysSo(String to) throws IOException {
    Path source = acts(2, 3, 2, 4);
    Path out = folder.resolve("out");
    Cli written =
        Cli.run("convert", source, out, FOUR, "--layer-names=a,b,c", "--to", to.split(" "));
    assertThat(written.succeeds().stderr())
        .contains("the names of layers are not kept: 0=a, 1=b, 2=c");
    Cli numbers =
        Cli.run(
            "convert",
            source,
            out,
            "--overwrite",
            FOUR,
            "--layer-names=4,5,6",
            "--to",
            to.split(" "));
    assertThat(numbers.succeeds().stderr()).doesNotContain("names of layers", "become numbers");
  }

  @Test
  void aListThatNamesNoLayerIsRefused() throws IOException {
    Path source = acts(2, 3, 2, 4);
    Cli.run("digest", source, FOUR, "--layer-names=3,7").failsWith(ArrayError.BAD_SHAPE, source);
    Cli.run("digest", source, "--tensor=x=example,layer:1+2+3,token,dim", "--layer-names=3,7,9")
        .failsWith(ArrayError.NO_LAYER_NUMBER, source);
  }

  @Test
  void theOnlyNumberIsTheOnlyLayer() throws IOException {
    Path source = acts(2, 3, 4);
    assertThat(Cli.run("digest", source, "--tensor=x=example,token,dim", "--layer-names=13").text())
        .contains("layers=13 tokens=3 dim=4");
  }

  @Test
  void foldersAreLayersByNumberOrByName() throws IOException {
    Path file = acts(2, 3, 4);
    for (String name : List.of("7", "12", "3")) {
      Files.createDirectories(folder.resolve("hooks").resolve(name));
      Files.copy(file, folder.resolve("hooks").resolve(name).resolve("x.safetensors"));
    }
    List<Object> digest =
        List.of("digest", folder.resolve("hooks"), "--files={hook}/x.safetensors");
    assertThat(Cli.run(digest, "--layer-names=12,7,3").succeeds().text()).contains("layers=3,7,12");
    Cli unused =
        Cli.run("inspect", digest.subList(1, 3), "--layer-names=12,7,3,20", "--json").succeeds();
    assertThat(unused.json().get("warnings").toString())
        .contains("no array has the layers [20] of --layer-names");
  }
}
