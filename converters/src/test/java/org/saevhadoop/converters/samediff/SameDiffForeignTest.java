package org.saevhadoop.converters.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.samediff.ForeignContainer.DOUBLE;
import static org.saevhadoop.format.samediff.ForeignContainer.FLOAT;
import static org.saevhadoop.format.samediff.ForeignContainer.HALF;
import static org.saevhadoop.format.samediff.ForeignContainer.LONG;
import static org.saevhadoop.format.samediff.ForeignContainer.UBYTE;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.samediff.JavaZip;
import org.saevhadoop.format.samediff.container.ContainerError;

/** Containers that SameDiff wrote: any arrays, in any order, as activations or as they are. */
@Tag("late")
class SameDiffForeignTest {
  private static final long EXAMPLES = 5;

  @TempDir Path folder;

  /** Bytes of an array that no other array of the test has. */
  private static byte[] values(int seed, int width, long... shape) {
    long count = width;
    for (long size : shape) {
      count *= size;
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) count).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; bytes.hasRemaining(); i++) {
      switch (width) {
        case 1 -> bytes.put((byte) (seed + i));
        case 2 -> bytes.putShort((short) (0x3c00 + seed * 16 + i));
        case 4 -> bytes.putFloat(seed * 1000 + i + 0.5f);
        default -> bytes.putLong(seed * 100_000L + i);
      }
    }
    return bytes.array();
  }

  private Path write(ForeignContainer container, boolean sharded) throws IOException {
    Path at = Files.createDirectories(folder.resolve("foreign"));
    if (sharded) {
      container.writeShards(at, "net", 100);
    } else {
      container.write(at.resolve("net.sdnb"));
    }
    return at;
  }

  @ParameterizedTest
  @CsvSource({
    "f, APPENDED, false",
    "f, INLINE, false",
    "f, APPENDED, true",
    "c, WITHOUT_STUB, true"
  })
  void arraysOfEachRankAreActivations(char order, Storage storage, boolean sharded)
      throws IOException {
    byte[] flat = values(1, 4, EXAMPLES, 3);
    byte[] tokens = values(2, 4, EXAMPLES, 2, 3);
    byte[] layers = values(3, 4, EXAMPLES, 3, 2, 3);
    ForeignContainer container =
        new ForeignContainer()
            .array("other", LONG, Storage.APPENDED, 'c', values(4, 8, 2), 2)
            .array("flat", FLOAT, storage, order, flat, EXAMPLES, 3)
            .array("tokens", FLOAT, storage, order, tokens, EXAMPLES, 2, 3)
            .array("layers", FLOAT, storage, order, layers, EXAMPLES, 3, 2, 3)
            .placeholder("in");
    Path source = write(container, sharded);
    assertActivations(source, "flat=example,layer:4,dim", layers(4, flat, 1, 3));
    assertActivations(source, "tokens=example,token,dim", layers(0, tokens, 2, 3));
    assertActivations(
        source,
        "layers=example,layer:7+5+9,token,dim",
        Map.of(
            "layer_7", layer(layers, 3, 0),
            "layer_5", layer(layers, 3, 1),
            "layer_9", layer(layers, 3, 2)));
  }

  private static Map<String, Found> layers(int layer, byte[] values, long tokens, long dim) {
    return Map.of("layer_" + layer, new Found("F32", List.of(EXAMPLES, tokens, dim), values));
  }

  /** One of the layers of [example, layer, 2, 3]. */
  private static Found layer(byte[] values, int count, int index) {
    int block = 2 * 3 * 4;
    ByteBuffer bytes = ByteBuffer.allocate((int) EXAMPLES * block);
    for (int i = 0; i < EXAMPLES; i++) {
      bytes.put(values, (i * count + index) * block, block);
    }
    return new Found("F32", List.of(EXAMPLES, 2L, 3L), bytes.array());
  }

  private void assertActivations(Path source, String mapping, Map<String, Found> expected)
      throws IOException {
    Path out = folder.resolve(mapping.substring(0, mapping.indexOf('=')));
    Cli converted = run("convert", source, out, "--to", "safetensors", "--tensor", mapping);
    NaiveTensors.assertSame(NaiveTensors.batches(out), expected);
    assertThat(converted.stderr()).contains("arrays that --tensor does not name are not read");
  }

  @ParameterizedTest
  @CsvSource({"c, 4", "f, 130"})
  void layersInSeveralShardsAreOneDataset(char order, long maxBytes) throws IOException {
    ForeignContainer container = new ForeignContainer();
    Map<String, Found> tensors = new LinkedHashMap<>();
    List<Object> words = new ArrayList<>();
    for (int layer : new int[] {21, 3, 13}) {
      byte[] values = values(layer, 2, EXAMPLES, 2, 3);
      String name = "encoder.layer." + layer + "/out";
      container.array(name, HALF, Storage.APPENDED, order, values, EXAMPLES, 2, 3);
      tensors.put("layer_" + layer, new Found("F16", List.of(EXAMPLES, 2L, 3L), values));
      words.addAll(List.of("--tensor", name + "=example,token,dim"));
    }
    Path at = Files.createDirectory(folder.resolve("foreign"));
    container.writeShards(at, "net", maxBytes);
    Path file = folder.resolve("same.safetensors");
    NaiveTensors.write(file, tensors);
    Path out = folder.resolve("out");
    run("convert", at, out, "--to", "safetensors", "--verify", words);
    NaiveTensors.assertSame(NaiveTensors.batches(out), tensors);
    for (String part : List.of("--examples=3,0:2", "--layers=21,3 --tokens=1", "--limit=4")) {
      assertThat(run("digest", at, part.split(" "), words).lastLine())
          .isEqualTo(run("digest", file, part.split(" ")).lastLine());
    }
  }

  @ParameterizedTest
  @CsvSource({"true, true", "false, false", "true, false"})
  void anArchiveOfTheRealWriterIsRead(boolean graphDeflated, boolean weightsDeflated)
      throws Exception {
    byte[] values = values(3, 4, EXAMPLES, 2, 3);
    Path shards = Files.createDirectory(folder.resolve("shards"));
    new ForeignContainer()
        .array("h", FLOAT, Storage.APPENDED, 'f', values, EXAMPLES, 2, 3)
        .array("labels", LONG, Storage.INLINE, 'c', values(4, 8, 2), 2)
        .placeholder("in")
        .writeShards(shards, "model", 1000);
    Path archive = folder.resolve("net.sdz");
    JavaZip zip = new JavaZip().deflated("notes.txt", new byte[] {1, 2, 3});
    add(zip, shards.resolve("model.shard1-of-2.sdnb"), weightsDeflated);
    add(zip, shards.resolve("model.shard0-of-2.sdnb"), graphDeflated);
    Files.write(archive, zip.bytes());
    assertThat(run("inspect", archive, "--json", "--digests").json().get("arrays").toString())
        .contains(
            item("h", "FLOAT", "[5,2,3]", "f", ",\"file\":\"model.shard1-of-2.sdnb\"", values));
    assertThat(run("cat", archive, "--name", "h", "--format", "bin").stdout()).isEqualTo(values);
    Cli.assertSound(archive);
    Path out = folder.resolve("out");
    run("convert", archive, out, "--to=safetensors", "--tensor=h=example,layer:2,token,dim");
    NaiveTensors.assertSame(NaiveTensors.batches(out), layers(2, values, 2, 3));
  }

  private static void add(JavaZip zip, Path file, boolean deflated) throws IOException {
    String name = file.getFileName().toString();
    byte[] bytes = Files.readAllBytes(file);
    if (deflated) {
      zip.deflated(name, bytes);
    } else {
      zip.stored(name, bytes);
    }
  }

  @Test
  void arraysOfAnyTypesAreATable() throws IOException {
    ForeignContainer container =
        new ForeignContainer()
            .array("a", DOUBLE, Storage.APPENDED, 'f', values(1, 8, EXAMPLES, 2), EXAMPLES, 2)
            .array("b", UBYTE, Storage.INLINE, 'c', values(2, 1, EXAMPLES), EXAMPLES)
            .array("c", LONG, Storage.APPENDED, 'c', values(3, 8, EXAMPLES, 0), EXAMPLES, 0);
    Path source = write(container, true);
    Path out = folder.resolve("out");
    run("convert", source, out, "--to", "safetensors", "--examples", "4,1:3");
    Map<String, Found> found = NaiveTensors.batches(out);
    assertThat(found.keySet()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(found.get("b").bytes()).containsExactly(6, 3, 4);
    assertThat(found.get("a").row(1))
        .isEqualTo(Arrays.copyOfRange(values(1, 8, EXAMPLES, 2), 16, 32));
    assertThat(found.get("c").shape()).containsExactly(3L, 0L);
    assertThat(run("list", source, "--limit", 1).text().lines())
        .containsExactlyInAnyOrder("0 a [2] float64", "0 b [] uint8", "0 c [0] int64");
  }

  @Test
  void arraysWithoutADescriptionAreAssumedToBeInCOrderWithAWarning() throws IOException {
    byte[] values = values(1, 4, EXAMPLES, 2, 3);
    Path source =
        write(
            new ForeignContainer()
                .array("layer_3", FLOAT, Storage.WITHOUT_STUB, 'c', values, EXAMPLES, 2, 3),
            false);
    String warning = "the order of 1 array is not recorded, c is assumed: layer_3";
    Path out = folder.resolve("out");
    Cli convert = run("convert", source, out, "--to", "safetensors");
    assertThat(convert.stderr().lines())
        .containsOnlyOnce("warning: " + source.resolve("net.sdnb") + ": " + warning);
    assertThat(NaiveTensors.batches(out).get("layer_3").bytes()).isEqualTo(values);
    JsonNode report = run("inspect", source, "--json").json();
    assertThat(report.get("warnings").get(0).asText()).isEqualTo(warning);
    assertThat(report.get("arrays").get(0).get("order").asText()).isEqualTo("c");
    assertThat(run("verify", source, "--structure").text()).contains("warning UNUSUAL ", warning);
  }

  @Test
  void inspectListsEveryArrayAndPlaceholder() throws Exception {
    byte[] matrix = values(1, 4, 4, 3);
    ForeignContainer container =
        new ForeignContainer()
            .array("m", FLOAT, Storage.APPENDED, 'f', matrix, 4, 3)
            .array("none", FLOAT, Storage.INLINE, 'f', new byte[0], 0, 5)
            .array("s", DOUBLE, Storage.INLINE, 'c', values(2, 8))
            .placeholder("in");
    for (boolean sharded : new boolean[] {false, true}) {
      Path source = write(container, sharded);
      JsonNode report = run("inspect", source, "--json", "--digests").json();
      String file = sharded ? ",\"file\":\"net.shard1-of-2.sdnb\"" : "";
      assertThat(report.get("arrays").toString())
          .isEqualTo(
              "["
                  + item("m", "FLOAT", "[4,3]", "f", file, matrix)
                  + item("none", "FLOAT", "[0,5]", "f", file, new byte[0])
                  + item("s", "DOUBLE", "[]", "c", file, values(2, 8))
                  + "{\"name\":\"in\",\"kind\":\"PLACEHOLDER\",\"dtype\":\"float32\","
                  + "\"stored_dtype\":\"FLOAT\",\"shape\":[-1,4]}]");
      Files.deleteIfExists(source.resolve("net.sdnb"));
    }
  }

  private static String item(
      String name, String dtype, String shape, String order, String file, byte[] values)
      throws Exception {
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(values));
    return ("{\"name\":\"%s\",\"kind\":\"CONSTANT\",\"dtype\":\"%s\",\"stored_dtype\":\"%s\","
            + "\"shape\":%s,\"order\":\"%s\",\"bytes\":%d%s,\"digest\":\"%s\"},")
        .formatted(
            name,
            dtype.equals("FLOAT") ? "float32" : "float64",
            dtype,
            shape,
            order,
            values.length,
            file,
            sha256);
  }

  @Test
  void catPrintsAnyPartOfAnArrayInCOrder() throws IOException {
    ForeignContainer container =
        new ForeignContainer()
            .array("m", FLOAT, Storage.APPENDED, 'f', values(1, 4, 2, 3), 2, 3)
            .array("none", FLOAT, Storage.INLINE, 'f', new byte[0], 0, 5)
            .array("s", UBYTE, Storage.INLINE, 'c', new byte[] {7});
    Path file = container.write(folder.resolve("net"));
    assertThat(run("cat", file, "--name", "m").text())
        .isEqualTo("1000.5 1001.5 1002.5\n1003.5 1004.5 1005.5\n");
    assertThat(run("cat", file, "--name", "m", "--slice", ":,1:").text())
        .isEqualTo("1001.5 1002.5\n1004.5 1005.5\n");
    assertThat(run("cat", file, "--name", "none").text()).isEmpty();
    assertThat(run("cat", file, "--name", "s").text()).isEqualTo("7\n");
    Cli.run("cat", file, "--name", "x").failsWith(ContainerError.NO_SUCH_ARRAY, file);
    Cli.run("cat", file, "--key", "m").failsWith(DatasetError.UNSUPPORTED, file);
  }

  @Test
  void whatIsNoDatasetIsRefusedInASentence() throws IOException {
    ForeignContainer container =
        new ForeignContainer()
            .array("w", FLOAT, Storage.APPENDED, 'c', values(1, 4, 2, 3), 2, 3)
            .array("b", FLOAT, Storage.APPENDED, 'c', values(2, 4, 3), 3);
    Path source = write(container, false);
    Object[] convert = {"convert", source, folder.resolve("out"), "--to", "safetensors"};
    Cli.run(convert).failsWith(DatasetError.NO_ACTIVATIONS, source);
    Path file = source.resolve("net.sdnb");
    Cli.run(convert, "--tensor", "x=example,dim").failsWith(ArrayError.NO_MATCH, file);
    Cli.run(convert, "--tensor", "w=example,token,dim").failsWith(ArrayError.BAD_SHAPE, file);
    assertThat(Cli.assertSound(source).text())
        .contains("warning UNUSUAL " + source + ": the arrays are not examples of a dataset");
    Cli tokens = Cli.run("digest", source, "--tensor", "w=example,dim", "--tokens", "image");
    tokens.failsWith(DatasetError.UNKNOWN_CLS_TOKENS, file);
    assertThat(folder.resolve("out")).doesNotExist();
  }

  private static Cli run(Object... words) {
    return Cli.run(words).succeeds();
  }
}
