package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.io.HadoopStorage;

/** Padding that this program marks, in all formats, and what marks none. */
@Tag("late")
class PaddingMarksTest extends ConvertedDatasets {
  private static final Object[] LAYOUT = {"--tensor=array=token,dim", "--ragged=pad:5"};
  private static final List<Float> ALL = List.of(1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f, 9f);
  private static final String STATED =
      "shuffle: 6 of 15 vectors of a layer are padding and are left out";

  private static final List<Integer> LENGTHS = List.of(3, 2, 4);

  /** Returns files of {@code LENGTHS} tokens, with an id for each token. */
  private Path requests() throws IOException {
    Path requests = Files.createDirectory(folder.resolve("requests"));
    for (int i = 0; i < LENGTHS.size(); i++) {
      long tokens = LENGTHS.get(i);
      ByteBuffer ids = ByteBuffer.allocate((int) tokens * Long.BYTES);
      LongStream.range(0, tokens).forEach(ids.order(ByteOrder.LITTLE_ENDIAN)::putLong);
      byte[] vectors = OwnArrays.bytes(new float[(int) tokens * 4]);
      NaiveTensors.write(
          requests.resolve("hs_" + i + ".safetensors"),
          Map.of(
              "hidden_states", Found.of("F32", List.of(tokens, 2L, 2L), vectors),
              "token_ids", Found.of("I64", List.of(tokens), ids.array())));
    }
    return requests;
  }

  /** Returns a file of vectors of 3 values, which count from 1, each with integers. */
  private Path vectors(String integers, long... values) throws IOException {
    float[] numbers = new float[3 * values.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i + 1;
    }
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
    LongStream.of(values).forEach(bytes.order(ByteOrder.LITTLE_ENDIAN)::putLong);
    Path source = folder.resolve(integers).resolve("acts.safetensors");
    long count = values.length;
    NaiveTensors.write(
        source,
        Map.of(
            "acts",
            Found.of("F32", List.of(count, 3L), NaiveTensors.floats(numbers)),
            integers,
            Found.of("I64", List.of(count), bytes.array())));
    return source.getParent();
  }

  /** Returns the first values of the vectors that a shuffle of a dataset has written, sorted. */
  private List<Float> shuffled(Path source, String stderr, Object... options) throws IOException {
    Path out = folder.resolve("rows-" + source.getFileName() + files(folder).size());
    Cli cli = Cli.run("shuffle", source, out, "--to=safetensors", options).succeeds();
    assertThat(cli.stderr()).contains(stderr);
    assertThat(cli.stderr().contains("are padding")).isEqualTo(stderr.contains("are padding"));
    Found rows = NaiveTensors.batches(out).get("layer_0");
    float[] values = NaiveTensors.toFloats(rows);
    int dim = rows.shape().get(rows.shape().size() - 1).intValue();
    return IntStream.range(0, values.length / dim).mapToObj(i -> values[i * dim]).sorted().toList();
  }

  private static String stats(Path source, Object... options) {
    return Cli.run("stats", source, options).succeeds().text();
  }

  @Test
  void minusOneInIntegersOfOtherNamesMarksNothing() throws IOException {
    Path source = vectors("cluster", 0, -1, 2, -1, 5, -1, 7, 8);
    Object[] layout = {"--tensor", "acts=example,dim", "--files", "{shard}.safetensors"};
    List<Float> all = List.of(1f, 4f, 7f, 10f, 13f, 16f, 19f, 22f);
    assertThat(stats(source, layout)).contains("layer 0: 8 vectors\n");
    assertThat(shuffled(source, "", layout)).isEqualTo(all);
    for (String format : List.of("saev --family f --ckpt c", "pickle", "npy")) {
      Path written = convert(source, format.split(" ")[0], format, layout);
      assertThat(stats(written)).contains("layer 0: 8 vectors\n");
      assertThat(shuffled(written, "")).isEqualTo(all);
    }
  }

  @Test
  void tokenIdsOfMinusOneMarkPadding() throws IOException {
    Path source = vectors("token_ids", 0, -1, 2, -1);
    Object[] layout = {"--tensor", "acts=example,dim", "--files", "{shard}.safetensors"};
    assertThat(stats(source, layout)).contains("layer 0: 2 vectors, padding 2\n");
    String stated = "shuffle: 2 of 4 vectors of a layer are padding and are left out";
    assertThat(shuffled(source, stated, layout)).containsExactly(1f, 7f);
    Path pickles = convert(source, "pickles", "pickle", layout);
    assertThat(shuffled(pickles, stated)).containsExactly(1f, 7f);
  }

  @Test
  void aMaskLeavesOutTokensUnlessItIsKept() throws IOException {
    Path source = vectors("mask", 0, 1, 1, 0);
    Object[] layout = {"--tensor", "acts=token,dim", "--files", "{shard}.safetensors"};
    Object[] padded = {layout, "--ragged=pad:3"};
    String stated = "shuffle: 1 of 3 vectors of a layer are padding and are left out";
    assertThat(shuffled(source, stated, padded)).containsExactly(4f, 7f);
    assertThat(stats(source, padded)).contains("layer 0: 2 vectors, padding 1\n");
    Object[] kept = {layout, "--mask=mask=keep"};
    assertThat(shuffled(source, "", kept)).containsExactly(1f, 4f, 7f, 10f);
    Path written = convert(source, "kept", "npy", kept);
    assertThat(files(written)).contains("token_mask.npy").doesNotContain("attention_mask.npy");
    assertThat(stats(written)).contains("layer 0: 4 vectors\n");
  }

  /** Arrays without integers: a file for each example. */
  private Path ragged() throws IOException {
    Path source = folder.resolve("ragged");
    float next = 1;
    for (int i = 0; i < LENGTHS.size(); i++) {
      float[] values = new float[2 * LENGTHS.get(i)];
      for (int j = 0; j < values.length; j += 2) {
        values[j] = next++;
      }
      List<Long> shape = List.of((long) LENGTHS.get(i), 2L);
      OwnArrays.writeNpy(
          source.resolve("ex_" + i + ".npy"), DType.F32, shape, NaiveTensors.floats(values));
    }
    return source;
  }

  @Test
  void whatFillsASourceUpIsPadding() throws IOException {
    Path source = ragged();
    assertThat(stats(source, LAYOUT)).contains("layer 0: 9 vectors, padding 6\n");
    assertThat(shuffled(source, STATED, LAYOUT)).isEqualTo(ALL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "saev --family f --ckpt c",
        "safetensors",
        "safetensors --kv",
        "pickle",
        "samediff",
        "npy"
      })
  void whatFillsArraysUpIsMarked(String format) throws IOException {
    Path written = convert(ragged(), "out", format, LAYOUT);
    assertThat(stats(written)).contains("layer 0: 9 vectors, padding 6\n");
    assertThat(shuffled(written, STATED)).isEqualTo(ALL);
    if (!format.equals("pickle")) { // which is staged first
      Object[] plan = {"shuffle", written, folder.resolve("x"), "--to=npy", "--dry-run"};
      assertThat(Cli.run(plan).succeeds().text())
          .contains("changes    6 of 15 vectors of a layer are padding and are left out\n");
    }
    Path examples =
        Cli.run(
                "shuffle",
                written,
                folder.resolve("s"),
                "--unit=example",
                "--to",
                format.split(" "))
            .succeeds()
            .lastLinePath();
    assertThat(stats(examples)).contains("layer 0: 9 vectors, padding 6\n");
    Object[] bare = {"--unit=example", "--to=npy", "--no-sample-metadata"};
    Cli plan = Cli.run("shuffle", written, folder.resolve("m"), bare, "--dry-run").succeeds();
    assertThat(plan.text()).doesNotContain("is not known");
    Path masked = Cli.run("shuffle", written, folder.resolve("m"), bare).succeeds().lastLinePath();
    assertThat(padding(masked)).isEqualTo(padding(convert(examples, "same", "npy")));
    assertThat(shuffled(examples, STATED)).isEqualTo(ALL);
  }

  @Test
  void marksThatCannotBeKeptAreReported() throws IOException {
    Object[] layout = {"--tensor=array=token,dim", "--ragged=pad:5", "--no-sample-metadata"};
    String warning = "warning: the marks of padding are left out (--no-sample-metadata)";
    Path source = ragged();
    for (String format : List.of("saev", "samediff", "pickle", "safetensors --kv")) {
      Path out = folder.resolve("out-" + format);
      Cli cli = Cli.convert(source, out, format, layout).succeeds();
      assertThat(cli.stderr()).contains(warning);
      assertThat(stats(cli.lastLinePath())).contains("layer 0: 15 vectors\n");
    }
    Path padded = convert(Fixtures.pickle("ragged"), "padded", "samediff", "--ragged=pad:9");
    for (String format : List.of("npy", "safetensors")) {
      Cli cli =
          Cli.convert(padded, folder.resolve(format), format, "--no-sample-metadata").succeeds();
      assertThat(cli.stderr()).doesNotContain(warning);
      assertThat(padding(cli.lastLinePath())).isEqualTo(padding(padded));
    }
    Path equal = convert(Fixtures.pickle("spec"), "equal", "samediff");
    Cli cli = Cli.convert(equal, folder.resolve("none"), "saev", "--no-sample-metadata").succeeds();
    assertThat(cli.stderr()).contains("sample metadata is left out").doesNotContain(warning);
  }

  /** A pickled sample does not state which tokens were selected. */
  @Test
  void selectedTokensOfPicklesHaveTheirOwnMarks() throws IOException {
    Object[] layout = {"--tensor=array=token,dim", "--ragged=pad:5"};
    Path written = convert(ragged(), "written", "samediff", layout);
    Path pickles = convert(written, "pickles", "pickle", "--tokens=1,3:");
    String stated = "shuffle: 5 of 9 vectors of a layer are padding and are left out";
    assertThat(shuffled(pickles, stated)).containsExactly(2f, 5f, 7f, 9f);
    Path again = convert(pickles, "again", "saev --family f --ckpt c", "--tokens=1:");
    Path twice = convert(again, "twice", "pickle", "--tokens=0");
    assertThat(stats(twice)).contains("layer 0: 1 vector, padding 2\n");
    // tokens that are examples, twice: of a sample, and of a sample that was a token
    Path flat = convert(pickles, "flat", "pickle", "--ragged=flatten");
    assertThat(shuffled(flat, stated)).containsExactly(2f, 5f, 7f, 9f);
  }

  @Test
  void brokenSampleMetadataCanBeLeftOut() throws IOException {
    Object[] layout = {"--tensor=array=token,dim", "--ragged=pad:5"};
    Path written = convert(ragged(), "written", "samediff", layout);
    Files.write(written.resolve("activations.examples.jsonl.gz"), new byte[] {1, 2, 3});
    Cli cli = Cli.convert(written, folder.resolve("out"), "npy", "--no-sample-metadata").succeeds();
    assertThat(cli.stderr())
        .contains("whether tokens are padding is not known: ", "activations.examples.jsonl.gz");
  }

  private static String padding(Path path) throws IOException {
    Location location = new HadoopStorage(new Configuration()).locate(path.toString());
    ActivationDataset dataset =
        DatasetFormats.registry()
            .detect(location)
            .open(location, Settings.NONE, DatasetFormats.registry())
            .requireActivations();
    try (TokenPadding padding = TokenPadding.of(dataset)) {
      return padding.read(0, (int) dataset.geometry().examples()).toString();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"saev --family f --ckpt c", "safetensors --kv", "npy"})
  void integersMarkThePaddingOfExamples(String format) throws IOException {
    Object[] layout = {"--tensor", "hidden_states=token,layer,dim", "--ragged", "pad:5"};
    Path source = requests();
    Path padded = convert(source, "padded", format, layout);
    assertThat(padding(padded)).isEqualTo("{3, 4, 7, 8, 9, 14}");
    assertThat(padding(convert(padded, "part", format, "--tokens", "2:4", "--examples", "1:")))
        .isEqualTo("{0, 1}");
    Object[] selected = {"--tensor", layout[1], "--ragged", "pad:5", "--tokens", "2:4"};
    assertThat(padding(convert(source, "selected", format, selected))).isEqualTo("{1, 2, 3}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"safetensors", "samediff"})
  void shapesOfPickledSamplesMarkThePaddingOfExamples(String format) throws IOException {
    Path source = Fixtures.pickle("ragged");
    Path padded = convert(source, "padded", format, "--ragged", "pad:9");
    String expected = padding(padded);
    assertThat(expected).isNotEqualTo("{}");
    assertThat(padding(convert(padded, "again", format))).isEqualTo(expected);
    assertThat(padding(convert(source, "flat", format, "--ragged", "flatten"))).isEqualTo("{}");
    assertThat(padding(convert(padded, "first", format, "--tokens", "8")))
        .isEqualTo(padding(convert(source, "last", format, "--ragged", "pad:9", "--tokens", "8")));
  }
}
