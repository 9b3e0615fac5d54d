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

  /** Writes layers 0, 1, 2, ... whose first tokens, and whose dimension 1, are large. */
  static Path random(Path file, int layers, int examples, int tokens, int dim) throws IOException {
    Random random = new Random(7);
    float[][] values = new float[layers][examples * tokens * dim];
    for (int layer = 0; layer < layers; layer++) {
      for (int i = 0; i < values[layer].length; i++) {
        double scale = (i / dim % tokens == 0 ? 30 : 1) * (i % dim == 1 ? 70 : 1);
        values[layer][i] = (float) ((random.nextGaussian() + 0.5) * scale * (layer + 1));
      }
    }
    return write(file, values, examples, tokens, dim);
  }

  /** Writes the values of layers 0, 1, 2, ... to a file. */
  static Path write(Path file, float[][] layers, int examples, int tokens, int dim)
      throws IOException {
    Map<String, Found> tensors = new TreeMap<>();
    for (int layer = 0; layer < layers.length; layer++) {
      ByteBuffer bytes =
          ByteBuffer.allocate(layers[layer].length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asFloatBuffer().put(layers[layer]);
      List<Long> shape = List.of((long) examples, (long) tokens, (long) dim);
      tensors.put("layer_" + layer, Found.of("F32", shape, bytes.array()));
    }
    NaiveTensors.write(file, tensors);
    return file;
  }
}
