package org.saevhadoop.format.normalize;

import java.io.IOException;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.spi.VectorTensors;

/**
 * The file that {@code stats --to-safetensors} writes, with the tensors {@code layer_<l>.mean}
 * [dim], {@code layer_<l>.scale} and {@code layer_<l>.scale_centered} [1] of type F64. Other
 * tensors are ignored.
 */
record TensorStatistics(String path, Map<String, double[]> tensors) {
  private static final Pattern MEAN = Pattern.compile("(layer_(-?\\d{1,9}))\\.mean");
  private static final Pattern USED =
      Pattern.compile("layer_-?\\d{1,9}\\.(mean|scale|scale_centered)");

  static Figures read(Input file, VectorTensors reader) throws IOException {
    return new TensorStatistics(file.path(), reader.read(file, USED)).figures();
  }

  private Figures figures() throws FormatException {
    SortedMap<Integer, LayerFigures> layers = new TreeMap<>();
    for (Map.Entry<String, double[]> tensor : tensors.entrySet()) {
      Matcher name = MEAN.matcher(tensor.getKey());
      if (name.matches()) {
        OptionalDouble scale = only(name.group(1) + ".scale");
        OptionalDouble scaleCentered = only(name.group(1) + ".scale_centered");
        layers.put(
            Integer.valueOf(name.group(2)),
            new LayerFigures(tensor.getValue(), scale, scaleCentered));
      }
    }
    NormalizeError.NOT_STATISTICS.check(
        !layers.isEmpty(),
        path,
        "has no tensor layer_<l>.mean (expected a file that stats --to-safetensors writes)");
    return new Figures(path, layers, false);
  }

  private OptionalDouble only(String name) throws FormatException {
    double[] values = tensors.get(name);
    if (values == null) {
      throw NormalizeError.NOT_STATISTICS.in(
          path, "has no tensor %s (expected a file that stats --to-safetensors writes)", name);
    }
    NormalizeError.NOT_STATISTICS.check(
        values.length == 1, path, "tensor %s has %d values (expected 1)", name, values.length);
    return OptionalDouble.of(values[0]);
  }
}
