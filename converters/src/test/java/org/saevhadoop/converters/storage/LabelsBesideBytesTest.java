package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.tensor.DType;

/**
 * Labels, which are U8, beside activations that are U8 too: in the reference's order, by descending
 * dtype and then by name, they may come before them or among them.
 */
@Tag("late")
class LabelsBesideBytesTest extends ConvertedDatasets {
  private static final int EXAMPLES = 7;
  private static final int PATCHES = 9;
  private static final int BLOCK = 10 * 16;

  private Path source;
  private byte[] labels;

  @BeforeEach
  void labelled() throws IOException {
    source = Fixtures.labelled(Fixtures.SMALL, folder);
    labels = Files.readAllBytes(source.resolve("labels.bin"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--batch-size=3 --columns=acts",
        "--batch-size=3 --align=64",
        "--batch-size=3 --tail=pad",
        "--batch-size=4 -Dsaev.convert.plan=shuffle",
        "--kv -Dsaev.output.header.bytes=2000",
        "--kv --columns=acts -Dsaev.convert.plan=shuffle"
      })
  void theyTravelThroughEachLayout(String options) throws IOException {
    Path bytes = convert(source, "bytes", "safetensors --dtype U8 --range saturate " + options);
    for (Path part : NaiveTensors.parts(bytes)) {
      assertCanonical(NaiveTensors.file(part));
    }
    Cli.run("verify", bytes, "--structure").succeeds();
    Path plain = convert(source, "plain", "safetensors --dtype U8 --range saturate");
    assertThat(values(bytes)).isEqualTo(values(plain));

    Path back = convert(bytes, "back", "saev");
    assertThat(Files.readAllBytes(back.resolve("labels.bin"))).isEqualTo(labels);
    assertThat(values(convert(back, "again", "safetensors --dtype U8"))).isEqualTo(values(plain));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--max-shard-bytes=1600", "--container=sdz --deflate"})
  void theyTravelThroughContainers(String options) throws IOException {
    String bytes = "samediff --dtype U8 --range saturate " + options;
    Path container = convert(source, "container", bytes);
    Path plain = convert(source, "plain", "safetensors --dtype U8 --range saturate");
    assertThat(values(container)).isEqualTo(values(plain));
    Path back = convert(container, "back", "safetensors");
    NaiveTensors.assertSame(NaiveTensors.batches(back), NaiveTensors.batches(plain));
    Path saev = convert(container, "saev", "saev");
    assertThat(Files.readAllBytes(saev.resolve("labels.bin"))).isEqualTo(labels);
  }

  @Test
  void theyAreWhereTheHeaderHasThem() throws IOException {
    Path plain = convert(source, "plain", "safetensors --dtype U8 --range saturate");
    Map<String, Found> columns = NaiveTensors.batches(plain);
    assertThat(columns.keySet()).containsExactly("labels", "layer_13", "layer_21", "layer_23");
    assertThat(columns.get("labels").bytes()).isEqualTo(labels);
    Path keyed = convert(source, "keyed", "safetensors --dtype U8 --range saturate --kv");
    Map<String, Found> keys = NaiveTensors.keys(keyed);
    assertThat(keys).hasSize(4 * EXAMPLES);
    for (int i = 0; i < EXAMPLES; i++) {
      assertThat(keys.get(i + "__labels").bytes())
          .isEqualTo(Arrays.copyOfRange(labels, i * PATCHES, (i + 1) * PATCHES));
      assertThat(keys.get(i + "__layer_21").bytes())
          .isEqualTo(
              Arrays.copyOfRange(columns.get("layer_21").bytes(), i * BLOCK, (i + 1) * BLOCK));
    }
  }

  @Test
  void columnsOfSeveralDtypesAreOnBothSides() throws IOException {
    String mixed = "safetensors --range saturate --dtype layer_13=U8 --dtype layer_23=I8 ";
    Path batch = convert(source, "batch", mixed + "--batch-size=3");
    Path keyed = convert(source, "keyed", mixed + "--kv");
    for (Path out : List.of(batch, keyed)) {
      for (Path part : NaiveTensors.parts(out)) {
        assertCanonical(NaiveTensors.file(part));
      }
      Cli.run("verify", out, "--structure").succeeds();
    }
    Map<String, Found> plain =
        NaiveTensors.batches(convert(source, "plain", "safetensors --dtype U8 --range saturate"));
    Map<String, Found> columns = NaiveTensors.batches(batch);
    assertThat(columns.keySet()).containsExactly("layer_21", "layer_23", "labels", "layer_13");
    assertThat(columns.get("labels").bytes()).isEqualTo(labels);
    assertThat(columns.get("layer_13").bytes()).isEqualTo(plain.get("layer_13").bytes());
    Map<String, Found> keys = NaiveTensors.keys(keyed);
    for (Map.Entry<String, Found> column : columns.entrySet()) {
      int size = column.getValue().bytes().length / EXAMPLES;
      for (int i = 0; i < EXAMPLES; i++) {
        assertThat(keys.get(i + "__" + column.getKey()).bytes())
            .isEqualTo(Arrays.copyOfRange(column.getValue().bytes(), i * size, (i + 1) * size));
      }
    }
  }

  /** By the rules of the reference's serializer (safetensors 0.8, {@code prepare}). */
  private static void assertCanonical(Map<String, Found> tensors) {
    Comparator<String> byDtype =
        Comparator.comparing(name -> DType.valueOf(tensors.get(name).dtype()));
    List<String> expected = new ArrayList<>(tensors.keySet());
    expected.sort(byDtype.reversed().thenComparing(Comparator.naturalOrder()));
    assertThat(tensors.keySet()).containsExactlyElementsOf(expected);
  }

  /** Without the shape. */
  private static String values(Path dataset) {
    return digest(dataset).replaceAll("\\s.*", "");
  }
}
