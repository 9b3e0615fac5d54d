package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.TestExtent;

/** The same arrays have the same meaning in each container: values, warnings and refusals. */
class OneReadingTest {
  /**
   * Arrays in files.
   *
   * @param files names and shapes of the arrays, by the names of the files without their endings
   * @param options the options of a command
   */
  record Layout(String name, Map<String, Map<String, String>> files, List<String> options) {
    Layout with(String... more) {
      return new Layout(name + " " + String.join(" ", more), files, List.of(more));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  @TempDir Path folder;

  /** A layout of one file; arrays are {@code NAME SHAPE} or {@code NAME SHAPE DTYPE}. */
  private static Layout file(String... arrays) {
    return files("x: " + String.join("; ", arrays));
  }

  /** A layout of files {@code NAME: ARRAY; ARRAY}. */
  private static Layout files(String... files) {
    Map<String, Map<String, String>> all = new LinkedHashMap<>();
    for (String file : files) {
      Map<String, String> arrays = new LinkedHashMap<>();
      for (String array : file.substring(file.indexOf(':') + 2).split("; ")) {
        arrays.put(array.split(" ", 2)[0], array.split(" ", 2)[1]);
      }
      all.put(file.substring(0, file.indexOf(':')), arrays);
    }
    return new Layout(String.join(" | ", files), all, List.of());
  }

  static Stream<Layout> layouts() {
    return Stream.of(
        file("array 4,3"),
        file("array 4,2,3"),
        file("array 4,5,2,3"),
        file("array 6"),
        file("array 1,1"),
        file("array 0,3"),
        file("array 4,0,3"),
        file("array 4,3 F16"),
        file("array 7,3").with("--tensor", "array=token,dim", "--ragged", "flatten"),
        file("array 8,3").with("--tokens-per-example", "4"),
        file("array 2,4,3").with("--layer-names", "5,9", "--tensor", "array=layer,example,dim"),
        file("array 4,2,3").with("--tensor", "array=example,layer:7+8,dim"),
        file("array 4,3").with("--tensor", "array=example,layer:7,dim"),
        file("array 4,3").with("--tensor", "other=example,dim"),
        file("array 4,3").with("--tensor", "array=example,token,dim"),
        file("array 4,2,2,3").with("--tensor", "array=example,token,token,dim"),
        file("array 4,3,2,2").with("--tensor", "array=example,dim,token,token"),
        file("array 4,2,5,3").with("--tensor", "array=example,hook:-1,token,dim"),
        file("array 4,2,5,3").with("--tensor", "array=example,hook:2,token,dim"),
        file("a 6", "b 6"),
        file("a 6", "b 6").with("--tensor", "{example}=dim"),
        file("a/1 6", "b/c/2 6").with("--tensor", "{example}=dim"),
        file("0 4,2,3", "1 4,2,3"),
        file("hidden_states_0 4,3", "hidden_states_1 4,3"),
        file("acts 4,2,3", "labels 4 I64").with("--tensor", "acts=example,token,dim"),
        file("acts 4,2,3", "input_ids 4,3 I64"),
        file("a 4,3", "b 5,3"),
        file("layer_11 4,2,3", "layer_3 4,2,3"),
        file("blocks.11.hook_resid_post 4,2,3", "blocks.3.hook_resid_post 4,2,3"),
        file("h.11 4,3", "h.3 4,3"),
        file("h.11 4,3", "h.3 5,3"),
        file("layer_3.block_4 4,3"),
        file("hidden_states 7,2,3", "token_ids 7 I64"),
        file("hidden_states 2,7,3", "token_ids 7 I64"),
        file("hidden_states 7,7,3", "token_ids 7 I64"),
        file("hidden_states 7,2,3", "token_ids 6 I64"),
        file("acts 2,4,3", "attention_mask 2,4 I64", "tokens 2,4 I64"),
        file("acts 2,4,3", "mask 2,4 I64").with("--ragged", "flatten"),
        file("acts 2,4,3", "mask 2,4 I64"),
        file("acts 2,4,3", "tokens 2,4 I64").with("--mask", "tokens=drop"),
        files("layer_11: array 4,2,3", "layer_3: array 4,2,3"),
        files("blk.11: array 4,2,3", "blk.3: array 4,2,3"),
        files("3: array 4,2,3", "7: array 4,2,3"),
        files("3: array 4,2,3", "7: array 5,2,3"),
        files("hidden_states_0: array 4,3", "hidden_states_1: array 4,3"),
        files("7B_layer_wise: array 4,3", "7B_head_wise: array 4,3"),
        files("layer_3_attn: array 4,3", "layer_3_mlp: array 4,3"),
        files("part_0: array 4,3", "part_1: array 2,3"),
        files("part_0: array 4,3", "part_1: array 2,5"),
        files("acts_0: array 4,3", "acts_1: array 4,3", "acts_2: array 2,3"),
        files("acts_0: array 4,3", "acts_1: array 2,3", "acts_2: array 3,3"),
        files("acts_0: array 4,3", "acts_1: array 2,3").with("--tensor", "array=example,dim"),
        files("acts_0: array 4,3", "acts_1: array 2,3").with("--tokens-per-example", "2"),
        files("seed0_layer1: array 4,3", "seed1_layer1: array 2,3"),
        files("a: array 7,3", "b: array 5,3").with("--tensor", "array=token,dim"),
        files("a: array 7,3", "b: array 5,3")
            .with("--tensor", "array=token,dim", "--ragged", "pad:8"),
        files(
                "hs_0: hidden_states 7,2,3; token_ids 7 I64",
                "hs_1: hidden_states 5,2,3; token_ids 5 I64")
            .with("--tensor", "hidden_states=token,layer,dim", "--ragged", "flatten"),
        files("a: array 6", "b: array 6"),
        files("run/layer_3: array 4,3", "run/layer_5: array 4,3")
            .with("--files", "run/layer_{layer}ENDING"));
  }

  /** In a sample, each layout is in every third container. */
  @ParameterizedTest
  @Tag("sampled")
  @MethodSource("layouts")
  void allContainersOfTheSameArraysAreReadInOneWay(Layout layout) throws IOException {
    Map<String, List<String>> readings = new TreeMap<>();
    for (OwnContainer container : OwnContainer.values()) {
      boolean isOther = // --files names files of pickle.dump
          container == OwnContainer.TORCH_PICKLE && layout.options().contains("--files");
      boolean isChosen =
          TestExtent.isWhole() || (container.ordinal() + layout.name().length()) % 3 == 0;
      if (isChosen
          && !isOther
          && container.takes(
              layout.files().values().stream().map(OneReadingTest::found).toList())) {
        readings
            .computeIfAbsent(reading(layout, container), text -> new ArrayList<>())
            .add(container.name());
      }
    }
    assertThat(readings).as(readings.toString()).hasSize(1);
    assertThat(readings.values()).allMatch(containers -> containers.size() > 1);
  }

  /** Returns what a command prints, without the path and the endings of files. */
  private String reading(Layout layout, OwnContainer container) throws IOException {
    Path own = folder.resolve(container.name());
    for (Map.Entry<String, Map<String, String>> file : layout.files().entrySet()) {
      container.write(own, file.getKey(), found(file.getValue()));
    }
    Path source =
        layout.files().size() == 1
            ? own.resolve(layout.files().keySet().iterator().next() + container.ending())
            : own;
    List<String> options =
        layout.options().stream().map(o -> o.replace("ENDING", container.ending())).toList();
    Path out = folder.resolve("out-" + container.name());
    Cli cli = Cli.run("convert", source, out, "--to", "npy", "--digest", options);
    String printed = cli.text() + cli.stderr();
    return printed
        .lines()
        .filter(line -> !line.matches("(convert: [0-9]+ of|unpack: [0-9]+ ).*"))
        .map(line -> line.replace(own.toString(), "").replace(container.ending(), ""))
        .map(line -> line.replace(out.toString(), "out"))
        .collect(Collectors.joining("\n", cli.exitCode() + "\n", ""));
  }

  private static Map<String, Found> found(Map<String, String> arrays) {
    Map<String, Found> found = new LinkedHashMap<>();
    arrays.forEach((name, text) -> found.put(name, found(text)));
    return found;
  }

  /** Returns an array that counts from 1. */
  private static Found found(String text) {
    String[] words = text.split(" ");
    List<Long> shape = Arrays.stream(words[0].split(",")).map(Long::valueOf).toList();
    String dtype = words.length == 1 ? "F32" : words[1];
    int elements = (int) shape.stream().mapToLong(size -> size).reduce(1, (a, b) -> a * b);
    int width = dtype.equals("I64") ? 8 : dtype.equals("F16") ? 2 : 4;
    ByteBuffer bytes = ByteBuffer.allocate(elements * width).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 1; i <= elements; i++) {
      switch (width) {
        case 8 -> bytes.putLong(i % 4);
        case 2 -> bytes.putShort((short) i);
        default -> bytes.putFloat(i);
      }
    }
    return new Found(dtype, shape, bytes.array());
  }
}
