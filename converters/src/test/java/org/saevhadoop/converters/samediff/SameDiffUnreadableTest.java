package org.saevhadoop.converters.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.samediff.ForeignContainer.FLOAT;
import static org.saevhadoop.format.samediff.ForeignContainer.LONG;
import static org.saevhadoop.format.samediff.ForeignContainer.UBYTE;
import static org.saevhadoop.format.samediff.ForeignContainer.UTF8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.samediff.sdnb.SdnbError;

/** Containers with an array that cannot be read, or has no values: all others can be. */
@Tag("late")
class SameDiffUnreadableTest {
  private static final long EXAMPLES = 3;
  private static final byte[] VALUES = values();

  @TempDir Path folder;

  private static byte[] values() {
    ByteBuffer bytes =
        ByteBuffer.allocate((int) EXAMPLES * 8 * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; bytes.hasRemaining(); i++) {
      bytes.putFloat(i);
    }
    return bytes.array();
  }

  /** A container with activations and another array. */
  private Path container(
      boolean sharded, String name, int dtype, Storage storage, byte[] values, long... shape)
      throws IOException {
    return write(
        sharded, activations("layer_3/shard_0").array(name, dtype, storage, 'c', values, shape));
  }

  private static ForeignContainer activations(String name) {
    return new ForeignContainer().array(name, FLOAT, Storage.APPENDED, 'c', VALUES, EXAMPLES, 2, 4);
  }

  private Path write(boolean sharded, ForeignContainer container) throws IOException {
    Path at = Files.createDirectories(folder.resolve("foreign"));
    if (sharded) {
      container.writeShards(at, "net", 100);
      return at;
    }
    return container.write(at.resolve("net.sdnb"));
  }

  private Cli convert(Path source, String... options) {
    return Cli.run("convert", source, folder.resolve("out"), "--to", "safetensors", options);
  }

  @ParameterizedTest
  @CsvSource({
    "names, 50, INLINE, false, the type UTF8",
    "names, 50, APPENDED, true, the type UTF8",
    "names, 51, APPENDED, false, the type code 51",
    "w, 5, EXTERNAL, false, values in another file",
    "w, 5, EXTERNAL, true, values in another file",
    "w/shard_1, 5, CHUNKS, true, values in chunks",
    // texts are not labels of patches, which are of UBYTE
    "labels, 50, INLINE, false, the type UTF8"
  })
  void allOtherArraysAreRead(
      String name, int dtype, Storage storage, boolean sharded, String obstacle)
      throws IOException {
    Path source = container(sharded, name, dtype, storage, new byte[3], 3);
    JsonNode report = Cli.run("inspect", source, "--json", "--digests").succeeds().json();
    JsonNode listed = report.get("arrays").get(1);
    assertThat(listed.get("name").asText()).isEqualTo(name);
    assertThat(listed.get("shape").toString()).isEqualTo("[3]");
    assertThat(listed.get("note").asText()).isEqualTo("cannot be read: " + obstacle);
    assertThat(report.get("warnings").get(0).asText()).isEqualTo("1 array cannot be read: " + name);
    assertThat(Cli.run("inspect", source).succeeds().text())
        .contains("[3] shape  c order", "  cannot be read: " + obstacle);

    assertThat(
            Cli.run("cat", source, "--name", "layer_3/shard_0", "--format=bin").succeeds().stdout())
        .isEqualTo(VALUES);
    Path file = sharded ? source.resolve(listed.get("file").asText()) : source;
    Cli.run("cat", source, "--name", name).failsWith(SdnbError.UNSUPPORTED, file);

    Cli convert = convert(source).succeeds();
    assertThat(convert.stderr().lines())
        .containsOnlyOnce("warning: 1 array cannot be read: " + name);
    NaiveTensors.assertSame(
        NaiveTensors.batches(folder.resolve("out")),
        Map.of("layer_3", new Found("F32", List.of(EXAMPLES, 2L, 4L), VALUES)));

    assertThat(Cli.problems(source))
        .isEqualTo(
            "error UNSUPPORTED %s: array %s has %s (expected numbers, inline or appended)\n"
                .formatted(file, name, obstacle));
  }

  @ParameterizedTest
  @CsvSource({"layer_4/shard_0, 5", "layer_3/shard_1, 5", "acts, 5", "labels, 11"})
  void examplesThatCannotBeReadAreNotLeftOut(String name, int dtype) throws IOException {
    Path source =
        container(
            true, name, dtype, Storage.EXTERNAL, new byte[0], EXAMPLES, dtype == UBYTE ? 2 : 4);
    Path file = source.resolve("net.shard1-of-2.sdnb");
    convert(source).failsWith(DatasetError.UNSUPPORTED, file);
    Cli.run("digest", source).failsWith(DatasetError.UNSUPPORTED, file);
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void anArrayThatTensorNamesMustBeReadable() throws IOException {
    Path source = container(false, "w", FLOAT, Storage.EXTERNAL, new byte[0], EXAMPLES, 4);
    convert(source, "--tensor", "w=example,dim").failsWith(SdnbError.UNSUPPORTED, source);
    convert(source, "--tensor", "layer_3=example,token,dim").succeeds();
  }

  @Test
  void aContainerWithoutReadableArraysIsRefusedWithTheReason() throws IOException {
    Path source =
        write(false, new ForeignContainer().array("t", UTF8, Storage.INLINE, 'c', new byte[2], 2));
    convert(source).failsWith(SdnbError.UNSUPPORTED, source);
  }

  @Test
  void anArrayWithoutDimensionsAndValuesPrintsNothing() throws IOException {
    Path source = container(false, "mask", LONG, Storage.NONE, new byte[0]);
    assertThat(Cli.run("inspect", source).succeeds().text())
        .contains("  mask  CONSTANT  int64  [] shape  c order  0 B  empty");
    for (String option : List.of("--format=text", "--format=hex", "--slice=:")) {
      assertThat(Cli.run("cat", source, "--name", "mask", option).succeeds().text()).isEmpty();
    }
    assertThat(Cli.run("cat", source, "--name", "mask", "--format=npy").succeeds().text())
        .contains("'shape': (0,)");
    convert(source).failsWith(DatasetError.NO_ACTIVATIONS, source);
    convert(source, "--tensor", "layer_3=example,token,dim").succeeds();
    Cli.assertSound(source);
  }
}
