package org.saevhadoop.format.samples;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;

@Tag("late")
@Isolated
class SidecarFuzzTest {
  @FuzzTest
  void whatIsReadIsWrittenAndReadTheSame(byte[] text) throws IOException {
    List<ExampleMetadata> read;
    try {
      read = read(text, 1 + text.length % 9);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("memory: line ").message().doesNotContain("\n");
      return;
    }
    StringBuilder lines = new StringBuilder();
    read.forEach(sampleMetadata -> lines.append(Sidecar.line(sampleMetadata)).append('\n'));
    List<ExampleMetadata> again = read(lines.toString().getBytes(StandardCharsets.UTF_8), 100);
    // a carriage return between tokens becomes a blank
    assertThat(again).hasSameSizeAs(read);
    for (int i = 0; i < read.size(); i++) {
      ExampleMetadata one = read.get(i);
      assertThat(again.get(i))
          .isEqualTo(
              new ExampleMetadata(
                  one.first(),
                  one.count(),
                  one.position(),
                  one.tokens(),
                  one.sample().replace('\r', ' ')));
    }
  }

  private static List<ExampleMetadata> read(byte[] text, int piece) throws IOException {
    List<ExampleMetadata> all = new ArrayList<>();
    try (SidecarReader reader = new SidecarReader(Naive.source(text, piece), 1000)) {
      for (var next = reader.next(); next != null; next = reader.next()) {
        all.add(next);
      }
    }
    return all;
  }
}
