package org.saevhadoop.jobs.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class SumsFileTest {
  private static final String SUM = "0123456789abcdef".repeat(4);
  private static final String DIGEST =
      "sha256-blocks:" + SUM + " examples=1 layers=0 tokens=1 dim=1";

  private static final String SUM_OF_MD5 = "d41d8cd98f00b204e9800998ecf8427e";
  private static final String SUM_LINE =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef  ";

  @TempDir Path folder;

  private SumsFile read(String text) throws IOException {
    Path file = folder.resolve("x.sha256");
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    return SumsParser.read(LocalFile.open(file));
  }

  @Property(tries = 500, sample = 100)
  void whatIsWrittenIsReadBack(RandomValues random) throws IOException {
    SortedMap<String, String> sums = new TreeMap<>();
    for (String name :
        random.list(1, 8, () -> random.textOf("ab \\\n\rn#*\u00e4\u2028\ud83d\ude00\t", 1, 9))) {
      sums.put(name.replaceAll("[\ud800-\udfff]", "x"), SUM);
    }
    String above = random.of("", "d/", "\\/", "# /", "a\nb/c/");
    SumsFile expected = new SumsFile(random.orNull(() -> DIGEST), above, sums);
    assertThat(read(expected.text())).isEqualTo(expected);
  }

  @Test
  void aSpecialNameIsWrittenAsCoreutilsDo() {
    assertThat(SumsFile.line(SUM, "d/a b")).isEqualTo(SUM + "  d/a b");
    assertThat(SumsFile.line(SUM, "a\\b\nc\rd")).isEqualTo("\\" + SUM + "  a\\\\b\\nc\\rd");
  }

  @Test
  void linesOfOtherProgramsAreUnderstood() throws IOException {
    SumsFile found = read("# made by hand\n" + SUM.toUpperCase(java.util.Locale.ROOT) + " *./a");
    assertThat(found).isEqualTo(new SumsFile(null, "./", new TreeMap<>(Map.of("a", SUM))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\ufeff"})
  void linesMayEndAsOnWindowsAndAByteOrderMarkMayPrecedeThem(String mark) throws IOException {
    SortedMap<String, String> sums = new TreeMap<>(Map.of("a\r", SUM, "b c", SUM));
    SumsFile expected = new SumsFile(DIGEST, "d/", sums);
    String text = mark + expected.text().replace("\n", "\r\n");
    assertThat(read(text)).isEqualTo(expected);
    assertThat(read(text.substring(0, text.length() - 1))).isEqualTo(expected);
    assertThat(read(text.substring(0, text.length() - 2))).isEqualTo(expected);
    assertThat(read(mark + SUM_LINE + "a\n" + SUM_LINE + "b\r\n").sums()).hasSize(2);
  }

  @Test
  void wrongBytesOfOtherEditorsAreNamedWithTheirLine() throws IOException {
    assertThatThrownBy(() -> read(SUM_LINE + "a\r\n\ufeff" + SUM_LINE + "b\r\n"))
        .hasMessageContaining("has a byte order mark, at line 2");
    assertThatThrownBy(() -> read(SUM_LINE + "a\r\n\r\n"))
        .hasMessageContaining("is not a checksum file, at line 2");
    Path file = folder.resolve("x.sha256");
    for (Charset charset : List.of(StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
      Files.write(file, ("\ufeff" + SUM_LINE + "a\r\n").getBytes(charset));
      assertFails(DigestError.BAD_SUMS, file, () -> SumsParser.read(LocalFile.open(file)));
      assertThatThrownBy(() -> SumsParser.read(LocalFile.open(file)))
          .hasMessageContaining("is UTF-16, at line 1 (expected UTF-8)");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# sha256-blocks:00",
        "\n",
        "a thesis",
        SUM_OF_MD5 + "  a",
        SUM_LINE,
        SUM_LINE + "a\n\n",
        "\ufeff",
        "\ufeff\ufeff" + SUM_LINE + "a",
        SUM_LINE + "\r\n",
        SUM_LINE + "d/",
        SUM_LINE + "a\n" + SUM_LINE + "d/b",
        SUM_LINE + "a\n" + SUM_LINE + "a",
        "\\" + SUM_LINE + "a\\",
        "\\" + SUM_LINE + "a\\t"
      })
  void anyOtherTextIsRefused(String text) {
    assertFails(DigestError.BAD_SUMS, folder.resolve("x.sha256"), () -> read(text));
  }

  @Test
  void bytesThatAreNotUtf8AndLinesWithoutEndAreRefused() throws IOException {
    Path file = folder.resolve("x.sha256");
    Files.write(file, new byte[] {'#', (byte) 0xff});
    assertFails(DigestError.BAD_SUMS, file, () -> SumsParser.read(LocalFile.open(file)));
    Files.writeString(file, "#" + "x".repeat(1 << 17));
    assertFails(DigestError.BAD_SUMS, file, () -> SumsParser.read(LocalFile.open(file)));
  }
}
