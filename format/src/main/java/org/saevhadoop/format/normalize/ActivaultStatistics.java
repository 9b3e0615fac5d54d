package org.saevhadoop.format.normalize;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.PythonJson;

/** The statistics.json of activault; only its mean is used. */
final class ActivaultStatistics {
  private static final int MAX_BYTES = 64 << 20;

  /** Each value of a vector takes at most 25 characters plus a separator. */
  private static final JsonLimits LIMITS = new JsonLimits(MAX_BYTES, 1_000_000, 1 << 16, 1 << 10);

  private ActivaultStatistics() {}

  static Figures read(Location location) throws IOException {
    byte[] text = LIMITS.read(location.folder(), location.file());
    String path = location.path();
    if (!(PythonJson.parse(path, text) instanceof Map<?, ?> object
        && object.get("mean") instanceof List<?> mean
        && object.containsKey("std")
        && object.containsKey("norm"))) {
      throw NormalizeError.NOT_STATISTICS.in(
          path,
          "is not an object with mean, std and norm (expected a file that stats --to-safetensors"
              + " writes, or activault's statistics.json)");
    }
    double[] values = new double[mean.size()];
    for (int d = 0; d < values.length; d++) {
      values[d] = number(mean.get(d), d, path);
    }
    NormalizeError.NOT_STATISTICS.check(
        values.length > 0, path, "mean is empty (expected a number for each dimension)");
    return Figures.ofOnly(
        path, new LayerFigures(values, OptionalDouble.empty(), OptionalDouble.empty()));
  }

  private static double number(@Nullable Object value, int dimension, String path)
      throws FormatException {
    if (!(value instanceof JsonNumber number)) {
      throw NormalizeError.NOT_STATISTICS.in(
          path, "mean[%d] is not a number (expected one for each dimension)", dimension);
    }
    return Double.parseDouble(number.text()); // includes NaN and Infinity
  }
}
