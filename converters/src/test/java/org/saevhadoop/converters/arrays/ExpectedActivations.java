package org.saevhadoop.converters.arrays;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;

/**
 * What a folder of fixtures/arrays contains, without this project's code.
 *
 * @param dtype the type that is stored
 * @param layers the numbers of the layers in the order of the values
 */
record ExpectedActivations(String dtype, List<Integer> layers, List<Example> examples) {

  /**
   * An example of the source.
   *
   * @param values the stored values, {@code [layer, token, dim]}
   * @param integers the integers of its tokens by the names of their arrays
   */
  record Example(String sourceFile, int tokens, byte[] values, Map<String, List<Long>> integers) {
    private byte[] layer(int index, int layers) {
      int size = values.length / layers;
      return Arrays.copyOfRange(values, index * size, (index + 1) * size);
    }
  }

  /** Reads fixtures/arrays/expected. */
  static ExpectedActivations of(String name) throws IOException {
    JsonNode json = Fixtures.json(Fixtures.arrays("expected/" + name + ".json"));
    List<Integer> layers = new ArrayList<>();
    json.get("layers").forEach(layer -> layers.add(layer.intValue()));
    List<Example> examples = new ArrayList<>();
    for (JsonNode example : json.get("examples")) {
      Map<String, List<Long>> integers = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> entry : example.get("integers").properties()) {
        List<Long> items = new ArrayList<>();
        entry.getValue().forEach(item -> items.add(item.longValue()));
        integers.put(entry.getKey(), items);
      }
      examples.add(
          new Example(
              example.get("source_file").textValue(),
              example.get("length").intValue(),
              Base64.getDecoder().decode(example.get("values").textValue()),
              integers));
    }
    return new ExpectedActivations(json.get("dtype").textValue(), layers, examples);
  }

  private int elementBytes() {
    return dtype.equals("F32") ? Float.BYTES : Short.BYTES;
  }

  /** Returns the examples without the tokens for which an array of integers is 0. */
  ExpectedActivations without(String mask) {
    List<Example> kept = new ArrayList<>();
    for (Example example : examples) {
      List<Long> bits = example.integers().get(mask);
      int rows = example.tokens() * layers.size();
      int size = example.values().length / rows;
      ByteArrayOutputStream values = new ByteArrayOutputStream();
      for (int row = 0; row < rows; row++) {
        if (bits.get(row % example.tokens()) != 0) {
          values.write(example.values(), row * size, size);
        }
      }
      Map<String, List<Long>> integers = new LinkedHashMap<>();
      example
          .integers()
          .forEach(
              (name, items) -> {
                List<Long> left = new ArrayList<>();
                for (int i = 0; i < items.size(); i++) {
                  if (bits.get(i) != 0) {
                    left.add(items.get(i));
                  }
                }
                integers.put(name, left);
              });
      int tokens = integers.get(mask).size();
      kept.add(new Example(example.sourceFile(), tokens, values.toByteArray(), integers));
    }
    return new ExpectedActivations(dtype, layers, kept);
  }

  /**
   * Returns the tensors {@code layer_<l>} of a number of tokens for each example, 0 for flatten.
   */
  Map<String, Found> tensors(int tokens) {
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (int i = 0; i < layers.size(); i++) {
      ByteArrayOutputStream values = new ByteArrayOutputStream();
      long n = 0;
      long vector = 0;
      for (Example example : examples) {
        byte[] layer = example.layer(i, layers.size());
        vector = layer.length / example.tokens();
        int length = tokens == 0 ? layer.length : Math.toIntExact(vector * tokens);
        values.writeBytes(Arrays.copyOf(layer, length)); // zeros fill it up
        n += tokens == 0 ? example.tokens() : 1;
      }
      List<Long> shape = List.of(n, (long) Math.max(1, tokens), vector / elementBytes());
      tensors.put("layer_" + layers.get(i), new Found(dtype, shape, values.toByteArray()));
    }
    return tensors;
  }

  /** Returns the same values as float32, {@code [example, layer, token, dim]}, as SAEV has them. */
  static byte[] acts(Map<String, Found> tensors) {
    ByteArrayOutputStream acts = new ByteArrayOutputStream();
    long n = tensors.values().iterator().next().shape().get(0);
    for (int example = 0; example < n; example++) {
      for (Found layer : tensors.values()) {
        acts.writeBytes(floats(layer.dtype(), layer.row(example)));
      }
    }
    return acts.toByteArray();
  }

  private static byte[] floats(String dtype, byte... values) {
    return dtype.equals("F32")
        ? values
        : NaiveTensors.floats(
            NaiveTensors.toFloats(Found.of(dtype, List.of((long) values.length / 2), values)));
  }

  /** Returns the values of a file layer_<l>.npy. */
  static byte[] npy(byte... file) {
    int header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getShort(8);
    return Arrays.copyOfRange(file, 10 + header, file.length);
  }
}
