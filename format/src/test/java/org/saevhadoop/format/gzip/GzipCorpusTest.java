package org.saevhadoop.format.gzip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFile;

/** The corpus's gzip files: good ones come out as from other readers, hostile ones are named. */
@RequiresCorpus
class GzipCorpusTest {
  /** Where the corpus leaves a choice, what is wrong here; empty where nothing is. */
  private static final Map<String, String> CHOICES =
      Map.of(
          "corrupt_crc", "BAD_GZIP",
          "corrupt_middle", "BAD_GZIP",
          "reserved_flags", "BAD_GZIP",
          "fname_1mb_no_nul", "TRUNCATED",
          "double_gzip", "");

  static Stream<Named<JsonNode>> hostile() throws IOException {
    JsonNode cases =
        new ObjectMapper().readTree(Corpus.part("pickle-bad").resolve("cases.json").toFile());
    return StreamSupport.stream(cases.spliterator(), false)
        .filter(each -> each.path("group").asText().equals("gzip"))
        .map(each -> Named.of(each.path("name").asText(), each));
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void aHostileFileIsRefusedForWhatIsWrongWithIt(JsonNode hostile) throws IOException {
    Path file = Corpus.part("pickle-bad").resolve(hostile.path("file").asText());
    String required = hostile.path("error").asText();
    String error = CHOICES.getOrDefault(hostile.path("name").asText(), required);
    for (int threads = 1; threads <= 2; threads++) {
      int count = threads;
      if (error.isEmpty()) {
        assertThat(Gz.read(LocalFile.open(file), count, 5000)).isNotEmpty();
      } else {
        assertThatThrownBy(() -> Gz.read(LocalFile.open(file), count, 5000))
            .isInstanceOf(FormatException.class)
            .hasMessageStartingWith(file + ": " + error + ": ");
      }
    }
  }

  static Stream<Named<Path>> good() throws IOException {
    try (Stream<Path> files = Files.walk(Corpus.part("pickle"))) {
      return files
          .filter(file -> file.toString().endsWith(".gz"))
          .sorted()
          .map(file -> Named.of(file.getParent().getFileName() + "/" + file.getFileName(), file))
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("good")
  void aGoodFileIsReadAsByJava(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    byte[] theirs =
        bytes[0] == MemberHeader.MAGIC_1
            ? new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes()
            : bytes;
    assertThat(Gz.read(LocalFile.open(file), 2, 50_000)).isEqualTo(theirs).isNotEmpty();
  }
}
