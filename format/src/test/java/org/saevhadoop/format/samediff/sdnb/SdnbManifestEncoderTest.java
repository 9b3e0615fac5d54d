package org.saevhadoop.format.samediff.sdnb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class SdnbManifestEncoderTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 12, 13, 24, 25, 200, 100_000})
  void aMapOfAnySizeHasTheBytesOfJava(int count) throws IOException {
    assertBytesOfJava(
        IntStream.range(0, count)
            .mapToObj(i -> new SdnbManifestEntry("layer_" + i, 1L << 20 | i * 64L, 128 + i))
            .toList());
  }

  @Test
  void smallNumbersAreWrittenOnceAndLargeOnesEachTime() throws IOException {
    List<SdnbManifestEntry> entries =
        LongStream.rangeClosed(-130, 130)
            .mapToObj(n -> new SdnbManifestEntry("v" + n, n, n))
            .toList();
    assertBytesOfJava(entries);
    assertBytesOfJava(
        List.of(
            new SdnbManifestEntry("a", 5, 0),
            new SdnbManifestEntry("b", 0, 5),
            new SdnbManifestEntry("c", 1000, 1000),
            new SdnbManifestEntry("d", 1000, 0)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65_534, 65_535, 65_536, 100_000})
  void aNameOfAnyLengthHasTheBytesOfJava(int length) throws IOException {
    assertBytesOfJava(List.of(new SdnbManifestEntry("x".repeat(length), 64, 4096)));
  }

  @Test
  void theLengthOfANameIsThatOfItsBytes() throws IOException {
    assertBytesOfJava(List.of(new SdnbManifestEntry("\u00e9".repeat(32_767), 64, 4096)));
    assertBytesOfJava(List.of(new SdnbManifestEntry("\u00e9".repeat(32_768), 64, 4096)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\0",
        "a\0b",
        "\u007f\u0080\u07ff\u0800\uffff",
        "\ud83d\ude00",
        "\ud83d",
        "\ude00\ud83d",
        "a/b \u03b1\u03b2"
      })
  void aNameOfAnyCharactersHasTheBytesOfJava(String name) throws IOException {
    assertBytesOfJava(List.of(new SdnbManifestEntry(name, 64, 4096)));
  }

  @Test
  void aNameThatIsTheTypeOfTheFieldsIsWrittenAsAnyOther() throws IOException {
    String name = new String("Ljava/lang/Object;".toCharArray());
    assertBytesOfJava(
        List.of(new SdnbManifestEntry("a", 1, 2), new SdnbManifestEntry(name, 3000, 4000)));
  }

  @Test
  void aNameThatOccursTwiceIsRefused() {
    SdnbManifestEntry entry = new SdnbManifestEntry("a", 64, 4096);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SdnbManifestEncoder.encode(List.of(entry, entry)));
  }

  @Property(tries = 2000, sample = 300)
  void anyEntriesHaveTheBytesOfJavaAndAreReadAgain(RandomValues any) throws IOException {
    assertBytesOfJava(
        any.distinct(
            0,
            30,
            SdnbManifestEntry::name,
            () ->
                new SdnbManifestEntry(
                    any.text(0, 12),
                    any.longBetween(0, Long.MAX_VALUE),
                    any.longBetween(0, any.bool() ? 200 : Long.MAX_VALUE))));
  }

  private static void assertBytesOfJava(List<SdnbManifestEntry> entries) throws IOException {
    byte[] bytes = SdnbManifestEncoder.encode(entries);
    assertThat(bytes).isEqualTo(JavaManifest.bytes(entries));
    if (entries.stream().allMatch(entry -> entry.offset() >= 0)) {
      assertThat(JavaManifest.parse(bytes)).isEqualTo(entries);
    }
  }
}
