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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.TensorDatasetError;
import org.saevhadoop.format.safetensors.header.SafetensorsError;
import org.saevhadoop.format.safetensors.index.KeyedTensor;
import org.saevhadoop.format.safetensors.index.KeyedTensors;

/** Conversions to and from a tensor for each key. */
@Tag("late")
class ConvertKeysTest extends ConvertedDatasets {
  private static final String INDEX = "_tensor_index.parquet";

  /** A fixture with labels, protocol 2.1. */
  private static final String LABELLED = "shards/64988989";

  @ParameterizedTest
  @CsvSource({
    Fixtures.D768 + ",layers,map-only,1048576",
    Fixtures.SMALL + ",acts,map-only,3000",
    Fixtures.SMALL + ",layers,map-only,1",
    Fixtures.LEGACY + ",acts,shuffle,1048576",
    LABELLED + ",acts,map-only,1",
    LABELLED + ",layers,shuffle,2500"
  })
  void aRoundTripThroughKeysGivesTheSameDataset(
      String hash, String columns, String plan, int headerBytes) throws IOException {
    Path source = Fixtures.saev(hash);
    String splits = "-Dmapreduce.input.fileinputformat.split.maxsize=3000";
    Object[] settings = {settings(plan, headerBytes), splits};
    Path keys = convert(source, "keys", "safetensors --kv --columns " + columns, settings);
    assertThat(NaiveTensors.keys(keys).keySet())
        .allMatch(key -> key.matches("\\d+__(acts|layer_\\d+|labels)"));
    assertThat(files(keys)).contains(INDEX);
    Path back = convert(keys, "saev", "saev", settings);
    Fixtures.assertSameDataset(back, source);
    assertThat(files(back).contains("labels.bin")).isEqualTo(files(source).contains("labels.bin"));
    // and by batches of the other columns
    String others = columns.equals("acts") ? "layers" : "acts";
    Path batches =
        convert(keys, "batches", "safetensors --batch-size 2 --columns " + others, settings);
    Path again = convert(batches, "again", "saev", settings);
    Fixtures.assertSameDataset(again, source);
    assertThat(digest(keys)).isEqualTo(digest(source));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", " ", "\t", "${user.name}", "\u00e9"})
  void theSeparatorIsTheUsersAndIsFoundAgain(String separator) throws IOException {
    Path source = manyExamples(105);
    Path keys = convert(source, "keys", "safetensors --kv", "--kv-separator", separator);
    assertThat(NaiveTensors.keys(keys))
        .containsKeys("9" + separator + "x", "100" + separator + "x");
    Path back = convert(keys, "back", "safetensors");
    NaiveTensors.assertSame(
        NaiveTensors.batches(back), NaiveTensors.file(source.resolve("a.safetensors")));
    // as foreign files, which do not say it
    Path foreign = folder.resolve("foreign");
    NaiveTensors.write(foreign.resolve("k.safetensors"), NaiveTensors.keys(keys));
    Path again = convert(foreign, "again", "safetensors", "--from-separator", separator);
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
        Object[] settings = settings(plan, headerBytes);
        Path there =
            convert(
                source, plan + headerBytes, "safetensors --kv", settings, "--kv-separator", " ");
        assertThat(NaiveTensors.keys(there)).doesNotContainKeys("10__one").containsKey("10 one");
        Path back = convert(there, plan + headerBytes + "back", "safetensors --kv", settings);
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
    Path byKey = convert(source, "by-key", "safetensors -Dsaev.output.layout=kv");
    NaiveTensors.assertSame(NaiveTensors.keys(byKey), expected);
  }

  @Test
  void theIndexFindsEachTensor() throws IOException {
    Path keys =
        convert(
            Fixtures.saev(LABELLED), "keys", "safetensors --kv -Dsaev.output.header.bytes=2500");
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

    Map<String, Boolean> hasIndex = new LinkedHashMap<>();
    hasIndex.put("--kv", true);
    hasIndex.put("--kv --no-index", false);
    hasIndex.put("--index --batch-size 3", true);
    hasIndex.put("--kv --index", true);
    // what is replaced leaves no index behind
    hasIndex.put("--batch-size 3", false);
    hasIndex.put("--kv -Dsaev.output.index=false", false);
    for (String options : hasIndex.keySet()) {
      Cli.convert(source, out, "safetensors --overwrite " + options).succeeds();
      assertThat(files(out).contains(INDEX)).as(options).isEqualTo(hasIndex.get(options));
      assertThat(digest(out)).isEqualTo(digest(source));
      assertThat(files(folder)).containsExactly("out");
    }
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
        Object[] settings = settings(plan, headerBytes);
        String options = "safetensors --kv --overwrite --duplicates last-win";
        Cli cli = Cli.convert(source, out, options, settings).succeeds();
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
    Path first = convert(Fixtures.small(), "first", "safetensors --batch-size 3");
    Path last = first.resolve(files(first).get(3));
    breakHeader(last);
    Path out = folder.resolve("out");
    Cli.convert(first, out, "safetensors --kv -Dsaev.output.header.bytes=1")
        .failsWith(SafetensorsError.InvalidHeaderDeserialization, last);
    assertThat(files(folder)).containsExactly("first");
  }

  @Test
  void aSeparatorWithinAColumnIsRefusedBeforeAnythingIsWritten() throws IOException {
    Cli.convert(Fixtures.small(), folder.resolve("o"), "safetensors --kv --kv-separator _")
        .failsWithText("column `layer_13` could not be distinguished from its key's id");
    assertThat(files(folder)).isEmpty();
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
    // a file alone, too
    Path keys = convert(folder.resolve("s/a.safetensors"), "keys", "safetensors --kv");
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
