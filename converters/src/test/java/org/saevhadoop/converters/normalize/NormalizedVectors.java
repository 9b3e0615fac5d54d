package org.saevhadoop.converters.normalize;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;

/** Vectors, their statistics, and what becomes of them, computed without this project's code. */
public record NormalizedVectors(Path source, Path statistics) {
  static final int EXAMPLES = 19;
  static final int TOKENS = 4;
  static final int DIM = 8;
  static final List<Integer> LAYERS = List.of(3, 13);

  /** Writes float32 whose dimensions have other means, and their statistics. */
  public static NormalizedVectors write(Path folder) throws IOException {
    Path source = folder.resolve("acts.safetensors");
    Map<String, Found> tensors = new LinkedHashMap<>();
    Random random = new Random(5);
    for (int layer : LAYERS) {
      float[] values = new float[EXAMPLES * TOKENS * DIM];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (random.nextGaussian() * layer + i % DIM - 2);
      }
      List<Long> shape = List.of((long) EXAMPLES, (long) TOKENS, (long) DIM);
      tensors.put("layer_" + layer, Found.of("F32", shape, NaiveTensors.floats(values)));
    }
    NaiveTensors.write(source, tensors);
    return new NormalizedVectors(source, statistics(source, folder.resolve("stats.safetensors")));
  }

  /** Writes the statistics of a dataset to a file, which is returned. */
  static Path statistics(Path dataset, Path file, Object... options) {
    Cli.run("stats", dataset, "--to-safetensors", file, options).succeeds();
    return file;
  }

  /** Returns the numbers of a tensor of statistics. */
  static double[] figure(Path statistics, String name) throws IOException {
    return doubles(NaiveTensors.file(statistics).get(name));
  }

  private static double[] doubles(Found tensor) {
    double[] values = new double[tensor.bytes().length / Double.BYTES];
    ByteBuffer.wrap(tensor.bytes()).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
    return values;
  }

  /** Returns the vectors of a layer as they are normalized. */
  double[] expected(int layer, String by) throws IOException {
    double[] mean = figure(statistics, "layer_" + layer + ".mean");
    String figure = by.equals("scale") ? ".scale" : ".scale_centered";
    double scale = figure(statistics, "layer_" + layer + figure)[0];
    float[] values = NaiveTensors.toFloats(NaiveTensors.file(source).get("layer_" + layer));
    double[] expected = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      double x = values[i];
      expected[i] =
          switch (by) {
            case "scale" -> x * scale;
            case "center" -> x - mean[i % DIM];
            default -> (x - mean[i % DIM]) * scale;
          };
    }
    return expected;
  }

  /** Returns the bytes of numbers, each rounded once. */
  static byte[] bytes(String dtype, double... values) {
    if (dtype.equals("F64")) {
      return NaiveTensors.doubles(values);
    }
    float[] rounded = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      rounded[i] = (float) values[i];
    }
    return NaiveTensors.floats(rounded);
  }
}
