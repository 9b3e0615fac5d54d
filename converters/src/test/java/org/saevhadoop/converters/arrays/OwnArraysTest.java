package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.arrays.ArrayError;
import org.saevhadoop.format.numpy.NpyHeader;
import org.saevhadoop.format.numpy.NumpyType;
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

  private static void writeNpy(Path file, NumpyType type, List<Long> shape, byte[] values)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(NpyHeader.encode(file.toString(), type, false, shape));
    out.writeBytes(values);
    Files.createDirectories(file.getParent());
    Files.write(file, out.toByteArray());
  }

  private static NumpyType floats() {
    return NumpyType.of(DType.F32).orElseThrow();
  }

  private void writeLayers(String form) throws IOException {
    for (Map.Entry<String, Found> layer : layers.entrySet()) {
      String number = layer.getKey().replace("layer_", "");
      Found values = layer.getValue();
      writeNpy(
          folder.resolve("own").resolve(form.formatted(number)),
          floats(),
          values.shape(),
          values.bytes());
    }
  }

  @Test
  void filesOfALayerEachAreADataset() throws IOException {
    writeLayers("layer_%s.npy");
    Path own = folder.resolve("own");
    assertThat(digest(own)).isEqualTo(digest);
    assertThat(digest(convert(own, "pickle", "pickle"))).isEqualTo(digest);
    Cli.run("inspect", own, "--check").findsNoProblem();
    Cli inspected = Cli.run("inspect", own).succeeds();
    assertThat(inspected.text()).startsWith("format").contains(" npy\n");
  }

  @Test
  void foldersOfAHookEachAreADatasetAsPatternsSay() throws IOException {
    writeLayers("blocks.%s.hook_resid_post/chunk-00000000.npy");
    Path own = folder.resolve("own");
    Object[] files = {"--from", "npy", "--files", "{hook}/chunk-{shard}.npy"};
    assertThat(Cli.run("digest", own, files).succeeds().text()).isEqualTo(digest);
    Path back = convert(own, "back", "safetensors", files);
    assertThat(digest(back)).isEqualTo(digest);
  }

  @Test
  void aModelThatNothingNamesIsRecordedAsUnknown() throws IOException {
    writeLayers("layer_%s.npy");
    Cli cli = Cli.convert(folder.resolve("own"), folder.resolve("saev"), "saev").succeeds();
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
    writeNpy(file, floats(), List.of(shape.get(0) * shape.get(1), shape.get(2)), values.bytes());
    assertThat(digest(file)).contains("examples=" + shape.get(0) * shape.get(1)).contains("tokens=1");
    String tokens = Long.toString(shape.get(1));
    assertThat(Cli.run("digest", file, "--tokens-per-example", tokens).succeeds().text())
        .contains("examples=" + shape.get(0))
        .contains("tokens=" + tokens);
    Cli.run("digest", file, "--tokens-per-example", "7777").failsWith(ArrayError.BAD_SHAPE, file);
  }

  @Test
  void integersAreBfloat16WhereItIsSaid() throws IOException {
    Path file = folder.resolve("own/acts.npy");
    byte[] two = {0, 0x3f, -128, 0x3f, 0, 0x40, 0x40, 0x40};
    writeNpy(file, NumpyType.of(DType.I16).orElseThrow(), List.of(2L, 1L, 2L), two);
    Cli cli = Cli.run("cat", file, "--dtype-stored", "BF16", "--example", "1", "--layer", "0");
    assertThat(cli.succeeds().text()).contains("2").contains("3");
  }
}
