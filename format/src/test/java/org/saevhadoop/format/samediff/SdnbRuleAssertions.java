package org.saevhadoop.format.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;

/** Assertions on the rules of SDNB files. */
abstract class SdnbRuleAssertions {
  @TempDir Path folder;

  /** A change of a valid file, and the rule that it breaks. */
  static Arguments rule(String rule, Consumer<RealSdnbForge> change) {
    return Arguments.of(rule, change);
  }

  Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("model.sdnb"), bytes);
  }

  void assertBroken(String rule, byte[] bytes) throws IOException {
    Path file = write(bytes);
    assertThatThrownBy(() -> RealLoaderRules.ofAny(file))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: " + rule + ": ");
  }

  void assertBroken(String rule, Consumer<RealSdnbForge> change) throws IOException {
    RealSdnbForge forge = RealSdnbForge.file();
    change.accept(forge);
    assertBroken(rule, forge.bytes());
  }

  /** Asserts that loaders open a file that we would not write. */
  void assertNotOurs(String rule, Consumer<RealSdnbForge> change) throws IOException {
    RealSdnbForge forge = RealSdnbForge.file();
    change.accept(forge);
    Path file = write(forge.bytes());
    assertThat(RealLoaderRules.ofAny(file)).isNotEmpty();
    assertThatThrownBy(() -> RealLoaderRules.ofOurs(file))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: ours: " + rule + ": ");
  }

  /** A file in which a part is replaced, both in ISO 8859-1. */
  static byte[] changed(String part, String by) throws IOException {
    String file = new String(RealSdnbForge.file().bytes(), StandardCharsets.ISO_8859_1);
    assertThat(file).contains(part);
    return file.replace(part, by).getBytes(StandardCharsets.ISO_8859_1);
  }
}
