package org.saevhadoop.format.samples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FormatException;

/** What other hands put into a sidecar. */
@Tag("late")
class SidecarReaderTest {
  private static final String GOOD = "{\"example\": 0, \"sample\": {}}\n";

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "''|is no JSON object",
        "[]|is no JSON object",
        "x|is no JSON: Unrecognized token 'x'",
        "{|is no JSON: Unexpected end",
        "{\"example\":1}|has no field sample",
        "{\"sample\":{}}|has no field example",
        "{\"example\":0,\"sample\":{}}|begins at example 0 (expected at least 1:",
        "{\"example\":1,\"example\":1,\"sample\":{}}|has two fields example",
        "{\"example\":1,\"sample\":{},\"sample\":{}}|has two fields sample",
        "{\"example\":1,\"sample\":[]}|has a sample that is no object",
        "{\"example\":1,\"sample\":null}|has a sample that is no object",
        "{\"example\":1,\"sample\":{}}{}|goes on after its object",
        "{\"example\":1,\"sample\":{}} ]|is no JSON: Unexpected close",
        "{\"example\":1,\"sample\":{\"a\":NaN}}|is no JSON: Non-standard token",
        "{\"example\":1,\"sample\":{\"a\":01}}|is no JSON: Invalid numeric value",
        "{\"example\":1,\"sample\":{\"a\":\"\\x\"}}|is no JSON: Unrecognized character escape",
        "{\"example\":1,\"sample\":{\"a\" 1}}|is no JSON: Unexpected character",
        "{\"example\":1,\"sample\":{\"a\":[}}|is no JSON: Unexpected close",
        "{\"example\":1,\"sample\":{}|is no JSON: Unexpected end",
        "{\"example\":1,\"ids\":2,\"sample\":{}}|has a field \"ids\" (expected example, count,",
        "{\"example\":\"1\",\"sample\":{}}|has a example that is no whole number",
        "{\"example\":1.0,\"sample\":{}}|has a example that is no whole number",
        "{\"example\":-1,\"sample\":{}}|has the example -1 (expected at least 0)",
        "{\"example\":10,\"sample\":{}}|is of example 10 and 0 after it (expected 0 to 9,",
        "{\"example\":9,\"count\":2,\"position\":0,\"sample\":{}}|is of example 9 and 1 after it",
        "{\"example\":1,\"count\":9223372036854775807,\"position\":0,\"sample\":{}}|is of example 1",
        "{\"example\":99999999999999999999,\"sample\":{}}|is no JSON: Numeric value",
        "{\"example\":1,\"count\":0,\"position\":0,\"sample\":{}}|has the count 0 (expected at",
        "{\"example\":1,\"count\":2,\"sample\":{}}|is of 2 examples without a position",
        "{\"example\":1,\"position\":-1,\"sample\":{}}|has the position -1 (expected at least 0)",
        "{\"example\":1,\"count\":1,\"position\":9223372036854775807,\"sample\":{}}|beyond 2^63"
      })
  void aLineThatIsNotAsItMustBeIsToldWithItsNumber(String line, String problem) {
    assertFails((GOOD + line + "\n").getBytes(UTF_8), "memory: line 2 ", problem);
  }

  @Test
  void aTextThatIsNoUtf8IsToldWhereItStands() {
    for (String bad : new String[] {"\u00ff", "\u00c3", "\u00ed\u00a0\u0080", "\u00c0\u0080"}) {
      byte[] text = (GOOD + "{\"example\":1,\"sample\":{\"a\":\"" + bad).getBytes(ISO_8859_1);
      assertFails(text, "memory: line 2 is no UTF-8");
      assertFails(Arrays.copyOf(text, text.length + 5), "memory: line 2 is no UTF-8");
    }
  }

  @Test
  void whatIsTooLongOrTooDeepIsRefusedBeforeItIsHeld() {
    String open = "{\"example\":0,\"sample\":{\"a\":";
    assertFails(
        (open + "1".repeat(Sidecar.MAX_LINE)).getBytes(UTF_8),
        "memory: line 1 is too long (expected at most 16778240 characters)");
    assertFails(
        (open + "1".repeat(Sidecar.MAX_SAMPLE) + "}}").getBytes(UTF_8),
        "memory: line 1 has a sample of 16777222 characters (expected at most 16777216)");
    assertFails((open + "[".repeat(1 << 20)).getBytes(UTF_8), "memory: line 1 is nested too deep");
    assertFails(
        ("{\"example\":" + "1".repeat(1 << 22) + "}").getBytes(UTF_8),
        "memory: line 1 is no JSON: Numeric value");
  }

  @Test
  void theLongestSampleIsWrittenAndReadWithTheLongestNumbers() throws IOException {
    String sample = "{\"a\":" + "7".repeat(Sidecar.MAX_SAMPLE - 6) + "}";
    ExampleMetadata longest = new ExampleMetadata(1L << 62, (1L << 62) - 1, 1L << 62, sample);
    byte[] text = Sidecar.line(longest).getBytes(UTF_8);
    try (var reader = new SidecarReader(Naive.source(text, 1 << 16), Long.MAX_VALUE)) {
      assertThat(reader.next()).isEqualTo(longest);
    }
  }

  @Test
  void aFileOfSeveralMembersIsReadToItsEnd() throws IOException {
    byte[] first = zip(GOOD);
    byte[] second = zip("{\"example\": 5, \"sample\": {}}\n");
    assertThat(Naive.of(file(concat(first, zip(""), second)), 0, 10).keySet())
        .containsExactly(0L, 5L);
  }

  @Test
  void membersMayEndWhereABufferDoes() throws IOException {
    int many = 5000;
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    for (int i = 0; i < many; i++) {
      members.writeBytes(zip("{\"example\": " + i + ", \"sample\": {}}\n"));
    }
    Files.write(folder.resolve("x.examples.jsonl.gz"), members.toByteArray());
    SampleMetadata attributes = Naive.beside(folder, new DataFile("x.bin", 0, many));
    assertThat(Naive.of(attributes, 0, many)).hasSize(many);
  }

  @Test
  void aBrokenGzipFileIsToldByItsName() throws IOException {
    byte[] good = zip("{\"example\": 5, \"sample\": {}}\n");
    byte[] wrongSum = good.clone();
    wrongSum[good.length - 8] ^= 1;
    byte[] wrongData = good.clone();
    wrongData[12] ^= 0x55;
    for (byte[] bad :
        new byte[][] {
          {},
          "{\"example\": 5}".getBytes(UTF_8),
          Arrays.copyOf(good, 5),
          Arrays.copyOf(good, good.length - 9),
          Arrays.copyOf(good, good.length - 1),
          wrongSum,
          wrongData
        }) {
      SampleMetadata attributes = file(bad);
      assertThatThrownBy(() -> drain(attributes.cursor(0, 10)))
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith(folder.resolve("x.examples.jsonl.gz") + ": ");
    }
  }

  private SampleMetadata file(byte[] sidecar) throws IOException {
    Files.write(folder.resolve("x.examples.jsonl.gz"), sidecar);
    return Naive.beside(folder, new DataFile("x.bin", 0, 10));
  }

  private static void assertFails(byte[] text, String... parts) {
    assertThatThrownBy(() -> drain(new SidecarReader(Naive.source(text, 1 << 16), 10)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(parts[0])
        .hasMessageContaining(parts[parts.length - 1])
        .message()
        .doesNotContain("\n")
        .hasSizeLessThan(3000);
  }

  private static void drain(SampleMetadataCursor cursor) throws IOException {
    try (cursor) {
      while (cursor.next() != null) {
        assertThat(cursor).isNotNull();
      }
    }
  }

  private static byte[] zip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
