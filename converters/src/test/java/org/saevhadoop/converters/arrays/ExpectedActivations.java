package org.saevhadoop.converters.arrays;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
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

  /** Returns the examples with some of the arrays of integers. */
  ExpectedActivations keeping(String... names) {
    List<Example> kept = new ArrayList<>();
    for (Example example : examples) {
      Map<String, List<Long>> integers = new LinkedHashMap<>(example.integers());
      integers.keySet().retainAll(List.of(names));
      kept.add(new Example(example.sourceFile(), example.tokens(), example.values(), integers));
    }
    return new ExpectedActivations(dtype, layers, kept);
  }

  /** Returns the examples with the names that masks have if they are kept. */
  ExpectedActivations keepingMasks() {
    List<Example> kept = new ArrayList<>();
    for (Example example : examples) {
      Map<String, List<Long>> integers = new LinkedHashMap<>();
      example
          .integers()
          .forEach((name, all) -> integers.put(name.replaceAll("(.*mask)", "token_$1"), all));
      kept.add(new Example(example.sourceFile(), example.tokens(), example.values(), integers));
    }
    return new ExpectedActivations(dtype, layers, kept);
  }

  /** Returns the integers of a number of tokens for each example, 0 for flatten. */
  Map<String, Found> integers(int tokens) {
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (String name : examples.get(0).integers().keySet()) {
      ByteArrayOutputStream values = new ByteArrayOutputStream();
      for (Example example : examples) {
        int count = tokens == 0 ? example.tokens() : tokens;
        ByteBuffer row = ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        integers(example, name, count).forEach(row::putLong);
        values.writeBytes(row.array());
      }
      long width = Math.max(1, tokens);
      long n = values.size() / Long.BYTES / width;
      tensors.put(name, new Found("I64", List.of(n, width), values.toByteArray()));
    }
    return tensors;
  }

  /** Returns the first integers of an example, filled up with -1. */
  private static List<Long> integers(Example example, String name, int count) {
    List<Long> items = new ArrayList<>(example.integers().get(name));
    while (items.size() < count) {
      items.add(-1L);
    }
    return items.subList(0, count);
  }

  /** Returns the sample metadata of each example of the dataset. */
  List<Map<String, Object>> samples(int tokens) {
    List<Map<String, Object>> samples = new ArrayList<>();
    for (Example example : examples) {
      for (int i = 0; i < (tokens == 0 ? example.tokens() : 1); i++) {
        Map<String, Object> sample = new LinkedHashMap<>();
        if (isFile(example)) {
          String file = Path.of(example.sourceFile()).getFileName().toString();
          sample.put("source_file", file.substring(0, file.lastIndexOf('.')));
        }
        Map<String, List<Long>> integers = new LinkedHashMap<>();
        for (String name : example.integers().keySet()) {
          List<Long> items = integers(example, name, Math.max(tokens, example.tokens()));
          integers.put(name, tokens == 0 ? items.subList(i, i + 1) : items.subList(0, tokens));
        }
        if (!integers.isEmpty()) {
          sample.put("tokens", integers);
        }
        samples.add(sample);
      }
    }
    return samples;
  }

  /** Returns whether an example is all that is in its file. */
  private boolean isFile(Example example) {
    return !example.sourceFile().isEmpty()
        && examples.stream().filter(e -> e.sourceFile().equals(example.sourceFile())).count() == 1;
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
