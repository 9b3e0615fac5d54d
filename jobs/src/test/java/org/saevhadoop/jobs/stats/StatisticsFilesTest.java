package org.saevhadoop.jobs.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StatisticsFilesTest {
  private static LayerStatistics layer(int number) {
    DimensionStatistics values =
        new DimensionStatistics(
            new long[] {4, 3},
            new double[] {number, 0.1},
            new double[] {2, 0.5},
            new double[] {1, 1},
            new double[] {-1, -1},
            new double[] {9, 9},
            new long[] {0, 0});
    NormStatistics norms =
        new NormStatistics(2.5, Math.sqrt(8), 1, 3, new TreeMap<>(), 3, 8, List.of());
    return new LayerStatistics(
        number,
        4,
        0,
        norms,
        values,
        null,
        null,
        null,
        new LayerStatistics.Cosines(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN),
        List.of(),
        new TreeMap<>());
  }

  @Test
  void safetensorsHaveFiveTensorsOfEachLayer() throws Exception {
    byte[] file =
        StatisticsFiles.safetensors(
            new DatasetStatistics(
                "acts", 4, 4, 1, 2, 0, List.of(0), List.of(layer(13), layer(-2))));
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int header = (int) bytes.getLong();
    JsonNode tensors =
        new JsonMapper().readTree(new String(file, 8, header, StandardCharsets.UTF_8));
    ByteBuffer data =
        bytes.slice(8 + header, file.length - 8 - header).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(tensors.size()).isEqualTo(10);
    assertThat(doubles(tensors.get("layer_13.mean"), data)).containsExactly(13, 0.1);
    assertThat(doubles(tensors.get("layer_-2.mean"), data)).containsExactly(-2, 0.1);
    assertThat(doubles(tensors.get("layer_13.variance"), data)).containsExactly(2, 0.5);
    assertThat(doubles(tensors.get("layer_13.scale"), data)).containsExactly(0.5);
    assertThat(doubles(tensors.get("layer_13.scale_centered"), data))
        .containsExactly(Math.sqrt(2 / 2.5));
    JsonNode count = tensors.get("layer_13.count");
    assertThat(count.get("dtype").asText()).isEqualTo("I64");
    assertThat(count.get("shape").toString()).isEqualTo("[1]");
    assertThat(data.getLong(count.get("data_offsets").get(0).asInt())).isEqualTo(4);
  }

  private static double[] doubles(JsonNode tensor, ByteBuffer data) {
    assertThat(tensor.get("dtype").asText()).isEqualTo("F64");
    double[] values = new double[tensor.get("shape").get(0).asInt()];
    int begin = tensor.get("data_offsets").get(0).asInt();
    data.slice(begin, values.length * Double.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asDoubleBuffer()
        .get(values);
    return values;
  }

  @Test
  void theDocumentOfActivaultHasItsFieldsAndNumbers() {
    assertThat(new String(StatisticsFiles.activault(layer(13)), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"mean\": [13.0, 0.1], \"std\": [1.4142135623730951, 0.7071067811865476],"
                + " \"norm\": 2.5, \"M2\": [8.0, 1.5]}");
  }
}
