package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;

/** Tensors {@code [n, dim]} of vectors without a dimension of tokens. */
class RowsTest extends ConvertedDatasets {
  private Path source;

  @BeforeEach
  void writeSource() throws IOException {
    source =
        new NaiveActivations(9, List.of(4), 5, 16, true, true).writeSaev(folder.resolve("source"));
  }

  private Path shuffle(String name, Object... options) {
    return Cli.run("shuffle", source, folder.resolve(name), "--tokens=image", options)
        .succeeds()
        .lastLinePath();
  }

  private static void assertShapes(Path dataset, Map<String, List<Long>> shapes)
      throws IOException {
    Map<String, Found> found = NaiveTensors.batches(dataset);
    assertThat(found.keySet()).isEqualTo(shapes.keySet());
    shapes.forEach((name, shape) -> assertThat(found.get(name).shape()).as(name).isEqualTo(shape));
  }

  @Test
  void shuffledVectorsTheirLabelsAndCoordinatesAreRows() throws IOException {
    Path rows = shuffle("rows", "--to=safetensors", "--provenance", "--batch-size=10");
    List<Long> n = List.of(36L);
    assertShapes(
        rows,
        Map.of("layer_4", List.of(36L, 16L), "labels", n, "example", n, "layer", n, "token", n));
    Cli.run("verify", rows).succeeds();
    Path examples = shuffle("examples", "--to=safetensors", "--columns=layers", "--provenance");
    assertShapes(
        examples,
        Map.of(
            "layer_4",
            List.of(36L, 1L, 16L),
            "labels",
            List.of(36L, 1L),
            "example",
            List.of(36L, 1L),
            "layer",
            List.of(36L, 1L),
            "token",
            List.of(36L, 1L)));
    Cli.run("diff", rows, examples).succeeds();
    assertThat(digest(rows)).isEqualTo(digest(examples));
  }

  @Test
  void rowsStayRowsInFurtherConversions() throws IOException {
    Path rows = shuffle("rows", "--to=safetensors");
    assertShapes(rows, Map.of("layer_4", List.of(36L, 16L), "labels", List.of(36L)));
    Path keyed = convert(rows, "keyed", "safetensors", "--kv");
    assertThat(NaiveTensors.keys(keyed).get("7__layer_4").shape()).isEqualTo(List.of(16L));
    assertThat(NaiveTensors.keys(keyed).get("7__labels").shape()).isEmpty();
    Path again = convert(keyed, "again", "safetensors");
    NaiveTensors.assertSame(NaiveTensors.batches(again), NaiveTensors.batches(rows));
    Path saev = shuffle("saev");
    Cli.run("diff", saev, again).succeeds();
    assertShapes(
        convert(saev, "asked", "safetensors --columns rows"),
        Map.of("layer_4", List.of(36L, 16L), "labels", List.of(36L)));
  }

  @Test
  void examplesOfSeveralTokensAreNotRows() {
    Path out = folder.resolve("out");
    Cli.convert(source, out, "safetensors --columns rows")
        .failsWithText("cannot be rows (expected layers of one token, such as --tokens 0)");
    assertThat(out).doesNotExist();
  }
}
