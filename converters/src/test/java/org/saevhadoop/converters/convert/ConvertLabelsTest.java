package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.saevhadoop.format.dataset.DatasetError;

/** Labels are converted with their examples. */
@Tag("late")
class ConvertLabelsTest extends ConvertedDatasets {
  @ParameterizedTest
  @CsvSource({
    Fixtures.SMALL + ",layers,map-only,3",
    Fixtures.SMALL + ",layers,shuffle,1",
    Fixtures.SMALL + ",acts,map-only,7",
    Fixtures.D768 + ",acts,shuffle,2"
  })
  void labelsTravelWithTheirExamplesThereAndBack(
      String hash, String columns, String plan, int batch) throws IOException {
    Path source = Fixtures.labelled(hash, folder);
    String key = "saev.convert.plan=" + plan;
    String layout = "safetensors --columns " + columns + " --batch-size";
    Path tensors = convert(source, "tensors", layout, batch, "-D", key);
    assertThat(labelsIn(tensors)).isEqualTo(Files.readAllBytes(source.resolve("labels.bin")));
    // into files of other sizes and the other columns
    String others = columns.equals("acts") ? "layers" : "acts";
    Path again =
        convert(tensors, "again", "safetensors --batch-size 2 --columns " + others, "-D", key);
    assertThat(labelsIn(again)).isEqualTo(Files.readAllBytes(source.resolve("labels.bin")));
    for (Path tensor : List.of(tensors, again)) {
      Path saev = folder.resolve(tensor.getFileName() + "-saev");
      Path back = Cli.convert(tensor, saev, "saev", "-D", key).succeeds().lastLinePath();
      Fixtures.assertSameDataset(back, source);
      assertThat(files(back)).isEqualTo(files(source));
    }
    assertThat(digest(tensors)).isEqualTo(digest(Fixtures.saev(hash)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"map-only", "shuffle"})
  void labelsStayWithShardsOfAnotherSize(String plan) throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path found = convert(source, "saev", "saev --tokens-per-shard 90 -Dsaev.convert.plan=" + plan);
    assertThat(files(found))
        .containsExactly(
            "acts000000.bin",
            "acts000001.bin",
            "acts000002.bin",
            "labels.bin",
            "metadata.json",
            "shards.json");
    assertThat(found.resolve("labels.bin")).hasSameBinaryContentAs(source.resolve("labels.bin"));
  }

  @Test
  void oneFileWithLabelsIsInspectedConvertedAndReplaced() throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path tensors = convert(source, "tensors", "safetensors");
    assertThat(tensorNames(tensors)).containsExactly("layer_13", "layer_21", "layer_23", "labels");
    Path part = tensors.resolve(files(tensors).get(1));
    Path saev = folder.resolve("saev");
    for (int i = 0; i < 2; i++) {
      Path back = Cli.convert(part, saev, "saev --overwrite").succeeds().lastLinePath();
      Fixtures.assertSameDataset(back, source);
    }
  }

  @Test
  void labelsOfAnotherDatasetAreTakenWhereItIsNamed() throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    String key = "-Dsaev.output.labels=" + source;
    Path out = convert(Fixtures.small(), "out", "safetensors", key);
    assertThat(labelsIn(out)).isEqualTo(Files.readAllBytes(source.resolve("labels.bin")));
    Cli.convert(Fixtures.saev(Fixtures.D768), folder.resolve("other"), "safetensors", key)
        .failsWith(DatasetError.LABELS_MISMATCH, source);
    assertThat(folder.resolve("other")).doesNotExist();
  }

  /** A token with a label is not [CLS], even if the file does not record whether there is one. */
  @ParameterizedTest
  @CsvSource({"1, --examples 1:3, 3 4", "2, --tokens 0:1, 1 3 5", "2, --tokens 1:2, 2 4 6"})
  void aSelectedTokenKeepsItsLabelIfEachTokenHasOne(int tokens, String part, String labels)
      throws IOException {
    long each = tokens;
    byte[] all = tokens == 1 ? new byte[] {2, 3, 4} : new byte[] {1, 2, 3, 4, 5, 6};
    Map<String, Found> tensors =
        Map.of(
            "layer_3", Found.of("F32", List.of(3L, each, 2L), new byte[3 * tokens * 8]),
            "labels", Found.of("U8", List.of(3L, each), all));
    Path source = folder.resolve("each.safetensors");
    NaiveTensors.write(source, tensors);
    byte[] expected = new byte[labels.split(" ").length];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = Byte.parseByte(labels.split(" ")[i]);
    }
    Path selected = convert(source, "selected", "safetensors " + part);
    assertThat(labelsIn(selected)).isEqualTo(expected);
  }
}
