package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.program.Launched;

/** The class that older JVMs must be able to load, and what it says to their users. */
class ClientLauncherTest {
  private static final String CLASS_FILE = "ClientLauncher.class";

  /** JVMS 17, table 4.1-A. */
  private static final int JAVA_8 = 52;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"1.7, 7", "1.8, 8", "9, 9", "11, 11", "16, 16"})
  void anOlderJvmIsRefusedInOneLine(String specification, String version) {
    assertThat(ClientLauncher.refusal(specification, "/opt/java"))
        .isEqualTo(
            "saev-hadoop: cannot run on Java %s of /opt/java (expected Java 17 or later: set"
                + " JAVA_HOME)",
            version);
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "21", "25", "117", "25-ea", "seventeen"})
  void otherJvmsAreNot(String specification) {
    assertThat(ClientLauncher.refusal(specification, "/opt/java")).isNull();
  }

  @Test
  void java8CanLoadIt() throws IOException {
    try (DataInputStream in =
        new DataInputStream(ClientLauncher.class.getResourceAsStream(CLASS_FILE))) {
      in.skipNBytes(6);
      assertThat(in.readUnsignedShort()).isEqualTo(JAVA_8);
    }
  }

  /** Names of classes are constants, also those that no code path loads. */
  @Test
  void itRefersToNoOtherClassOfTheProject() throws IOException {
    byte[] bytes = ClientLauncher.class.getResourceAsStream(CLASS_FILE).readAllBytes();
    String constants = new String(bytes, StandardCharsets.ISO_8859_1);
    assertThat(constants.replace("org/saevhadoop/converters/ClientLauncher", ""))
        .contains("org.saevhadoop.converters.Main")
        .doesNotContain("org/saevhadoop");
  }

  @Test
  void itStartsMain() throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process = Launched.start(ClientLauncher.class, output, List.of(), "--version");
    assertThat(process.waitFor()).as(Launched.said(output)).isZero();
    assertThat(output)
        .content()
        .matches("saev-hadoop \\S+ \\(commit \\w+\\)\\R" + "Java \\S+, Hadoop 3\\.\\S+\\R");
    assertThat(Launched.start(ClientLauncher.class, output, List.of(), "none").waitFor())
        .isEqualTo(2);
  }
}
