package org.saevhadoop.converters.arrays;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.write.ShardPickler;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.RandomValues;

/**
 * A source whose examples have different numbers of tokens, and what they are filled up to.
 *
 * @param options the options that read it
 * @param examples the numbers of the tokens that each example has, without padding
 * @param tokens the number of tokens that each example is filled up to
 */
record RaggedSource(
    Path path, List<String> options, List<List<Integer>> examples, int tokens, boolean isPickled) {
  private static final int LAYERS = 1;
  private static final int DIM = 3;
  private static final int MAX_TOKENS = 5;

  /** Returns a vector, which no other token of any example has. */
  static float[] vector(int example, int layer, int token) {
    return new float[] {1 + example, 0.5f * layer, -token};
  }

  /** Writes a source of any kind to a folder. */
  static RaggedSource of(RandomValues any, Path folder) throws IOException {
    return switch (any.intBetween(0, 3)) {
      case 0 -> pickles(any, folder);
      case 1 -> masked(any, folder);
      default -> requests(any, folder);
    };
  }

  private static RaggedSource padded(
      RandomValues any, Path path, List<List<Integer>> examples, String... mapping) {
    int longest = examples.stream().mapToInt(List::size).max().orElseThrow();
    int tokens = Math.max(1, longest + any.intBetween(0, 2));
    List<String> options = new ArrayList<>(List.of(mapping));
    options.add("--ragged=pad:" + tokens + any.of("", ":7"));
    return new RaggedSource(path, options, examples, tokens, mapping.length == 0);
  }

  /** A file for each example, with any of the integers, as of vLLM. */
  private static RaggedSource requests(RandomValues any, Path folder) throws IOException {
    boolean ids = any.bool();
    boolean clusters = any.bool();
    boolean masks = any.bool();
    List<List<Integer>> examples = new ArrayList<>();
    int count = any.intBetween(2, 5);
    for (int example = 0; example < count; example++) {
      int tokens = any.intBetween(1, MAX_TOKENS);
      Map<String, Found> file = new LinkedHashMap<>();
      file.put("states", states(List.of(example), tokens, List.of((long) tokens)));
      List<Integer> all = IntStream.range(0, tokens).boxed().toList();
      if (ids && any.intBetween(0, 4) > 0) {
        file.put("token_ids", longs(all.stream().map(token -> 10L + token).toList()));
      }
      if (clusters && any.intBetween(0, 4) > 0) {
        file.put("cluster", longs(all.stream().map(t -> (long) any.intBetween(-1, 1)).toList()));
      }
      List<Integer> kept = all;
      if (masks && any.bool()) {
        kept = all.stream().filter(token -> any.intBetween(0, 3) > 0).toList();
        file.put("attention_mask", mask(List.of(kept), tokens, List.of((long) tokens)));
      }
      examples.add(kept);
      NaiveTensors.write(folder.resolve("r%d.safetensors".formatted(example)), file);
    }
    return padded(any, folder, examples, "--tensor=states=token,layer,dim");
  }

  /** One file, whose mask has holes or leaves out the first tokens. */
  private static RaggedSource masked(RandomValues any, Path folder) throws IOException {
    List<List<Integer>> examples = new ArrayList<>();
    List<Integer> numbers = IntStream.range(0, any.intBetween(2, 5)).boxed().toList();
    for (int i = 0; i < numbers.size(); i++) {
      int first = any.intBetween(0, MAX_TOKENS - 1);
      boolean holes = any.bool();
      examples.add(
          IntStream.range(0, MAX_TOKENS)
              .filter(token -> holes ? any.bool() : token >= first)
              .boxed()
              .toList());
    }
    List<Long> shape = List.of((long) numbers.size(), (long) MAX_TOKENS);
    Map<String, Found> file = new LinkedHashMap<>();
    file.put("states", states(numbers, MAX_TOKENS, shape));
    file.put(any.of("mask", "attention_mask"), mask(examples, MAX_TOKENS, shape));
    if (any.bool()) {
      List<Integer> all = IntStream.range(0, numbers.size() * MAX_TOKENS).boxed().toList();
      Found ids = longs(all.stream().map(i -> any.bool() ? i : 3L).toList());
      file.put(any.of("input_ids", "cluster"), Found.of("I64", shape, ids.bytes()));
    }
    NaiveTensors.write(folder.resolve("acts.safetensors"), file);
    return padded(any, folder, examples, "--tensor=states=example,token,layer,dim");
  }

  private static RaggedSource pickles(RandomValues any, Path folder) throws IOException {
    List<List<Integer>> examples =
        any.list(2, 5, () -> IntStream.range(0, any.intBetween(0, MAX_TOKENS)).boxed().toList());
    MemoryOutput out = new MemoryOutput("shard");
    ShardPickler pickler = new ShardPickler("shard", out::write, 4, Form.SPEC);
    for (int layer = 0; layer < LAYERS; layer++) {
      pickler.beginLayer(layer);
      for (int example = 0; example < examples.size(); example++) {
        List<Integer> tokens = examples.get(example);
        ByteBuffer values = ByteBuffer.allocate(tokens.size() * DIM * Float.BYTES);
        for (int token : tokens) {
          put(vector(example, layer, token), values.order(ByteOrder.LITTLE_ENDIAN));
        }
        PythonValue.Dict metadata = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
        long[] shape = {tokens.size(), DIM};
        pickler.sample(40 + example, metadata, DType.F32, shape, values.flip());
      }
      pickler.endLayer();
    }
    pickler.end();
    Files.createDirectories(folder);
    Files.write(folder.resolve("shard_1.pkl"), out.bytes());
    return padded(any, folder, examples);
  }

  private static void put(float[] vector, ByteBuffer into) {
    for (float value : vector) {
      into.putFloat(value);
    }
  }

  /** Returns the vectors of all tokens of examples, with a dimension of layers. */
  private static Found states(List<Integer> examples, int tokens, List<Long> shape) {
    ByteBuffer values = ByteBuffer.allocate(examples.size() * tokens * LAYERS * DIM * Float.BYTES);
    values.order(ByteOrder.LITTLE_ENDIAN);
    for (int example : examples) {
      for (int token = 0; token < tokens; token++) {
        for (int layer = 0; layer < LAYERS; layer++) {
          put(vector(example, layer, token), values);
        }
      }
    }
    List<Long> all = new ArrayList<>(shape);
    all.addAll(List.of((long) LAYERS, (long) DIM));
    return Found.of("F32", all, values.array());
  }

  private static Found mask(List<List<Integer>> kept, int tokens, List<Long> shape) {
    List<Long> values = new ArrayList<>();
    for (List<Integer> example : kept) {
      IntStream.range(0, tokens).forEach(token -> values.add(example.contains(token) ? 1L : 0));
    }
    return Found.of("I64", shape, longs(values).bytes());
  }

  private static Found longs(List<Long> values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.size() * Long.BYTES);
    values.forEach(bytes.order(ByteOrder.LITTLE_ENDIAN)::putLong);
    return Found.of("I64", List.of((long) values.size()), bytes.array());
  }
}
