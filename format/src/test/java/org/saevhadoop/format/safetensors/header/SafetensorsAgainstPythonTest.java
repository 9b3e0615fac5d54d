package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.testing.Python;

/**
 * What a second implementation of the rules says, header_rules.py among the resources, whose JSON
 * is Python's. {@code -Dsaev.headers=1000000 -Dsaev.headers.seed=2} asks it about others.
 */
@Tag("python")
@Tag("sampled")
class SafetensorsAgainstPythonTest {
  @Test
  void aSecondImplementationOfTheRulesGivesTheSameVerdicts() throws Exception {
    int count = Integer.getInteger("saev.headers", TestExtent.of(8_000, 20_000));
    InventedHeaders headers = new InventedHeaders(Long.getLong("saev.headers.seed", 1));
    List<byte[]> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(headers.next());
    }
    List<String> theirs = Python.MACHINE.lines(Python.records(files), "header_rules.py");
    assertThat(theirs).hasSize(count);
    for (int i = 0; i < count; i++) {
      byte[] file = files.get(i);
      assertThat(verdict(file))
          .as(() -> new String(file, StandardCharsets.UTF_8))
          .isEqualTo(theirs.get(i));
    }
    assertThat(theirs.stream().map(line -> line.split("\\|")[0]).distinct())
        .containsAll(Stream.of(SafetensorsError.values()).map(Enum::name).toList());
    assertThat(theirs).filteredOn(line -> line.startsWith("ok|odd")).hasSizeGreaterThan(count / 20);
    assertThat(theirs)
        .filteredOn(line -> line.startsWith("ok|plain"))
        .hasSizeGreaterThan(count / 5);
  }

  private static String verdict(byte[] file) throws IOException {
    SafetensorsHeader header;
    try {
      header = MemoryFile.read(file);
    } catch (FormatException e) {
      return e.kind().name();
    }
    Stream<String> metadata =
        header.metadata() == null
            ? Stream.of("none")
            : header.metadata().entrySet().stream().map(e -> hex(e.getKey()) + hex(e.getValue()));
    Stream<String> tensors =
        header.tensors().stream().map(SafetensorsAgainstPythonTest::line).sorted();
    String head = "ok|" + (isOdd(file) ? "odd" : "plain");
    String texts = metadata.sorted().collect(Collectors.joining(","));
    return Stream.concat(Stream.of(head, texts), tensors).collect(Collectors.joining("|"));
  }

  private static boolean isOdd(byte[] file) throws IOException {
    try {
      SafetensorsHeader.read(MemoryFile.input(file));
      return false;
    } catch (FormatException e) {
      assertThat(e).hasMessageEndingWith("--lenient accepts it");
      return true;
    }
  }

  private static String line(TensorInfo tensor) {
    String shape =
        tensor.shape().stream().map(Long::toUnsignedString).collect(Collectors.joining(", "));
    return "%s %s [%s] %d %d"
        .formatted(hex(tensor.name()), tensor.dtype(), shape, tensor.begin(), tensor.end());
  }

  private static String hex(String text) {
    return "x" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }
}
