package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.tensor.DType;

/** Arrays that were saved without a dataset around them, as the values of a dataset. */
@Tag("late")
class OwnArraysTest extends ConvertedDatasets {
  private Map<String, Found> layers;
  private String digest;

  @BeforeEach
  void findValues() throws IOException {
    Path source = Fixtures.small();
    digest = digest(source);
    layers = NaiveTensors.batches(convert(source, "tensors", "safetensors"));
  }

  private Path writeLayers(String form) throws IOException {
    return OwnArrays.npy(layers, folder.resolve("own"), form);
  }

  @Test
  void filesOfALayerEachAreADataset() throws IOException {
    Path own = writeLayers("layer_%s.npy");
    assertThat(digest(own)).isEqualTo(digest);
    assertThat(digest(convert(own, "pickle", "pickle"))).isEqualTo(digest);
    Cli.run("verify", own, "--structure").findsNoProblem();
    Cli inspected = Cli.run("inspect", own).succeeds();
    assertThat(inspected.text()).startsWith("format").contains(" npy\n");
  }

  @Test
  void aNumberThatMayBeThatOfTheOnlyLayerIsNotLost() throws IOException {
    layers.keySet().removeIf(name -> !name.equals("layer_13"));
    Path own = writeLayers("layer_%s.npy");
    String layer = Cli.run("digest", own).succeeds().lastLine();
    Files.move(own.resolve("layer_13.npy"), own.resolve("mlp_13.npy"));
    Cli.run("digest", own).failsWithText(ArrayError.AMBIGUOUS, "(expected --layer-names 13, or");
    assertThat(Cli.run("inspect", own).succeeds().text())
        .contains("whether 13 is the number of the layer")
        .contains("--to saev --layer-names 13")
        .contains("--to saev --layer-names 0");
    assertThat(Cli.run("digest", own, "--layer-names", "13").succeeds().lastLine())
        .isEqualTo(layer);
  }

  @Test
  void filesOfIntegersMayStandInFrontOfThatOfTheVectors() throws IOException {
    Path own = Files.createDirectory(folder.resolve("own"));
    Path vectors = own.resolve("shard_0.safetensors");
    byte[] values = NaiveTensors.floats(1, 2, 3, 4);
    NaiveTensors.write(vectors, Map.of("acts", Found.of("F32", List.of(2L, 1L, 2L), values)));
    NaiveTensors.write(
        own.resolve("input_ids.safetensors"),
        Map.of("input_ids", Found.of("I64", List.of(2L, 1L), new byte[16])));
    assertThat(digest(own)).isEqualTo(digest(vectors));
    assertThat(Files.exists(convert(own, "npy", "npy").resolve("input_ids.npy"))).isTrue();
  }

  @Test
  void compressedArraysAreStagedWhereTheirValuesAreNeeded() throws IOException {
    Path own = OwnArrays.npz(layers, folder.resolve("acts.npz"));
    Cli inspected = Cli.run("inspect", own).succeeds();
    assertThat(inspected.text()).startsWith("format").contains(" npy\n");
    assertThat(inspected.stderr()).doesNotContain("unpack");
    Cli.run("verify", own, "--structure").findsNoProblem();
    assertThat(digest(own)).isEqualTo(digest);
    assertThat(digest(convert(own, "pickle", "pickle"))).isEqualTo(digest);
    String part = "--layers 23 --examples 1,0 --tokens 2:4 --format hex";
    assertThat(Cli.run("cat", own, List.of(part.split(" "))).succeeds().text())
        .isEqualTo(Cli.run("cat", writeLayers("layer_%s.npy"), part.split(" ")).text());
  }

  @Test
  void compressedArraysThatWereDamagedAreRefused() throws IOException {
    Path own = OwnArrays.npz(layers, folder.resolve("acts.npz"));
    byte[] bytes = Files.readAllBytes(own);
    bytes[bytes.length / 4] ^= 1;
    Files.write(own, bytes);
    assertThat(Cli.run("verify", own, "--structure").exitCode()).isEqualTo(1);
    Cli cli = Cli.run("convert", own, folder.resolve("out"), "--to", "safetensors");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.stderr().strip().lines().toList()).last().asString().startsWith(own + ": ");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  /** The mask is longer than the file, so that it cannot be read at its positions in the file. */
  @Test
  void aMaskInACompressedFileIsInflatedBeforeItIsRead() throws IOException {
    ByteBuffer mask = ByteBuffer.allocate(10 * 500 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 10 * 500; i++) {
      mask.putLong(i % 500 < 400 ? 1 : 0);
    }
    Path own = folder.resolve("acts.npz");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(own))) {
      zip.putNextEntry(new ZipEntry("layer_3.npy"));
      zip.write(OwnArrays.npy(DType.F32, List.of(10L, 500L, 1L), new byte[10 * 500 * 4]));
      zip.putNextEntry(new ZipEntry("attention_mask.npy"));
      zip.write(OwnArrays.npy(DType.I64, List.of(10L, 500L), mask.array()));
    }
    assertThat(Files.size(own)).isLessThan(mask.capacity());
    assertThat(digest(own)).contains("examples=10 layers=3 tokens=400 dim=1");
    assertThat(Cli.run("inspect", own, "--json").succeeds().json().get("tokens").asInt())
        .isEqualTo(400);
  }

  @Test
  void foldersOfAHookEachAreADatasetAsPatternsSay() throws IOException {
    Path own = writeLayers("blocks.%s.hook_resid_post/chunk-00000000.npy");
    Object[] files = {"--files", "{hook}/chunk-{shard}.npy"};
    assertThat(Cli.run("digest", own, files).succeeds().text()).isEqualTo(digest);
    Path back = convert(own, "back", "safetensors", files);
    assertThat(digest(back)).isEqualTo(digest);
  }

  @Test
  void aModelThatNothingNamesIsRecordedAsUnknown() throws IOException {
    Path own = writeLayers("layer_%s.npy");
    Cli cli = Cli.convert(own, folder.resolve("saev"), "saev").succeeds();
    assertThat(cli.stderr()).contains("nothing names the model: it is recorded as unknown");
    Path saev = cli.lastLinePath();
    assertThat(Files.readString(saev.resolve("metadata.json"))).contains("\"family\": \"unknown\"");
    assertThat(digest(saev)).isEqualTo(digest);
  }

  @Test
  void aMatrixIsVectorsOrExamplesOfSeveralTokens() throws IOException {
    Found values = layers.values().iterator().next();
    List<Long> shape = values.shape();
    Path file = folder.resolve("own/layer_13.npy");
    OwnArrays.writeNpy(
        file, DType.F32, List.of(shape.get(0) * shape.get(1), shape.get(2)), values.bytes());
    assertThat(digest(file))
        .contains("examples=" + shape.get(0) * shape.get(1))
        .contains("tokens=1");
    String tokens = Long.toString(shape.get(1));
    assertThat(Cli.run("digest", file, "--tokens-per-example", tokens).succeeds().text())
        .contains("examples=" + shape.get(0))
        .contains("tokens=" + tokens);
    Cli.run("digest", file, "--tokens-per-example", "7777").failsWith(ArrayError.BAD_SHAPE, file);
  }

  @Test
  void tensorsOfAFileOfTorchAreADataset() throws IOException {
    Path file = OwnArrays.torch(layers, folder.resolve("acts.pt"));
    assertThat(digest(file)).isEqualTo(digest);
    assertThat(digest(convert(file, "npy", "safetensors --layers 23")))
        .isEqualTo(Cli.run("digest", file, "--layers", "23").succeeds().text());
    Cli.run("verify", file, "--structure").findsNoProblem();
  }

  @Test
  void safetensorsOfAFileForEachRequestAreADatasetAsTheirDimensionsAreNamed() throws IOException {
    // ExampleHiddenStatesConnector of vLLM: hidden_states [token, layer, dim], token_ids [token]
    Path requests = Files.createDirectory(folder.resolve("requests"));
    float[][] values = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11}};
    for (int i = 0; i < 2; i++) {
      OwnArrays.writeSafetensors(
          requests.resolve("hs_" + (9 + i) + ".safetensors"), 2 - i, 2, 2, values[i]);
    }
    Object[] layout = {"--tensor", "hidden_states=token,layer,dim"};
    assertThat(Cli.run("digest", requests, layout, "--ragged", "flatten").succeeds().text())
        .contains("examples=3 layers=0,1 tokens=1 dim=2");
    Cli.run("digest", requests, layout).failsWith(DatasetError.RAGGED, requests);
    Path saev = convert(requests, "saev", "saev --ragged truncate:1 --family x --ckpt y", layout);
    Path same = convert(saev, "same", "safetensors");
    assertThat(NaiveTensors.batches(same).get("layer_1").bytes())
        .isEqualTo(OwnArrays.bytes(2, 3, 10, 11));
  }

  @Test
  void integersAreBfloat16WhereItIsSaid() throws IOException {
    Path file = folder.resolve("own/acts.npy");
    byte[] two = {0, 0x3f, -128, 0x3f, 0, 0x40, 0x40, 0x40};
    OwnArrays.writeNpy(file, DType.I16, List.of(2L, 1L, 2L), two);
    Cli cli = Cli.run("cat", file, "--dtype-stored", "BF16", "--example", "1", "--layer", "0");
    assertThat(cli.succeeds().text()).contains("2").contains("3");
  }
}
