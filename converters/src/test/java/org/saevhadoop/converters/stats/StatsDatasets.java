package org.saevhadoop.converters.stats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;

/** Datasets of which statistics are computed. */
final class StatsDatasets {
  private StatsDatasets() {}

  /** Writes layers 0, 1, 2, ... of {@link #values}. */
  static Path random(Path file, int layers, int examples, int tokens, int dim) throws IOException {
    Map<Integer, float[]> values = new TreeMap<>();
    for (int layer = 0; layer < layers; layer++) {
      values.put(layer, values(examples, tokens, dim, layer + 1));
    }
    return write(file, values, examples, tokens, dim);
  }

  /** Returns vectors of which the first of each example, and dimension 1 of all, are large. */
  static float[] values(int examples, int tokens, int dim, int scale) {
    Random random = new Random(scale);
    float[] values = new float[examples * tokens * dim];
    for (int i = 0; i < values.length; i++) {
      double large = (i / dim % tokens == 0 ? 30 : 1) * (i % dim == 1 ? 70 : 1);
      values[i] = (float) ((random.nextGaussian() + 0.5) * large * scale);
    }
    return values;
  }

  /** Writes the values of layers to a file. */
  static Path write(Path file, Map<Integer, float[]> layers, int examples, int tokens, int dim)
      throws IOException {
    Map<String, Found> tensors = new TreeMap<>();
    List<Long> shape = List.of((long) examples, (long) tokens, (long) dim);
    layers.forEach(
        (layer, values) -> {
          ByteBuffer bytes =
              ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
          bytes.asFloatBuffer().put(values);
          tensors.put("layer_" + layer, Found.of("F32", shape, bytes.array()));
        });
    NaiveTensors.write(file, tensors);
    return file;
  }
}
