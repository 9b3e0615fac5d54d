package org.saevhadoop.jobs.stats;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.json.JsonEscapes;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.safetensors.header.EncodedHeader;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;

/** Statistics as files from which other programs can read the values for each dimension. */
public final class StatisticsFiles {
  /** {@code json.dumps(x)}. */
  private static final JsonStyle PYTHON =
      new JsonStyle(
          JsonStyle.KeyOrder.KEPT, ", ", ": ", -1, JsonEscapes.ASCII, JsonStyle.NumberForm.PYTHON);

  private StatisticsFiles() {}

  /**
   * Returns a safetensors file: for each layer {@code layer_<l>.mean} and {@code .variance} [dim]
   * F64, {@code .count} [1] I64, {@code .scale} and {@code .scale_centered} [1] F64.
   */
  public static byte[] safetensors(DatasetStatistics statistics) {
    Map<String, double[]> floats = new HashMap<>();
    Map<String, Long> counts = new HashMap<>();
    for (LayerStatistics layer : statistics.layers()) {
      String name = "layer_" + layer.layer();
      floats.put(name + ".mean", layer.values().mean());
      floats.put(name + ".variance", layer.values().variance());
      floats.put(name + ".scale", new double[] {layer.scale()});
      floats.put(name + ".scale_centered", new double[] {layer.scaleCentered()});
      counts.put(name + ".count", layer.vectors());
    }
    List<TensorSpec> specs = new ArrayList<>();
    floats.forEach(
        (name, values) ->
            specs.add(new TensorSpec(name, DType.F64, List.of((long) values.length))));
    counts.keySet().forEach(name -> specs.add(new TensorSpec(name, DType.I64, List.of(1L))));
    EncodedHeader header = SafetensorsHeader.encode(specs, null);
    ByteBuffer file =
        ByteBuffer.allocate(Math.toIntExact(header.fileBytes())).order(ByteOrder.LITTLE_ENDIAN);
    file.put(header.bytes());
    for (TensorInfo tensor : header.tensors()) {
      double[] values = floats.get(tensor.name());
      if (values == null) {
        file.putLong(counts.getOrDefault(tensor.name(), 0L));
      } else {
        Arrays.stream(values).forEach(file::putDouble);
      }
    }
    return file.array();
  }

  /**
   * Returns the {@code statistics.json} of a layer as activault writes it: {@code mean}, {@code
   * std} and {@code M2} of each dimension, where std = sqrt(M2 / vectors), and {@code norm}, the
   * mean norm (pipeline/vault/hook_uploader.py, {@code save_stats}, and pipeline/generate.py,
   * commit bd97d2f). M2 is the sum of (x - mean)² over all vectors, whereas activault adds up the
   * means of batches only.
   */
  public static byte[] activault(LayerStatistics layer) {
    DimensionStatistics values = layer.values();
    double[] m2 = new double[values.dim()];
    Arrays.setAll(m2, d -> values.variance()[d] * values.counts()[d]);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("mean", numbers(values.mean()));
    document.put("std", numbers(Arrays.stream(values.variance()).map(Math::sqrt).toArray()));
    document.put("norm", number(layer.norms().mean()));
    document.put("M2", numbers(m2));
    return PythonJson.dumps(document, PYTHON).getBytes(StandardCharsets.UTF_8);
  }

  private static List<JsonNumber> numbers(double[] values) {
    return Arrays.stream(values).mapToObj(StatisticsFiles::number).toList();
  }

  private static JsonNumber number(double value) {
    return new JsonNumber(Double.toString(value));
  }
}
