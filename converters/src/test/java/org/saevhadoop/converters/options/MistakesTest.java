package org.saevhadoop.converters.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.tensor.DType;

/** The table {@code mistakes.txt}: each answer contains what to type, or what is wrong. */
class MistakesTest {
  /** Lines that a command may print before its error or after it. */
  private static final String OTHER_LINES = "(warning|note|next|convert|shuffle): .*";

  @TempDir static Path folder;

  private static int outputs;

  @BeforeAll
  static void writeDatasets() throws IOException {
    Files.move(Fixtures.copy(Fixtures.SMALL, folder.resolve("saev")), folder.resolve("d"));
    for (String name : List.of("rep", "made", "out", "own/vllm", "own/llama/L3R", "own/hf")) {
      Files.createDirectories(folder.resolve(name));
    }
    tensors("four", List.of(40L, 3L, 8L), 5, 11, 17, 23);
    tensors("l48", List.of(12L, 2L, 4L), Stream.iterate(0, l -> l + 1).limit(48).toArray());
    tensors("d16k", List.of(16L, 2L, 64L), 3, 7);
    Path bad = tensors("bad", List.of(8L, 4L, 8L), 0);
    byte[] bytes = Files.readAllBytes(bad);
    int begin = bytes.length - 8 * 4 * 8 * Float.BYTES;
    int nan = begin + ((1 * 4 + 2) * 8 + 3) * Float.BYTES;
    bytes[nan + 2] = (byte) 0xc0;
    bytes[nan + 3] = 0x7f;
    Files.write(bad, bytes);
    for (String name : List.of("acts", "llama/L3/acts", "activault/a/acts", "activault/b/acts")) {
      npy(name, 20, 4, 8);
    }
    for (int i = 0; i < 3; i++) {
      npy("perlayer/acts_" + i, 20, 4, 8);
      npy("batches/batch_" + i, 20, 4, 8);
      int tokens = 5 + 2 * i;
      for (String recorder : List.of("vllm", "llama/L3R")) {
        Path file = folder.resolve("own/%s/req-%03d.safetensors".formatted(recorder, i));
        OwnArrays.writeSafetensors(file, tokens, 3, 8, new float[tokens * 3 * 8]);
      }
    }
    npy("flat", 80, 8);
    npy("four", 20, 3, 4, 8);
    write("raw.dat", "\0".repeat(640));
    write("acts.h5", "\u0089HDF\r\n\u001a\n\0\0");
    write("acts.parquet", "PAR1\u0015\4xx");
    Files.copy(
        Path.of("src/test/resources/arrow/two-layers.arrow"), folder.resolve("own/hf/data.arrow"));
    Cli.convert(
            folder.resolve("rep/four.safetensors"),
            folder.resolve("made/half"),
            "safetensors --dtype float16")
        .succeeds();
  }

  private static Path tensors(String name, List<Long> shape, Object... layers) throws IOException {
    Path file = folder.resolve("rep/" + name + ".safetensors");
    OwnArrays.writeTensors(
        file, DType.F32, Arrays.stream(layers).map(layer -> "layer_" + layer).toList(), shape);
    return file;
  }

  private static void npy(String name, long... shape) throws IOException {
    long bytes = Arrays.stream(shape).reduce(Float.BYTES, (a, b) -> a * b);
    Path file = folder.resolve("own/" + name + ".npy");
    OwnArrays.writeNpy(
        file, DType.F32, Arrays.stream(shape).boxed().toList(), new byte[Math.toIntExact(bytes)]);
  }

  private static void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve("own/" + name), content, StandardCharsets.ISO_8859_1);
  }

  static List<String> rows() throws IOException {
    try (InputStream table = MistakesTest.class.getResourceAsStream("mistakes.txt")) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(row -> !row.isBlank() && !row.startsWith("#"))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void theAnswerContainsWhatToTypeOrWhatIsWrong(String row) {
    String[] cells = row.split(" \\| ", 3);
    String out = folder.resolve("out/" + outputs++).toString();
    Cli cli =
        Cli.run(
            Arrays.stream(cells[0].split(" "))
                .map(word -> word.replaceFirst("^@", folder.toString()))
                .map(word -> word.replaceFirst("^out(?=$|\\.)", out))
                .toArray());
    String answer = cli.stderr() + cli.text();
    assertThat(cli.exitCode()).as(answer).isEqualTo(Integer.parseInt(cells[1]));
    assertThat(answer)
        .contains(
            cells[2]
                .replace("HOME/", System.getProperty("user.home") + "/")
                .replace("@/", folder + "/"));
    if (cli.exitCode() == 2) {
      assertThat(cli.stderr().lines()).hasSize(1);
      assertThat(cli.stderr()).endsWith(" --help)\n");
    } else if (cli.exitCode() != 0) {
      assertThat(cli.stderr().lines().filter(line -> !line.matches(OTHER_LINES)))
          .hasSizeLessThanOrEqualTo(1);
    }
  }
}
