package org.saevhadoop.format.samples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.gzip.GzipError;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;

/** What other hands put into a sidecar. */
@Tag("late")
class SidecarReaderTest {
  private static final String GOOD = "{\"example\": 0, \"sample\": {}}\n";

  private static final String LONGEST = "{\"a\":" + "7".repeat(Sidecar.MAX_SAMPLE - 6) + "}";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1 << 20})
  void fieldsMayComeInAnyOrderAndTheLastLineNeedsNoEnd(int piece) throws IOException {
    String text =
        " { \"sample\" : {\"\u00e9\":\"\ud83d\ude00\"} ,\"position\":4,\"count\":2,\"example\":3} \r\n"
            + "{\"example\":9,\"sample\":{}}";
    try (var reader = new SidecarReader(Naive.source(text.getBytes(UTF_8), piece), 10)) {
      assertThat(reader.next())
          .isEqualTo(new ExampleMetadata(3, 2, 4, "{\"\u00e9\":\"\ud83d\ude00\"}"));
      assertThat(reader.next()).isEqualTo(new ExampleMetadata(9, "{}"));
      assertThat(reader.next()).isNull();
      assertThat(reader.next()).isNull();
    }
  }

  /** Python's json module writes and reads unpaired surrogates. */
  @ParameterizedTest
  @ValueSource(strings = {"\\ud83d", "\\ude00", "\\ud83dx", "\\ud83d\\ud83d\\ude00"})
  void namesAndTextsMayHaveUnpairedSurrogates(String text) throws IOException {
    String sample = "{\"%s\":\"%s\"}".formatted(text, text);
    byte[] line = "{\"example\":9,\"sample\":%s}".formatted(sample).getBytes(UTF_8);
    try (var reader = new SidecarReader(Naive.source(line, 1 << 16), 10)) {
      assertThat(reader.next()).isEqualTo(new ExampleMetadata(9, sample));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"example\":1}",
        "{\"sample\":{}}",
        "{\"example\":0,\"sample\":{}}",
        "{\"example\":1,\"example\":1,\"sample\":{}}",
        "{\"example\":1,\"sample\":{},\"sample\":{}}",
        "{\"example\":1,\"sample\":[]}",
        "{\"example\":1,\"sample\":null}",
        "{\"example\":1,\"sample\":{}}{}",
        "{\"example\":1,\"ids\":2,\"sample\":{}}",
        "{\"example\":\"1\",\"sample\":{}}",
        "{\"example\":1.0,\"sample\":{}}",
        "{\"example\":-1,\"sample\":{}}",
        "{\"example\":10,\"sample\":{}}",
        "{\"example\":9,\"count\":2,\"position\":0,\"sample\":{}}",
        "{\"example\":1,\"count\":9223372036854775807,\"position\":0,\"sample\":{}}",
        "{\"example\":1,\"count\":0,\"position\":0,\"sample\":{}}",
        "{\"example\":1,\"count\":2,\"sample\":{}}",
        "{\"example\":1,\"position\":-1,\"sample\":{}}",
        "{\"example\":1,\"count\":1,\"position\":9223372036854775807,\"sample\":{}}",
        "{\"example\":1,\"tokens\":null,\"sample\":{}}",
        "{\"example\":1,\"tokens\":{},\"sample\":{}}",
        "{\"example\":1,\"tokens\":[],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[2,5],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[2]],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[2,5,6]],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[2,5],6],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[2.0,5]],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[-1,5]],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[2,2]],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[2,5],[4,6]],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[2,5],[0,1]],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[0,2147483647]],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[0,1]],\"tokens\":[[0,1]],\"sample\":{}}",
        "{\"example\":1,\"tokens\":[[0,1]],\"position\":0,\"sample\":{}}"
      })
  void aLineThatIsNotAsItMustBeIsReportedWithItsNumber(String line) {
    assertThat(assertRefused((GOOD + line + "\n").getBytes(UTF_8)).problem()).startsWith("line 2 ");
  }

  /** The text is Jackson's, and of its version. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "{",
        "{\"example\":1,\"sample\":{}} ]",
        "{\"example\":1,\"sample\":{\"a\":NaN}}",
        "{\"example\":1,\"sample\":{\"a\":01}}",
        "{\"example\":1,\"sample\":{\"a\":\"\\x\"}}",
        "{\"example\":1,\"sample\":{\"a\" 1}}",
        "{\"example\":1,\"sample\":{\"a\":[}}",
        "{\"example\":1,\"sample\":{}",
        "{\"example\":99999999999999999999,\"sample\":{}}"
      })
  void aLineThatIsNoJsonIsReportedWithItsNumber(String line) {
    byte[] text = (GOOD + line + "\n").getBytes(UTF_8);
    assertThat(shown(assertFailsWithAnyText(SidecarError.BAD_SIDECAR, "memory", () -> read(text))))
        .startsWith("line 2 is not JSON: ");
  }

  @Test
  void aTextThatIsNoUtf8IsReportedWhereItStands() {
    for (String bad : new String[] {"\u00ff", "\u00c3", "\u00ed\u00a0\u0080", "\u00c0\u0080"}) {
      byte[] text = (GOOD + "{\"example\":1,\"sample\":{\"a\":\"" + bad).getBytes(ISO_8859_1);
      assertThat(assertRefused(text).problem()).startsWith("line 2 ");
      assertRefused(Arrays.copyOf(text, text.length + 5));
    }
  }

  @Test
  void whatIsTooLongOrTooDeepIsRefusedBeforeItIsHeld() {
    String open = "{\"example\":0,\"sample\":{\"a\":";
    assertRefused((open + "1".repeat(Sidecar.MAX_LINE)).getBytes(UTF_8));
    assertRefused((open + "1".repeat(Sidecar.MAX_SAMPLE) + "}}").getBytes(UTF_8));
    assertRefused((open + "[".repeat(1 << 20)).getBytes(UTF_8));
    byte[] number = ("{\"example\":" + "1".repeat(1 << 22) + "}").getBytes(UTF_8);
    shown(assertFailsWithAnyText(SidecarError.BAD_SIDECAR, "memory", () -> read(number)));
  }

  @Test
  void theLongestSampleIsWrittenAndReadWithTheLongestNumbers() throws IOException {
    assertReadAgain(
        new ExampleMetadata(1L << 62, (1L << 62) - 1, 1L << 62, LONGEST), Long.MAX_VALUE);
  }

  @Test
  void theLongestSampleIsWrittenAndReadWithTheMostRangesOfTokens() throws IOException {
    List<TokenRange> most =
        IntStream.range(0, Sidecar.MAX_RANGES)
            .mapToObj(i -> new TokenRange(2_000_000_000 + 2 * i, 2_000_000_001 + 2 * i))
            .toList();
    assertReadAgain(new ExampleMetadata(7, LONGEST).withTokens(most), 10);
    String text = assertReadAgain(new ExampleMetadata(7, "{}").withTokens(most), 10);
    assertRefused(text.replace("[[2", "[[1, 2], [2").getBytes(UTF_8));
  }

  private static String assertReadAgain(ExampleMetadata longest, long examples) throws IOException {
    String text = Sidecar.line(longest);
    ByteSource source = Naive.source(text.getBytes(UTF_8), 1 << 16);
    try (var reader = new SidecarReader(source, examples)) {
      assertThat(reader.next()).isEqualTo(longest);
    }
    return text;
  }

  @Test
  void aFileOfSeveralMembersIsReadToItsEnd() throws IOException {
    byte[] members = zip(GOOD, "", "{\"example\": 5, \"sample\": {}}\n");
    assertThat(Naive.of(file(members), 0, 10).keySet()).containsExactly(0L, 5L);
  }

  @Test
  void membersMayEndWhereABufferDoes() throws IOException {
    int many = 5000;
    byte[] members =
        zip(
            IntStream.range(0, many)
                .mapToObj(i -> "{\"example\": " + i + ", \"sample\": {}}\n")
                .toArray(String[]::new));
    Files.write(folder.resolve("x.examples.jsonl.gz"), members);
    SampleMetadata sampleMetadata = Naive.beside(folder, new DataFile("x.bin", 0, many));
    assertThat(Naive.of(sampleMetadata, 0, many)).hasSize(many);
  }

  @Test
  void aBrokenGzipFileIsReportedByItsName() throws IOException {
    byte[] good = zip("{\"example\": 5, \"sample\": {}}\n");
    byte[] wrongSum = good.clone();
    wrongSum[good.length - 8] ^= 1;
    byte[] wrongData = good.clone();
    wrongData[12] ^= 0x55;
    assertBroken(GzipError.TRUNCATED, new byte[0]);
    assertBroken(GzipError.BAD_GZIP, "{\"example\": 5}".getBytes(UTF_8));
    assertBroken(GzipError.TRUNCATED, Arrays.copyOf(good, 5));
    assertBroken(GzipError.TRUNCATED, Arrays.copyOf(good, good.length - 9));
    assertBroken(GzipError.TRUNCATED, Arrays.copyOf(good, good.length - 1));
    assertBroken(GzipError.BAD_GZIP, wrongSum);
    assertBroken(GzipError.BAD_GZIP, wrongData);
  }

  /** Where it breaks is where the JDK's compressor put it. */
  private void assertBroken(GzipError kind, byte[] bad) throws IOException {
    SampleMetadata sampleMetadata = file(bad);
    assertFailsWithAnyText(
        kind, folder.resolve("x.examples.jsonl.gz"), () -> drain(sampleMetadata.cursor(0, 10)));
  }

  private SampleMetadata file(byte[] sidecar) throws IOException {
    Files.write(folder.resolve("x.examples.jsonl.gz"), sidecar);
    return Naive.beside(folder, new DataFile("x.bin", 0, 10));
  }

  private static FormatException assertRefused(byte[] text) {
    FormatException error = assertFails(SidecarError.BAD_SIDECAR, "memory", () -> read(text));
    shown(error);
    return error;
  }

  /** Returns what is wrong, of an error in one line that is not as long as what it is about. */
  private static String shown(FormatException error) {
    assertThat(error).message().doesNotContain("\n").hasSizeLessThan(3000);
    return error.problem();
  }

  private static void read(byte[] text) throws IOException {
    drain(new SidecarReader(Naive.source(text, 1 << 16), 10));
  }

  private static void drain(SampleMetadataCursor cursor) throws IOException {
    try (cursor) {
      while (cursor.next() != null) {
        assertThat(cursor).isNotNull();
      }
    }
  }

  /** Returns a gzip file of some members. */
  private static byte[] zip(String... members) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String member : members) {
      try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
        gzip.write(member.getBytes(UTF_8));
      }
    }
    return bytes.toByteArray();
  }
}
