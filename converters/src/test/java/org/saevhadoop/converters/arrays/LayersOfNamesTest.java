package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.tensor.DType;

/** Layers that names of files and tensors number, whatever the container of the arrays. */
class LayersOfNamesTest {
  private static final List<Long> SHAPE = List.of(4L, 2L, 3L);
  private static final String LAYERS = "examples=4 layers=3,11 tokens=2 dim=3";

  @TempDir Path folder;

  /** Writes an array of zeros in a file whose ending names the container. */
  private void write(String name) throws IOException {
    Path file = folder.resolve("own").resolve(name);
    Files.createDirectories(file.getParent());
    if (name.endsWith(".safetensors")) {
      OwnArrays.writeTensors(file, List.of("activations"), SHAPE);
    } else if (name.endsWith(".npz")) {
      byte[] array = OwnArrays.npy(DType.F32, SHAPE, new byte[4 * 2 * 3 * Float.BYTES]);
      OwnArrays.zip(file, Map.of("activations", array));
    } else {
      OwnArrays.writeNpy(file, DType.F32, SHAPE, new byte[4 * 2 * 3 * Float.BYTES]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"npy", "npz", "safetensors"})
  void filesOfALayerEachHaveItsNumber(String container) throws IOException {
    write("h.3." + container);
    write("h.11." + container);
    Path own = folder.resolve("own");
    assertThat(Cli.run("digest", own).succeeds().text()).contains(LAYERS);
    assertThat(Cli.run("inspect", own, "--json").succeeds().json().get("layers").toString())
        .isEqualTo("[3,11]");
    Path shuffled = folder.resolve("shuffled");
    Cli.run("shuffle", own, shuffled, "--to", "npy", "--seed", "1", "--unit", "example").succeeds();
    assertThat(Cli.run("digest", shuffled).succeeds().text()).contains(LAYERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"npy", "npz", "safetensors"})
  void aFileOfALayerHasItsNumberAlone(String container) throws IOException {
    write("layer12_mlp." + container);
    Path file = folder.resolve("own/layer12_mlp." + container);
    assertThat(Cli.run("digest", file).succeeds().text()).contains("layers=12 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"npy", "npz", "safetensors"})
  void severalKindsOfVectorsOfALayerAreRefused(String container) throws IOException {
    write("layer_3_attn." + container);
    write("layer_3_mlp." + container);
    Path own = folder.resolve("own");
    Cli.run("digest", own).failsWith(ArrayError.AMBIGUOUS, own);
    Path out = folder.resolve("out");
    Cli.run("convert", own, out, "--to", "npy").failsWith(ArrayError.AMBIGUOUS, own);
    assertThat(out).doesNotExist();
    String files = "layer_{layer}_mlp." + container;
    assertThat(Cli.run("digest", own, "--files", files).succeeds().text()).contains("layers=3 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%d", "blk%d", "acts_%d", "layers/%d", "hs_%d"})
  void numbersThatNoWordNamesAreRefusedWithTheWayToReadThem(String name) throws Exception {
    write(name.formatted(3) + ".npy");
    write(name.formatted(11) + ".npy");
    Path own = folder.resolve("own");
    Cli cli = Cli.run("convert", own, folder.resolve("out"), "--to", "npy");
    if (name.startsWith("blk")) {
      cli.succeeds();
    } else {
      assertThat(cli.exitCode()).isEqualTo(1);
      assertThat(cli.stderr()).contains("{layer}.npy', or '").contains("{shard}.npy' for parts");
    }
    Path first = ProposedCommand.of(own).get(0).run(folder.resolve("first"), "npy");
    assertThat(Cli.run("digest", first).succeeds().text()).contains(LAYERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"attn_%d.npy mlp_%d.npy", "a/layers/%d.npy b/layers/%d.npy"})
  void numbersInEachOfSeveralSetsMayBeThoseOfLayers(String names) throws Exception {
    for (String name : names.split(" ")) {
      write(name.formatted(3));
      write(name.formatted(11));
    }
    List<ProposedCommand> proposed = ProposedCommand.of(folder.resolve("own"));
    for (String name : names.split(" ")) {
      String files = "--files '" + name.replace("%d", "{layer}") + "'";
      ProposedCommand command =
          proposed.stream().filter(c -> c.line().contains(files)).findFirst().orElseThrow();
      List<String> words = new ArrayList<>(command.words());
      words.removeAll(List.of("--family", "unknown", "--ckpt", "a", "b"));
      Path out = command.with(words).run(folder.resolve(name.substring(0, 1)), "npy");
      assertThat(Cli.run("digest", out).succeeds().text()).contains(LAYERS);
    }
  }

  @Test
  void filesOfIntegersHaveNoNumbersOfLayers() throws Exception {
    write("3.npy");
    write("11.npy");
    Path labels = folder.resolve("own/labels.npy");
    OwnArrays.writeNpy(labels, DType.I64, List.of(4L), new byte[4 * Long.BYTES]);
    Path first =
        ProposedCommand.of(folder.resolve("own")).get(0).run(folder.resolve("first"), "npy");
    assertThat(Cli.run("digest", first).succeeds().text()).contains(LAYERS);
  }

  @Test
  void numbersThatSkipNoneAreThoseOfParts() throws Exception {
    write("acts_0.npy");
    write("acts_1.npy");
    Path own = folder.resolve("own");
    assertThat(Cli.run("digest", own).succeeds().text()).contains("examples=8 layers=0 ");
    assertThat(ProposedCommand.of(own))
        .extracting(ProposedCommand::options)
        .contains("--files 'acts_{layer}.npy'")
        .first()
        .isEqualTo("");
  }

  @Test
  void tensorsInOneFileAreNumberedByTheirNames() throws IOException {
    Path file = folder.resolve("own.safetensors");
    OwnArrays.writeTensors(file, List.of("h.3.output", "h.11.output"), SHAPE);
    assertThat(Cli.run("digest", file).succeeds().text()).contains(LAYERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"npy", "npz"})
  void theFolderHasTheNumberIfNothingInItNumbersLayers(String container) throws IOException {
    write("blocks.7.hook_resid_post/part0." + container);
    write("blocks.7.hook_resid_post/part1." + container);
    Path own = folder.resolve("own/blocks.7.hook_resid_post");
    assertThat(Cli.run("digest", own).succeeds().text()).contains("examples=8 layers=7 ");
    Path out = folder.resolve("out");
    Cli.convert(own, out, "npy", "--verify").succeeds();
    assertThat(out.resolve("layer_7.npy")).exists();
    assertThat(Cli.run("digest", own.resolve("part0." + container)).succeeds().text())
        .contains("layers=0 ");
    assertThat(Cli.run("digest", own, "--layer-names=4").succeeds().text()).contains("layers=4 ");
  }

  @Test
  void compressedFilesInAFolderOfALayerAreReadAsOthers() throws IOException {
    write("layer_3/acts.npz");
    Path stored = folder.resolve("stored/layer_3");
    OwnArrays.writeNpy(stored.resolve("acts.npy"), DType.F32, SHAPE, new byte[24 * Float.BYTES]);
    Path deflated = folder.resolve("own/layer_3");
    assertThat(Cli.run("digest", deflated).succeeds().text().split(" path=")[0])
        .isEqualTo(Cli.run("digest", stored).succeeds().text().split(" path=")[0])
        .contains("layers=3 ");
  }

  @Test
  void namesInAFolderOfALayerCountFirst() throws IOException {
    write("layer_3/h.5.npy");
    write("layer_3_block_4/acts.npy");
    assertThat(Cli.run("digest", folder.resolve("own/layer_3")).succeeds().text())
        .contains("layers=5 ");
    Path several = folder.resolve("own/layer_3_block_4");
    Cli.run("digest", several).failsWith(ArrayError.AMBIGUOUS, several.resolve("acts.npy"));
  }
}
