package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.combined.CombinationError;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.tensor.DType;

/** Commands that read several datasets as one. */
class SeveralSourcesTest {
  @TempDir Path folder;

  private Path convert(Path from, String name, String options) {
    return Cli.convert(from, folder.resolve(name), options).succeeds().lastLinePath();
  }

  private Path labelled() throws IOException {
    return Fixtures.labelled(Fixtures.D768, folder);
  }

  @Test
  void aDescriptionShowsTheWholeAndEachSource() throws IOException {
    Path saev = labelled();
    Path npy = convert(saev, "npy", "npy --examples 0:2");
    JsonNode report = Cli.run("inspect", saev, "--with", npy, "--json").succeeds().json();
    assertThat(report.get("combined").asText()).isEqualTo("examples");
    assertThat(report.get("examples").asInt()).isEqualTo(7);
    assertThat(report.get("dtype").asText()).isEqualTo("float32");
    JsonNode second = report.get("sources").get(1);
    assertThat(second.get("dataset").asText()).isEqualTo(npy.toString());
    assertThat(second.get("format").asText()).isEqualTo("npy");
    assertThat(second.get("examples").asInt()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "--layers 10, EXAMPLES_DIFFER, 'has 2 examples of layer 10 (expected 5 of other columns, or layer 11'",
    "--tokens 0:3, SHAPES_DIFFER, 'has 3 tokens of dim 768 (expected 50 tokens of dim 768'"
  })
  void whatDoesNotFitIsRefusedWithTheFirstDifference(
      String part, CombinationError kind, String message) throws IOException {
    Path saev = labelled();
    Path first = convert(saev, "first", "npy --layers 11");
    Path other = convert(saev, "other", "npy --examples 0:2 " + part);
    for (String verb : List.of("digest", "stats", "inspect")) {
      Cli.run(verb, first, "--with", other).failsWithText(kind, other + ": " + message);
    }
    Cli verified = Cli.run("verify", first, "--with", other);
    assertThat(verified.exitCode()).isEqualTo(3); // nothing was checked
    assertThat(verified.stderr()).contains(other + ": " + message);
    Path out = folder.resolve("out");
    Cli.run("convert", first, out, "--to", "npy", "--with", other).failsWithText(kind, message);
    Cli.run("shuffle", first, out, "--with", other).failsWithText(kind, message);
    assertThat(out).doesNotExist();
  }

  @Test
  void moreConflictsThanOneAreWarnings() throws IOException {
    Path saev = labelled();
    Path first = convert(saev, "first", "npy --tokens 0:3");
    Path other = convert(saev, "other", "npy --layers 11");
    Cli run = Cli.run("digest", first, "--with", other, "--with", other);
    run.failsWithText(CombinationError.SHAPES_DIFFER, other.toString());
    assertThat(run.stderr()).contains("warning: " + other + ": has no layer 10 among layer 11");
  }

  @Test
  void aSourceGivenTwiceIsAWarning() throws IOException {
    Path npy = convert(labelled(), "npy", "npy");
    String warning = npy + ": is given more than once";
    Path out = folder.resolve("out");
    for (Cli run :
        List.of(
            Cli.run("digest", npy, "--with", npy),
            Cli.run("convert", npy, out, "--to", "saev", "--with", npy + "/../npy"),
            Cli.run("merge", npy, npy, folder.resolve("merged")))) {
      assertThat(run.succeeds().stderr()).containsOnlyOnce(warning);
    }
    Cli parts = Cli.run("digest", npy, "--with", npy, "-Dsaev.input.1.examples=0:2");
    assertThat(parts.succeeds().stderr()).doesNotContain("more than once");
  }

  /** Arrays without a layer number in any name. */
  private Path unnumbered(String name, int examples) throws IOException {
    Path file = Files.createDirectory(folder.resolve(name)).resolve("acts.npy");
    byte[] values = new byte[examples * 2 * 4 * Float.BYTES];
    OwnArrays.writeNpy(file, DType.F32, List.of((long) examples, 2L, 4L), values);
    return file.getParent();
  }

  @Test
  void layersThatNothingNumbersAreAWarningIfTheyMayBelongToTheSameExamples() throws IOException {
    Path attn = unnumbered("attn", 3);
    Path mlp = unnumbered("mlp", 3);
    Path more = unnumbered("more", 4);
    Path numbered = unnumbered("layer_0", 3);
    String warning = ": no name states the number of its layer, which becomes 0";
    for (Cli run :
        List.of(
            Cli.run("digest", attn, "--with", mlp),
            Cli.run("merge", attn, mlp, folder.resolve("merged")),
            Cli.run("convert", attn, folder.resolve("out"), "--to", "npy", "--with", mlp),
            Cli.run(
                "digest",
                attn,
                "--with",
                mlp,
                "-Dsaev.input.0.examples=1:3",
                "-Dsaev.input.1.examples=0:2"))) {
      assertThat(run.succeeds().stderr())
          .containsOnlyOnce(attn + warning + " (as in " + mlp + ")")
          .contains("-D saev.input.0.layer.names=L");
    }
    assertThat(Cli.run("digest", numbered, "--with", mlp).succeeds().stderr())
        .containsOnlyOnce(mlp + warning + ";")
        .contains("-D saev.input.1.layer.names=L");
    for (Cli run :
        List.of(
            Cli.run("digest", attn),
            Cli.run("digest", attn, "--with", more),
            Cli.run("digest", numbered, "--with", numbered),
            Cli.run("digest", attn, "--with", mlp, "--layer-names", "5"),
            Cli.run("digest", attn, "--with", mlp, "--combine", "examples"),
            Cli.run("digest", attn, "--with", mlp, "-Dsaev.input.1.layer.names=7"))) {
      assertThat(run.succeeds().stderr()).doesNotContain("layer, which becomes");
    }
  }

  @Test
  void allSourcesThatCannotBeReadAreNamed() throws IOException {
    Path saev = labelled();
    Path missing = folder.resolve("missing");
    Path other = folder.resolve("other");
    Cli absent = Cli.run("digest", saev, "--with", missing, "--with", other);
    absent.failsWith(FileError.NOT_FOUND, missing);
    assertThat(absent.stderr()).contains("warning: " + other + ": no such file or directory");
    Path npy = convert(saev, "npy", "npy");
    Files.delete(npy.resolve("layer_10.npy"));
    Path shorter = convert(saev, "shorter", "npy --tokens 0:3");
    Cli lacking = Cli.run("digest", saev, "--with", npy, "--with", shorter);
    lacking.failsWith(DatasetError.INCOMPLETE, npy.resolve("layer_10.npy"));
    assertThat(lacking.stderr()).contains("warning: " + shorter + ": has 3 tokens of dim 768");
  }

  @Test
  void keysOfOneSourceSelectAPartOfItAndOptionsAPartOfTheWhole() throws IOException {
    Path saev = labelled();
    String expected = Cli.run("digest", saev, "--examples", "3,4,0", "--layers", "11").lastLine();
    String found =
        Cli.run(
                "digest",
                saev,
                "--with",
                saev,
                "-Dsaev.input.0.examples=3:",
                "-Dsaev.input.1.examples=0:2",
                "--layers=11",
                "--limit=3")
            .succeeds()
            .lastLine();
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void keysOfOneSourceTakePrecedenceOverOptions() throws IOException {
    Path saev = labelled();
    Path one = Files.createDirectory(folder.resolve("one")).resolve("a.safetensors");
    NaiveTensors.write(one, Map.of("x", matrix(1, 2), "y", matrix(3, 4)));
    Path two = folder.resolve("b.safetensors");
    NaiveTensors.write(two, Map.of("x", matrix(5, 6), "y", matrix(7, 8)));
    Object[] sources = {"digest", one, "--with", two, "--tensor", "x=example,dim"};
    String both = Cli.run(sources).succeeds().lastLine();
    String other = Cli.run(sources, "-Dsaev.input.1.tensors=y=example,dim").succeeds().lastLine();
    assertThat(other).isNotEqualTo(both);
    NaiveTensors.write(two, Map.of("x", matrix(7, 8)));
    assertThat(Cli.run(sources).succeeds().lastLine()).isEqualTo(other);
  }

  @Test
  void aShardHoldsAnExampleOfTheLayersOfAllSources() throws IOException {
    Path saev = labelled();
    Path first = convert(saev, "first", "saev --layers 10 --tokens-per-shard 50");
    Path other = convert(saev, "other", "saev --layers 11 --tokens-per-shard 50");
    String expected = Cli.run("digest", saev).succeeds().lastLine();
    assertThat(Cli.run("digest", first, "--with", other).succeeds().lastLine()).isEqualTo(expected);
    Path both = convert(first, "both", "saev --with " + other);
    assertThat(Cli.run("digest", both).succeeds().lastLine()).isEqualTo(expected);
  }

  @Test
  void paddingStaysPaddingWhereOnlyOneSourceHasMarks() throws IOException {
    Path files = Files.createDirectory(folder.resolve("files"));
    NaiveTensors.write(files.resolve("a.safetensors"), Map.of("x", tokens(1, 2)));
    NaiveTensors.write(files.resolve("b.safetensors"), Map.of("x", tokens(3, 4, 5)));
    Path whole = folder.resolve("c.safetensors");
    NaiveTensors.write(whole, Map.of("x", tokens(6, 7, 8)));
    Path padded = convert(files, "padded", "npy --tensor x=token,dim --ragged pad:3");
    Path other = convert(whole, "other", "npy --tensor x=token,dim");
    for (List<Path> order : List.of(List.of(padded, other), List.of(other, padded))) {
      Cli stats = Cli.run("stats", order.get(0), "--with", order.get(1), "--json").succeeds();
      assertThat(stats.json().get("layers").get(0).get("vectors").asInt()).isEqualTo(8);
      Path both = convert(order.get(0), "both", "npy --overwrite --with " + order.get(1));
      assertThat(both.resolve("attention_mask.npy")).exists();
      stats = Cli.run("stats", both, "--json").succeeds();
      assertThat(stats.json().get("layers").get(0).get("vectors").asInt()).isEqualTo(8);
    }
  }

  /** SAEV has the marks in the sample metadata, npy in a mask. */
  @ParameterizedTest
  @CsvSource({
    "saev --family clip --ckpt b, saev --family clip --ckpt b, false",
    "saev --family clip --ckpt b, npy, false",
    "npy, saev --family clip --ckpt b, true",
    "pickle, npy, true",
  })
  void paddingStaysPaddingWhereverItIsMarked(String marked, String other, boolean isMarked)
      throws IOException {
    Path files = Files.createDirectory(folder.resolve("files"));
    NaiveTensors.write(files.resolve("a.safetensors"), Map.of("x", tokens(1, 2)));
    NaiveTensors.write(files.resolve("b.safetensors"), Map.of("x", tokens(3, 4, 5)));
    Path whole = folder.resolve("c.safetensors");
    NaiveTensors.write(whole, Map.of("x", tokens(6, 7, 8)));
    Path first = convert(files, "first", marked + " --tensor x=token,dim --ragged pad:3");
    Path second =
        isMarked
            ? convert(files, "second", other + " --tensor x=token,dim --ragged pad:3")
            : convert(whole, "second", other + " --tensor x=token,dim");
    int vectors = isMarked ? 10 : 8;
    int written = 0;
    for (List<Path> order : List.of(List.of(first, second), List.of(second, first))) {
      assertVectors(vectors, order.get(0), "--with", order.get(1), "--renumber");
      for (String to : List.of("saev --family clip --ckpt b", "npy", "pickle", "parquet")) {
        String name = "both" + written++;
        assertVectors(
            vectors, convert(order.get(0), name, to + " --renumber --with " + order.get(1)));
      }
    }
  }

  /** Samples have token ids of their own, shorter than the padded examples. */
  @Test
  void aMaskIsAddedToTheIntegersThatSamplesHave() throws IOException {
    Path files = Files.createDirectory(folder.resolve("files"));
    for (int i = 0; i < 2; i++) {
      Path file = files.resolve("sample_%d.safetensors".formatted(i));
      NaiveTensors.write(file, Map.of("x", i == 0 ? tokens(1, 2) : tokens(3, 4, 5)));
      String line = "{\"example\": 0, \"sample\": {\"tokens\": {\"token_ids\": [8, 9]}}}\n";
      try (OutputStream out =
          new GZIPOutputStream(
              Files.newOutputStream(files.resolve("sample_%d.examples.jsonl.gz".formatted(i))))) {
        out.write(line.getBytes(StandardCharsets.UTF_8));
      }
    }
    for (String to : List.of("npy", "samediff", "saev --family clip --ckpt b", "pickle")) {
      Path padded = convert(files, "p" + to.length(), to + " --tensor x=token,dim --ragged pad:4");
      assertVectors(5, padded);
      assertVectors(5, convert(padded, "q" + to.length(), "samediff"));
    }
  }

  private static void assertVectors(int vectors, Object... source) throws IOException {
    Cli stats = Cli.run("stats", source, "--json").succeeds();
    assertThat(stats.json().get("layers").get(0).get("vectors").asInt()).isEqualTo(vectors);
  }

  @Test
  void aWarningNamesTheModelsThatDiffer() throws IOException {
    Path file = folder.resolve("c.safetensors");
    NaiveTensors.write(file, Map.of("x", tokens(6, 7)));
    Path saev = convert(file, "saev", "saev --family clip --ckpt b --tensor x=example,dim");
    Path npy = convert(file, "npy", "npy --tensor x=example,dim");
    Path pickle = convert(npy, "pickle", "pickle");
    assertThat(Cli.run("digest", npy, "--with", saev).succeeds().stderr())
        .contains("is of the model clip b (" + npy + " is of unknown, which is recorded)");
    assertThat(Cli.run("digest", npy, "--with", pickle, "--renumber").succeeds().stderr())
        .doesNotContain("model");
  }

  private static Found tokens(float... values) {
    return Found.of("F32", List.of((long) values.length, 1L), NaiveTensors.floats(values));
  }

  private static Found matrix(float... values) {
    return Found.of("F32", List.of((long) values.length, 1L), NaiveTensors.floats(values));
  }

  @Test
  void theWholeIsTheDatasetThatWasDivided() throws IOException {
    Path saev = labelled();
    Path a = convert(saev, "a", "pickle --examples 0:2");
    Path b = convert(saev, "b", "samediff --examples 2: --layers 11,10");
    String whole = Cli.run("digest", saev).lastLine();
    assertThat(Cli.run("digest", a, "--with", b).succeeds().lastLine()).isEqualTo(whole);
    Path c = convert(saev, "c", "safetensors --layers 10");
    Path d = convert(saev, "d", "npy --layers 11");
    assertThat(Cli.run("digest", d, "--with", c, "--combine", "layers").succeeds().lastLine())
        .isEqualTo(whole);
  }

  @Test
  void aHashOfSaevNamesTheSources() throws IOException {
    Path saev = labelled();
    Path one = convert(saev, "one", "saev --examples 0:2");
    Path two = convert(saev, "two", "saev --examples 2:");
    Cli written = Cli.convert(one, folder.resolve("out"), "saev", "--with", two).succeeds();
    Path out = written.lastLinePath();
    JsonNode metadata = Fixtures.json(out.resolve("metadata.json"));
    assertThat(metadata.get("n_imgs").asInt()).isEqualTo(5);
    assertThat(metadata.get("data").toString())
        .startsWith("{\"sources\":[{\"hash\":\"" + one.getFileName() + "\",\"examples\":2,\"data\"")
        .contains(",{\"hash\":\"" + two.getFileName() + "\",\"examples\":3,\"data\"")
        .contains("ImageFolder");
    assertThat(out.getFileName()).isNotEqualTo(one.getFileName());
    assertThat(Cli.run("inspect", out, "--json").json().get("hash_matches").asBoolean()).isTrue();
    Cli other = Cli.convert(two, folder.resolve("out"), "saev", "--with", one).succeeds();
    assertThat(other.lastLinePath()).isNotEqualTo(out);
    assertThat(Cli.run("digest", other.lastLinePath()).lastLine())
        .isEqualTo(Cli.run("digest", saev, "--examples", "2:,0:2").lastLine());
  }

  @Test
  void repeatedIdsAreRefusedUnlessExamplesAreRenumbered() throws IOException {
    Path one = folder.resolve("one.safetensors");
    Path two = folder.resolve("two.safetensors");
    NaiveTensors.write(one, Map.of("a__v", matrix(1), "b__v", matrix(2)));
    NaiveTensors.write(two, Map.of("c__v", matrix(3), "b__v", matrix(4)));
    Object[] sources = {"digest", one, "--with", two, "--from-layout", "kv"};
    Cli.run(sources).failsWithText(CombinationError.REPEATED_ID, "b", one.toString());
    Cli.run(sources, "--renumber").succeeds();
    NaiveTensors.write(two, Map.of("c__v", matrix(3)));
    Path out = folder.resolve("out");
    Cli.convert(one, out, "safetensors --kv --from-layout kv", "--with", two).succeeds();
    assertThat(NaiveTensors.keys(out)).containsOnlyKeys("a__v", "b__v", "c__v");
  }

  @Test
  void labelsAndTheOrderOfSourcesAreKept() throws IOException {
    Path saev = labelled();
    Path one = convert(saev, "one", "saev --examples 3:");
    Path two = convert(saev, "two", "npy --examples 0:3");
    Path out =
        Cli.convert(one, folder.resolve("out"), "saev", "--with", two).succeeds().lastLinePath();
    byte[] labels = Files.readAllBytes(saev.resolve("labels.bin"));
    byte[] found = Files.readAllBytes(out.resolve("labels.bin"));
    int patches = labels.length / 5;
    for (int i = 0; i < labels.length; i++) {
      assertThat(found[i]).isEqualTo(labels[(i + 3 * patches) % labels.length]);
    }
  }

  @Test
  void aBrokenSecondSourceIsFound() throws IOException {
    Path saev = labelled();
    Path npy = convert(saev, "npy", "npy");
    Path file = npy.resolve("layer_10.npy");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] = 0x7f;
    bytes[bytes.length - 2] = (byte) 0xc0;
    Files.write(file, bytes);
    Cli run = Cli.run("verify", saev, "--with", npy, "--json");
    assertThat(run.exitCode()).isEqualTo(1);
    JsonNode finding = run.json().get("findings").get(0);
    assertThat(finding.get("path").asText()).isEqualTo(file.toString());
    assertThat(finding.get("example").asInt()).isEqualTo(4); // its number in the file
  }

  @ParameterizedTest
  @ValueSource(strings = {"--save", "--expect=sums"})
  void sumsAreThoseOfOneDataset(String option) throws IOException {
    Path saev = labelled();
    Files.writeString(folder.resolve("sums"), "0".repeat(64) + "  acts000000.bin\n");
    String full = option.replace("sums", folder.resolve("sums").toString());
    Cli.run("digest", saev, "--with", saev, full).failsAsUsage("is for one dataset");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--combine=layers", "--renumber"})
  void optionsOfSeveralDatasetsNeedSeveral(String option) throws IOException {
    Cli.run("digest", labelled(), option).failsAsUsage("expected --with");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cat", "list", "diff"})
  void commandsOfOneDatasetDoNotTakeOthers(String verb) throws IOException {
    Path saev = labelled();
    Cli.run(verb, saev, "--with", saev).failsAsUsage("--with");
  }

  @Test
  void normalizedVectorsAreCombinedOnlyWithVectorsOfTheSameNormalization() throws IOException {
    Path saev = labelled();
    Path figures = folder.resolve("figures.safetensors");
    Cli.run("stats", saev, "--to-safetensors", figures).succeeds();
    String options = "npy --normalize-by scale --normalize " + figures;
    Path scaled = convert(saev, "scaled", options);
    for (Path[] pair : new Path[][] {{saev, scaled}, {scaled, saev}}) {
      Cli.run("digest", pair[0], "--with", pair[1])
          .failsWithText(CombinationError.NORMALIZATION_DIFFERS, pair[1].toString());
    }
    Cli.run("digest", scaled, "--with", scaled).succeeds();
  }

  @Test
  void noDatasetIsWrittenIntoAnyOfTheSources() throws IOException {
    Path saev = labelled();
    Path npy = convert(saev, "npy", "npy");
    Cli.convert(saev, npy.resolve("out"), "npy", "--with", npy)
        .failsWith(FileError.OVERLAP, npy.resolve("out"));
  }

  @Test
  void aConfigurationNamesOthersToo() throws IOException {
    Path saev = labelled();
    Configuration conf = new Configuration();
    conf.set("saev.input.with", saev + ";" + saev);
    assertThat(Cli.run(conf, "digest", saev).succeeds().lastLine()).contains("examples=15");
  }
}
