package org.saevhadoop.format.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;

/** The rules hold for the files of the real writer. */
@RequiresCorpus
class RealLoaderRulesCorpusTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Path file(String name) {
    return Corpus.part("samediff").resolve(name);
  }

  static List<String> names() throws IOException {
    return JSON.readTree(file("expected.json").toFile()).properties().stream()
        .map(entry -> entry.getKey())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("names")
  void theArraysOfARealFileAreThoseThatWereWritten(String name) throws IOException {
    JsonNode expected = JSON.readTree(file("expected.json").toFile()).path(name).path("arrays");
    List<String> found =
        RealLoaderRules.ofAny(file(name)).stream().map(a -> text(a)).sorted().toList();
    assertThat(found)
        .isEqualTo(
            StreamSupport.stream(expected.spliterator(), false)
                .map(a -> text(a))
                .sorted()
                .toList());
  }

  private static String text(JsonNode array) {
    List<Long> shape =
        StreamSupport.stream(array.path("shape").spliterator(), false)
            .map(JsonNode::asLong)
            .toList();
    return String.join(
        " ",
        array.path("name").asText(),
        array.path("dtype").asText(),
        shape.toString(),
        array.path("sha256").asText());
  }

  private static String text(RealArray array) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(array.bytes());
      return String.join(
          " ",
          array.name(),
          array.dtype(),
          array.shape().toString(),
          HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void theRealWriterBreaksOurRules(String name) {
    assertThatThrownBy(() -> RealLoaderRules.ofOurs(file(name)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: ours: ");
  }
}
