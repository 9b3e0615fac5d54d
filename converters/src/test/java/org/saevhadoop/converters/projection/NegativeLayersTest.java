package org.saevhadoop.converters.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.WrittenBatches;

/** Layers that are counted from the model's end, as in saev's own default, {@code layers=[-2]}. */
@Tag("late")
class NegativeLayersTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"spec, -2", "real, -2 -1", "spec, -2147 -10 -2 0 5"})
  void theySurvivePickledShards(String dialect, String numbers) throws IOException {
    List<Integer> layers = Stream.of(numbers.split(" ")).map(Integer::valueOf).toList();
    Path source = folder.resolve("source");
    InventedFiles.write(
        WrittenBatches.plan(new Geometry(3, layers, 2, 4), Columns.LAYERS, 1000, Provenance.NONE),
        new LocalFolder(source));
    Path saev = toSaev(source, "saev");
    assertLayers(saev, layers);

    Path pickle = convert(saev, "pickle", "pickle", "--dialect", dialect);
    assertThat(Files.readString(pickle.resolve("metadata.json"))).contains("" + layers.get(0));
    Cli.run("verify", pickle, "--structure").succeeds();
    List<String> listed = Cli.run("list", pickle, "--json").succeeds().text().lines().toList();
    assertThat(listed.stream().map(line -> number(line, "layer")))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 3).boxed().flatMap(i -> layers.stream()).toList());
    Path back = toSaev(pickle, "back");
    assertLayers(back, layers);
    assertThat(ConvertTest.digest(back)).isEqualTo(ConvertTest.digest(saev));
    for (int layer : layers) {
      assertThat(values(back, layer)).isEqualTo(values(saev, layer)).isNotEmpty();
    }

    Path safetensors = convert(pickle, "safetensors", "safetensors");
    assertThat(ConvertTest.digest(toSaev(safetensors, "again")))
        .isEqualTo(ConvertTest.digest(saev));
  }

  private static int number(String json, String field) {
    try {
      return new ObjectMapper().readTree(json).get(field).asInt();
    } catch (IOException e) {
      throw new AssertionError(json, e);
    }
  }

  private static String values(Path dataset, int layer) {
    return Cli.run("cat", dataset, "--example", 2, "--layer", layer).succeeds().text();
  }

  private static void assertLayers(Path saev, List<Integer> layers) throws IOException {
    JsonNode metadata = Fixtures.json(saev.resolve("metadata.json"));
    assertThat(metadata.get("layers")).map(JsonNode::asInt).isEqualTo(layers);
  }

  private Path toSaev(Path source, String name) {
    return convert(source, name, "saev", "--family", "x", "--ckpt", "y");
  }

  private Path convert(Path source, String name, String to, String... options) {
    return Cli.run("convert", source, folder.resolve(name), "--to", to, options)
        .succeeds()
        .lastLinePath();
  }
}
