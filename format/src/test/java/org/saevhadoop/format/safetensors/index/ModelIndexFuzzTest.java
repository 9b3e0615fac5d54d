package org.saevhadoop.format.safetensors.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.io.FormatException;

@Tag("late")
@Isolated
class ModelIndexFuzzTest {
  @FuzzTest
  void anyBytesAreReadOrRefusedAndOnlyPlainFilesAreNamed(byte[] text) throws IOException {
    ModelIndex index;
    try {
      index = ModelIndex.parse("fuzz", text);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("fuzz: ");
      return;
    }
    index.totalSize();
    assertThat(index.files()).noneMatch(file -> file.contains("/") || file.startsWith("."));
  }
}
