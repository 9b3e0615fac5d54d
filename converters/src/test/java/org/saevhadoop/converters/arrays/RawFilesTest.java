package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.pickled.NumpyPickle;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.torch.file.TorchFile;
import org.saevhadoop.format.torch.file.TorchPickle;

/** Files of values without a header, several arrays in a file, and pickles of arrays. */
class RawFilesTest {
  private static final byte[] VALUES = values();

  @TempDir Path folder;

  private static byte[] values() {
    float[] values = new float[60 * 4];
    for (int i = 0; i < values.length; i++) {
      values[i] = i / 7f;
    }
    return OwnArrays.bytes(values);
  }

  private Path write(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  private Path npy() throws IOException {
    return write("npy/acts.npy", OwnArrays.npy(DType.F32, List.of(60L, 4L), VALUES));
  }

  /** Returns the options of the first command that inspect proposes. */
  private static String proposed(Path source) {
    String text = Cli.run("inspect", source).succeeds().text();
    String to = " OUT --to saev";
    return text.lines()
        .filter(line -> line.contains(to))
        .findFirst()
        .map(line -> line.substring(line.indexOf(to) + to.length()).strip())
        .orElse("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"acts.bin", "acts.dat", "acts.raw", "acts.mmap", "acts.memmap", "acts"})
  void aFileOfValuesIsReadAsTheArrayThatTheUserNames(String name) throws IOException {
    Path file = write("raw/" + name, VALUES);
    String digest = ConvertedDatasets.digest(npy());
    assertThat(Cli.run("digest", file, "--raw", "f4,60,4").succeeds().text()).contains(digest);
    Cli.convert(file, folder.resolve("out"), "npy", "--raw=f4,-1,4", "--verify").succeeds();
    assertThat(ConvertedDatasets.digest(folder.resolve("out"))).isEqualTo(digest);
    Cli.run("diff", file, folder.resolve("npy/acts.npy"), "--raw=f4,60,4").succeeds();
    Cli.run("verify", file, "--raw=f4,60,4").succeeds();
    Cli.run("verify", file, "--raw=f4,60,4", "--structure").findsNoProblem();
  }

  @Test
  void aFolderOfValuesIsRead() throws IOException {
    write("raw/part_0.bin", VALUES);
    write("raw/part_1.bin", VALUES);
    Path source = folder.resolve("raw");
    Object[] options = {"--raw=f4,60,4"};
    assertThat(Cli.convert(source, folder.resolve("out"), "npy", options).succeeds().stderr())
        .contains("120 examples");
    Cli.convert(source, folder.resolve("one"), "npy", "--raw=f4,60,4", "--files=part_{shard}.bin")
        .succeeds();
  }

  @ParameterizedTest
  @CsvSource({
    "dstore_gpt2_60_4_keys.npy, '--raw f4,60,4'",
    "acts_60x4.bin, '--raw f4,60,4'",
    "noname.bin, ''"
  })
  void whatTheNameStatesIsProposedAndNeverAssumed(String name, String options) throws IOException {
    Path file = write("raw/" + name, VALUES);
    Cli cli = Cli.convert(file, folder.resolve("out"), "npy");
    cli.failsWith(name.endsWith(".npy") ? NpyError.NOT_NPY : DatasetError.UNKNOWN_FORMAT, file);
    assertThat(cli.stderr()).contains("--raw");
    if (!options.isEmpty()) {
      assertThat(cli.stderr()).contains("inspect proposes commands");
      assertThat(proposed(file)).isEqualTo(options);
    }
  }

  @Test
  void whatADocumentStatesIsProposed() throws IOException {
    Path file = write("raw/acts.dat", VALUES);
    write("raw/acts.json", "{\"shape\": [20, 3, 4], \"dtype\": \"float32\"}".getBytes());
    assertThat(proposed(file)).isEqualTo("--raw float32,20,3,4");
  }

  @Test
  void eachFileOfAFolderIsProposedIfTheyDiffer() throws IOException {
    write("raw/dstore_60_4_keys.npy", VALUES);
    write("raw/dstore_60_1_vals.npy", new byte[60 * Long.BYTES]);
    assertThat(proposed(folder.resolve("raw")))
        .isEqualTo("--files dstore_60_4_keys.npy --raw f4,60,4");
  }

  @Test
  void aLengthThatIsNotThatOfTheArrayIsRefused() throws IOException {
    Path file = write("raw/acts.bin", VALUES);
    Cli.run("digest", file, "--raw=f4,61,4").failsWith(NpyError.WRONG_LENGTH, file);
    Cli.run("digest", file, "--raw=f4,60,x").failsAsUsage("--raw");
  }

  @Test
  void otherFormatsIgnoreTheOptionWithAWarning() throws IOException {
    Path file = write("raw/acts.bin", VALUES);
    Path saev = folder.resolve("saev");
    Cli.convert(file, saev, "saev", "--raw=f4,60,4").succeeds();
    Cli.run("diff", file, saev, "--raw=f4,60,4").succeeds();
    assertThat(Cli.run("digest", saev, "--raw=f4,60,4").succeeds().stderr())
        .contains("--raw has no effect");
  }

  @Test
  void arraysOneAfterAnotherAreLayersOrExamplesAsTheUserDecides() throws IOException {
    byte[] array = OwnArrays.npy(DType.F32, List.of(60L, 4L), VALUES);
    ByteArrayOutputStream twice = new ByteArrayOutputStream();
    twice.writeBytes(array);
    twice.writeBytes(array);
    Path file = write("acts.npy", twice.toByteArray());
    Cli.convert(file, folder.resolve("out"), "npy").failsWith(ArrayError.AMBIGUOUS, file);
    assertThat(proposed(file)).isEqualTo("--tensor 'array.{layer}=example,dim'");
    assertThat(Cli.run("inspect", file).text()).contains("--tensor 'array.{example}=token,dim'");
  }

  @Test
  void aPickleOfArraysIsReadAsATorchFileOfTheSameTensors() throws IOException {
    String layers =
        NumpyPickle.dict(
            NumpyPickle.text("layer_3"),
            NumpyPickle.floats(5, 4),
            NumpyPickle.text("layer_7"),
            NumpyPickle.floats(5, 4));
    Path file = write("acts.pkl", NumpyPickle.bytes(layers));
    assertThat(Cli.run("inspect", file).succeeds().text()).contains("[3,7]");
    Path out = folder.resolve("out");
    Cli.convert(file, out, "npy", "--from=npy").succeeds();
    assertThat(ConvertedDatasets.digest(out)).isEqualTo(ConvertedDatasets.digest(file));
    Cli.convert(file, folder.resolve("x"), "npy", "--from=pickle")
        .failsWithText(PickleError.SCHEMA, "layer 3 has the type ndarray");
  }

  @Test
  void bareNumbersAsKeysAreRefusedWithProposals() throws IOException {
    String layers =
        NumpyPickle.dict(
            NumpyPickle.number(3),
            NumpyPickle.floats(5, 4),
            NumpyPickle.number(7),
            NumpyPickle.floats(5, 4));
    Path file = write("acts.pkl", NumpyPickle.bytes(layers));
    Cli cli = Cli.convert(file, folder.resolve("out"), "npy");
    cli.failsWith(ArrayError.AMBIGUOUS, file);
    assertThat(cli.stderr()).contains("inspect proposes commands");
    assertThat(proposed(file)).isEqualTo("--tensor '{layer}=example,dim'");
    Cli.convert(file, folder.resolve("out"), "npy", "--tensor", "{layer}=example,dim").succeeds();
    assertThat(folder.resolve("out/layer_7.npy")).exists();
  }

  @Test
  void aTorchFileOfTheSameDictionaryIsRefusedWordForWord() throws IOException {
    String[] tensors = new String[4];
    String[] arrays = new String[4];
    for (int i = 0; i < 2; i++) {
      String name = List.of("3", "7").get(i);
      tensors[2 * i] = TorchPickle.text(name);
      tensors[2 * i + 1] =
          TorchPickle.tensor(TorchPickle.floats("0", 20), 0, new long[] {5, 4}, new long[] {4, 1});
      arrays[2 * i] = NumpyPickle.text(name);
      arrays[2 * i + 1] = NumpyPickle.floats(5, 4);
    }
    byte[] torch = TorchFile.of(TorchPickle.dict(tensors)).storage("0", new byte[80]).bytes();
    Path pt = write("acts.pt", torch);
    Path pkl = write("acts.pkl", NumpyPickle.bytes(NumpyPickle.dict(arrays)));
    String refusal = Cli.convert(pt, folder.resolve("out"), "npy").failsWithText("[3 F32").stderr();
    assertThat(Cli.convert(pkl, folder.resolve("out"), "npy").stderr())
        .isEqualTo(refusal.replace("acts.pt", "acts.pkl"));
    assertThat(proposed(pkl)).isEqualTo(proposed(pt));
  }

  @Test
  void pairsOfIdsAndVectorsOfAnyEndingAreExamples() throws IOException {
    String[] pairs = new String[3];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = NumpyPickle.tuple(NumpyPickle.text("id" + i), NumpyPickle.floats(4));
    }
    Path file = write("wiki_passages_0", NumpyPickle.bytes(NumpyPickle.list(pairs)));
    Cli.convert(file, folder.resolve("x"), "npy").failsWithText("{example}=dim");
    assertThat(
            Cli.convert(file, folder.resolve("out"), "npy", "--tensor", "{example}=dim")
                .succeeds()
                .stderr())
        .contains("3 examples");
  }

  @Test
  void aFolderOfPicklesIsReadIfItHasNothingElse() throws IOException {
    String array = NumpyPickle.dict(NumpyPickle.text("layer_3"), NumpyPickle.floats(5, 4));
    write("run/part_0.pkl", NumpyPickle.bytes(array));
    write("run/part_1.pkl", NumpyPickle.bytes(array));
    Path source = folder.resolve("run");
    assertThat(Cli.convert(source, folder.resolve("a"), "npy").succeeds().stderr())
        .contains("10 examples");
    write("run/layer_3.npy", OwnArrays.npy(DType.F32, List.of(60L, 4L), VALUES));
    assertThat(Cli.convert(source, folder.resolve("b"), "npy").succeeds().stderr())
        .contains("60 examples");
  }
}
