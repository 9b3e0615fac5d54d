package org.saevhadoop.format.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.LocalFolder;

class SidecarTest {
  private static final DataFile FILE = new DataFile("acts000001.bin", 100, 50);

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "acts000000.bin, acts000000.examples.jsonl.gz",
    "part-0.x.safetensors, part-0.x.examples.jsonl.gz",
    "plain, plain.examples.jsonl.gz"
  })
  void itIsNamedByItsDataFile(String dataFile, String name) {
    assertThat(Sidecar.name(dataFile)).isEqualTo(name);
  }

  @Test
  void linesHaveTheNumbersOfTheFileAndNoMoreThanNeeded() throws IOException {
    Naive.write(
        new LocalFolder(folder),
        FILE,
        new ExampleMetadata(100, "{\"a\": 1.0}"),
        new ExampleMetadata(102, 3, 0, "{}"),
        new ExampleMetadata(140, "{}")
            .withTokens(List.of(new TokenRange(2, 5), new TokenRange(7, 8))),
        new ExampleMetadata(149, 1, 7, "{}"));
    assertThat(Naive.unzip(sidecar()))
        .isEqualTo(
            """
            {"example": 0, "sample": {"a": 1.0}}
            {"example": 2, "count": 3, "position": 0, "sample": {}}
            {"example": 40, "tokens": [[2, 5], [7, 8]], "sample": {}}
            {"example": 49, "position": 7, "sample": {}}
            """);
  }

  @Test
  void moreRangesOfTokensThanALineHoldsAreRefused() throws IOException {
    List<TokenRange> many =
        IntStream.rangeClosed(0, Sidecar.MAX_RANGES)
            .mapToObj(i -> new TokenRange(2 * i, 2 * i + 1))
            .toList();
    try (var writer = new SidecarWriter(new LocalFolder(folder), FILE.name(), 100, 50)) {
      assertFails(
          SidecarError.TOO_LARGE,
          sidecar(),
          () -> writer.write(new ExampleMetadata(100, "{}").withTokens(many)));
    }
  }

  @Test
  void tokensOfASampleThatComeInPiecesMakeOneLine() throws IOException {
    Naive.write(
        new LocalFolder(folder),
        FILE,
        new ExampleMetadata(100, 2, 3, "{}"),
        new ExampleMetadata(102, 1, 5, "{}"),
        new ExampleMetadata(104, 1, 6, "{}"),
        new ExampleMetadata(105, 1, 7, "{\"other\":1}"),
        new ExampleMetadata(106, 1, 9, "{\"other\":1}"),
        new ExampleMetadata(107, "{}"),
        new ExampleMetadata(108, "{}"));
    assertThat(Naive.unzip(sidecar()))
        .isEqualTo(
            """
            {"example": 0, "count": 3, "position": 3, "sample": {}}
            {"example": 4, "position": 6, "sample": {}}
            {"example": 5, "position": 7, "sample": {"other":1}}
            {"example": 6, "position": 9, "sample": {"other":1}}
            {"example": 7, "sample": {}}
            {"example": 8, "sample": {}}
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{ \"b\" :1,\t\"a\":[ ] , \"b\":2}",
        "{\"n\":[1e400,-0,0.10,123456789012345678901234567890,1E+2]}",
        "{\"s\":\"\\ud83d \\uDE00\\/\\u0000 \ud83d\ude00 \u00e9\"}",
        "{\"s\":\"} ]{ \\\" \\\\\", \"\\ud800\": null}",
        "{\"deep\":[[[[{\"x\":{\"y\":[true,false]}}]]]]}"
      })
  void aSampleComesBackAsItWasWritten(String sample) throws IOException {
    Naive.write(
        new LocalFolder(folder),
        FILE,
        new ExampleMetadata(101, sample),
        new ExampleMetadata(102, sample));
    assertThat(Naive.of(Naive.beside(folder, FILE), 0, 1000))
        .isEqualTo(Map.of(101L, "-1 " + sample, 102L, "-1 " + sample));
  }

  @Test
  void lineEndsAndHalfCharactersAreWrittenAsTheirEqualsInJson() throws IOException {
    Naive.write(
        new LocalFolder(folder),
        FILE,
        new ExampleMetadata(
            100, "{\n\"a\":\r\n\"\ude00\ud83d\ud83d\ude00\ude00\ud800\", \"\ud801\":0}"));
    assertThat(Naive.of(Naive.beside(folder, FILE), 100, 1))
        .isEqualTo(
            Map.of(
                100L, "-1 { \"a\":  \"\\ude00\\ud83d\ud83d\ude00\\ude00\\ud800\", \"\\ud801\":0}"));
  }

  @Test
  void theSameSampleMetadataMakeTheSameBytes() throws IOException {
    ExampleMetadata some = new ExampleMetadata(100, "{\"text\": \"\u00e9\"}");
    Naive.write(new LocalFolder(folder), FILE, some);
    byte[] first = Files.readAllBytes(sidecar());
    Files.delete(sidecar());
    Naive.write(new LocalFolder(folder), FILE, some);
    assertThat(Files.readAllBytes(sidecar())).isEqualTo(first);
    assertThat(List.of(first[4], first[5], first[6], first[7])).containsOnly((byte) 0);
  }

  @Test
  void noSampleMetadataMakeNoFile() throws IOException {
    Naive.write(new LocalFolder(folder), FILE);
    assertThat(folder).isEmptyDirectory();
    assertThat(Sidecars.of(new LocalFolder(folder), List.of(FILE))).isEmpty();
  }

  @Test
  void anExampleOutOfTheFileOrOutOfOrderIsRefused() throws IOException {
    var writer = new SidecarWriter(new LocalFolder(folder), "x.bin", 100, 50);
    writer.write(new ExampleMetadata(105, 5, 0, "{}"));
    for (var wrong :
        List.of(
            new ExampleMetadata(109, "{}"),
            new ExampleMetadata(99, "{}"),
            new ExampleMetadata(149, 2, 0, "{}"))) {
      assertThatThrownBy(() -> writer.write(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
    writer.close();
  }

  @Test
  void whatNoReaderWouldTakeIsNotWritten() throws IOException {
    String sample = "{\"a\": \"" + "x".repeat(Sidecar.MAX_SAMPLE) + "\"}";
    try (var writer = new SidecarWriter(new LocalFolder(folder), "x.bin", 100, 50)) {
      assertFails(
          SidecarError.TOO_LARGE,
          folder.resolve("x.examples.jsonl.gz"),
          () -> writer.write(new ExampleMetadata(102, sample)));
    }
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "-1,1,-1",
    "0,2,-1",
    "0,0,0",
    "0,1,-2",
    "9223372036854775807,2,0",
    "3,2,9223372036854775806"
  })
  void numbersThatNoExamplesHaveAreRefused(long first, long count, long position) {
    assertThatThrownBy(() -> new ExampleMetadata(first, count, position, "{}"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Path sidecar() {
    return folder.resolve("acts000001.examples.jsonl.gz");
  }
}
