package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.TensorDatasetError;
import org.saevhadoop.format.safetensors.header.SafetensorsError;
import org.saevhadoop.format.safetensors.index.KeyedTensor;
import org.saevhadoop.format.safetensors.index.KeyedTensors;

/** Conversions to and from a tensor for each key. */
@Tag("late")
class ConvertKeysTest {
  private static final String INDEX = "_tensor_index.parquet";

  /** A fixture with labels, protocol 2.1. */
  private static final String LABELLED = "shards/64988989";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    Fixtures.D768 + ",layers,map-only,1048576",
    Fixtures.D768 + ",acts,shuffle,1",
    Fixtures.SMALL + ",layers,shuffle,1000",
    Fixtures.SMALL + ",acts,map-only,3000",
    Fixtures.SMALL + ",layers,map-only,1",
    Fixtures.LEGACY + ",layers,map-only,2000",
    Fixtures.LEGACY + ",acts,shuffle,1048576",
    LABELLED + ",layers,map-only,1048576",
    LABELLED + ",acts,map-only,1",
    LABELLED + ",layers,shuffle,2500",
    LABELLED + ",acts,shuffle,2500"
  })
  void aRoundTripThroughKeysGivesTheSameDataset(
      String hash, String columns, String plan, int headerBytes) throws IOException {
    Path source = Fixtures.saev(hash);
    Path keys = folder.resolve("keys");
    Object[] settings = {
      "-Dsaev.convert.plan=" + plan,
      "-Dmapreduce.input.fileinputformat.split.maxsize=3000",
      "-Dsaev.output.header.bytes=" + headerBytes
    };
    Cli.convert(source, keys, "safetensors --kv --columns " + columns, settings).succeeds();
    assertThat(NaiveTensors.keys(keys).keySet())
        .allMatch(key -> key.matches("\\d+__(acts|layer_\\d+|labels)"));
    assertThat(ConvertTest.files(keys)).contains(INDEX);
    Path back =
        Cli.convert(keys, folder.resolve("saev"), "saev", settings).succeeds().lastLinePath();
    Fixtures.assertSameDataset(back, source);
    assertThat(ConvertTest.files(back).contains("labels.bin"))
        .isEqualTo(ConvertTest.files(source).contains("labels.bin"));
    // and by batches of the other columns
    Path batches = folder.resolve("batches");
    String others = columns.equals("acts") ? "layers" : "acts";
    Cli.convert(keys, batches, "safetensors --batch-size 2 --columns " + others, settings)
        .succeeds();
    Path again =
        Cli.convert(batches, folder.resolve("again"), "saev", settings).succeeds().lastLinePath();
    Fixtures.assertSameDataset(again, source);
    assertThat(ConvertTest.digest(keys)).isEqualTo(ConvertTest.digest(source));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", " ", " : ", "\t", "${user.name}", "\u00e9", "__"})
  void theSeparatorIsTheUsersAndIsFoundAgain(String separator) throws IOException {
    Path source = manyExamples(105);
    Path keys = folder.resolve("keys");
    Cli.convert(source, keys, "safetensors --kv", "--kv-separator", separator).succeeds();
    assertThat(NaiveTensors.keys(keys))
        .containsKeys("9" + separator + "x", "100" + separator + "x");
    Path back = folder.resolve("back");
    Cli.convert(keys, back, "safetensors").succeeds();
    NaiveTensors.assertSame(
        NaiveTensors.batches(back), NaiveTensors.file(source.resolve("a.safetensors")));
    // as foreign files, which do not say it
    Path foreign = folder.resolve("foreign");
    NaiveTensors.write(foreign.resolve("k.safetensors"), NaiveTensors.keys(keys));
    Path again = folder.resolve("again");
    Cli.convert(foreign, again, "safetensors", "--from-separator", separator).succeeds();
    NaiveTensors.assertSame(NaiveTensors.batches(again), NaiveTensors.batches(back));
  }

  @Test
  void idsOfASourceWithKeysAreKept() throws IOException {
    Map<String, Found> first = new LinkedHashMap<>();
    Map<String, Found> second = new LinkedHashMap<>();
    List<String> ids =
        List.of("b", "a__", "\u00e4/\ud83d\ude00", "q\"\\\n", "10", "9", "x__y__z", "\uffff", "");
    for (int i = 0; i < ids.size(); i++) {
      Map<String, Found> file = i < 4 ? first : second;
      byte n = (byte) i;
      file.put(ids.get(i) + "__small", Found.of("U8", List.of(3L), n, (byte) 1, (byte) 2));
      file.put(ids.get(i) + "__big", Found.of("F32", List.of(1L, 2L), NaiveTensors.floats(i, -i)));
      file.put(ids.get(i) + "__one", Found.of("I16", List.of(), n, n));
    }
    Path source = folder.resolve("source");
    NaiveTensors.write(source.resolve("a.safetensors"), first);
    NaiveTensors.write(source.resolve("b.safetensors"), second);
    Map<String, Found> expected = new LinkedHashMap<>(first);
    expected.putAll(second);
    for (String plan : List.of("map-only", "shuffle")) {
      for (int headerBytes : List.of(1, 1000, 100_000)) {
        Object[] settings = {
          "-Dsaev.convert.plan=" + plan, "-Dsaev.output.header.bytes=" + headerBytes
        };
        Path there = folder.resolve(plan + headerBytes);
        Cli.convert(source, there, "safetensors --kv", settings, "--kv-separator", " ").succeeds();
        assertThat(NaiveTensors.keys(there)).doesNotContainKeys("10__one").containsKey("10 one");
        Path back = folder.resolve(plan + headerBytes + "back");
        Cli.convert(there, back, "safetensors --kv", settings).succeeds();
        NaiveTensors.assertSame(NaiveTensors.keys(back), expected);
      }
    }
    Cli cli = Cli.convert(source, folder.resolve("batches"), "safetensors").succeeds();
    assertThat(cli.stderr())
        .contains(
            "warning: the ids of the examples are not kept (--kv keeps them): they become numbers");
    Cli other = Cli.convert(source, folder.resolve("arrays"), "samediff").succeeds();
    assertThat(other.stderr())
        .contains("warning: the ids of the examples are not kept: they become numbers");
    // asked for by the key alone, ids are kept just so
    Path byKey = folder.resolve("by-key");
    Cli.convert(source, byKey, "safetensors -Dsaev.output.layout=kv").succeeds();
    NaiveTensors.assertSame(NaiveTensors.keys(byKey), expected);
  }

  @Test
  void theIndexFindsEachTensor() throws IOException {
    Path keys = folder.resolve("keys");
    Cli.convert(Fixtures.saev(LABELLED), keys, "safetensors --kv -Dsaev.output.header.bytes=2500")
        .succeeds();
    Map<String, Found> expected = NaiveTensors.keys(keys);
    try (TensorIndex index = TensorIndex.open(new LocalFolder(keys))) {
      KeyedTensors tensors = new KeyedTensors(new LocalFolder(keys), index.path());
      for (Map.Entry<String, Found> entry : expected.entrySet()) {
        try (KeyedTensor found = tensors.fetch(index.find(entry.getKey()).orElseThrow())) {
          ByteBuffer bytes = ByteBuffer.allocate(entry.getValue().bytes().length);
          found.read(0, bytes);
          assertThat(bytes.array()).isEqualTo(entry.getValue().bytes());
        }
      }
    }
  }

  @Test
  void theIndexIsThereWithKeysUnlessRefusedAndWithBatchesIfAskedFor() throws IOException {
    Path source = Fixtures.small();
    Path out = folder.resolve("out");
    record Case(List<Object> options, boolean index) {}

    for (Case each :
        List.of(
            new Case(List.of("--kv"), true),
            new Case(List.of("--kv", "--no-index"), false),
            new Case(List.of("--index", "--batch-size", 3), true),
            new Case(List.of("--kv"), true),
            // what is replaced leaves no index behind
            new Case(List.of("--batch-size", 3), false),
            new Case(List.of("--kv", "-Dsaev.output.index=false"), false))) {
      Cli.convert(source, out, "safetensors --overwrite", each.options()).succeeds();
      assertThat(ConvertTest.files(out).contains(INDEX))
          .as(each.toString())
          .isEqualTo(each.index());
      assertThat(ConvertTest.digest(out)).isEqualTo(ConvertTest.digest(source));
      assertThat(ConvertTest.files(folder)).containsExactly("out");
    }
  }

  @Test
  void theSameConversionToKeysTwiceGivesTheSameFiles() throws IOException {
    for (String name : List.of("a", "b")) {
      Cli.convert(Fixtures.saev(LABELLED), folder.resolve(name), "safetensors --kv").succeeds();
    }
    ConvertTest.assertSameFiles(folder.resolve("a"), folder.resolve("b"));
  }

  @Test
  void keysThatComeTwiceFailUnlessTheLastIsToWin() throws IOException {
    Path source = folder.resolve("source");
    NaiveTensors.write(source.resolve("a.safetensors"), column("k", 1, "l", 2, "m", 3));
    NaiveTensors.write(source.resolve("b.safetensors"), column("l", 4, "n", 5));
    NaiveTensors.write(source.resolve("c.safetensors"), column("l", 6, "k", 7));
    Path out = folder.resolve("out");
    Cli.convert(source, out, "safetensors --kv").failsWith(TensorDatasetError.DUPLICATE_ID, source);
    assertThat(out).doesNotExist();
    for (String plan : List.of("map-only", "shuffle")) {
      for (int headerBytes : List.of(1, 100_000)) {
        Cli cli =
            Cli.convert(
                    source,
                    out,
                    "safetensors --kv --overwrite --duplicates last-win",
                    "-Dsaev.convert.plan=" + plan,
                    "-Dsaev.output.header.bytes=" + headerBytes)
                .succeeds();
        assertThat(cli.stderr()).contains("warning: 3 examples are left out");
        NaiveTensors.assertSame(NaiveTensors.keys(out), column("m", 3, "n", 5, "l", 6, "k", 7));
      }
    }
    Cli.convert(source, out, "safetensors --overwrite --duplicates last-win").succeeds();
    assertThat(NaiveTensors.batches(out).get("v").bytes())
        .isEqualTo(NaiveTensors.floats(3, 5, 6, 7));
  }

  @Test
  void aConversionToKeysThatFailsLeavesNothing() throws IOException {
    Path first = folder.resolve("first");
    Cli.convert(Fixtures.small(), first, "safetensors --batch-size 3").succeeds();

    Path last = first.resolve(ConvertTest.files(first).get(3));
    ConvertTest.breakHeader(last);
    Path out = folder.resolve("out");
    Cli.convert(first, out, "safetensors --kv -Dsaev.output.header.bytes=1")
        .failsWith(SafetensorsError.InvalidHeaderDeserialization, last);
    assertThat(ConvertTest.files(folder)).containsExactly("first");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--kv-separator=; --kv-separator is empty",
        "--kv-separator=a\u0001b; (expected at least one character, and no control characters",
        "--from-separator=; --from-separator is empty",
        "--from-separator=a\uffff; (expected at least one character, and no control characters",
        "--batch-size=3; --batch-size and --kv exclude each other",
        "--tail=pad; --tail drop or pad and --kv exclude each other",
        "--target-shard-mb=49; --target-shard-mb is 49 (expected 50 to 1000)",
        "--target-shard-mb=1001; --target-shard-mb is 1001 (expected 50 to 1000)",
        "--align=12; --align is 12 (expected a power of two",
        "--align=4; --align is 4 (expected a power of two"
      })
  void optionsThatDoNotGoWithKeysAreWrongUse(String option, String problem) throws IOException {
    Cli.convert(Fixtures.small(), folder.resolve("o"), "safetensors --kv", option)
        .isWrongUse(problem);
    assertThat(ConvertTest.files(folder)).isEmpty();
  }

  @Test
  void aSeparatorWithinAColumnIsRefusedBeforeAnythingIsWritten() throws IOException {
    Cli.convert(Fixtures.small(), folder.resolve("o"), "safetensors --kv --kv-separator _")
        .failsWithText("column `layer_13` could not be distinguished from its key's id");
    assertThat(ConvertTest.files(folder)).isEmpty();
  }

  @Test
  void manyKeysWithoutAManifestAreKeysAndNotBatches() throws IOException {
    Map<String, Found> square = new LinkedHashMap<>();
    for (int i = 0; i < 4; i++) {
      square.put("v" + i + "__x", Found.of("F32", List.of(4L), NaiveTensors.floats(i, 1, 2, 3)));
    }
    NaiveTensors.write(folder.resolve("s/a.safetensors"), square);
    Path out = folder.resolve("out");
    Cli cli = Cli.convert(folder.resolve("s"), out, "safetensors").succeeds();
    assertThat(cli.stderr()).contains("warning: the tensors' names look like keys, 4 ids");
    assertThat(NaiveTensors.batches(out).get("x").shape()).containsExactly(4L, 4L);
    Cli.convert(folder.resolve("s"), out, "safetensors --from-layout batch --overwrite").succeeds();
    NaiveTensors.assertSame(NaiveTensors.batches(out), square);
    Path keys = folder.resolve("keys");
    // a file alone, too
    Cli.convert(folder.resolve("s/a.safetensors"), keys, "safetensors --kv").succeeds();
    NaiveTensors.assertSame(NaiveTensors.keys(keys), square);
  }

  /** Column v of float32 for each id. */
  private static Map<String, Found> column(Object... idsAndValues) {
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (int i = 0; i < idsAndValues.length; i += 2) {
      byte[] bytes = NaiveTensors.floats((Integer) idsAndValues[i + 1]);
      tensors.put(idsAndValues[i] + "__v", Found.of("F32", List.of(), bytes));
    }
    return tensors;
  }

  /** Mixed types, so that the examples' order is not the keys', in one file of batches. */
  private Path manyExamples(int examples) throws IOException {
    StringBuilder text = new StringBuilder();
    float[] numbers = new float[examples * 3];
    for (int i = 0; i < examples; i++) {
      text.append("%04d".formatted(i));
      numbers[3 * i] = i;
    }
    long n = examples;
    Map<String, Found> tensors = new LinkedHashMap<>();
    tensors.put("x", Found.of("F32", List.of(n, 3L), NaiveTensors.floats(numbers)));
    byte[] ascii = text.toString().getBytes(StandardCharsets.US_ASCII);
    tensors.put("y", Found.of("U8", List.of(n, 2L, 2L), ascii));
    Path source = folder.resolve("many");
    NaiveTensors.write(source.resolve("a.safetensors"), tensors);
    return source;
  }
}
