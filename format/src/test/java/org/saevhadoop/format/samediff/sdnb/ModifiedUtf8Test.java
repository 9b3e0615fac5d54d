package org.saevhadoop.format.samediff.sdnb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class ModifiedUtf8Test {
  @Test
  void everyCharOfJavaIsDecoded() throws ModifiedUtf8.Malformed {
    for (int c = 0; c <= Character.MAX_VALUE; c++) {
      assertDecoded(String.valueOf((char) c));
    }
  }

  @Property(tries = 1000)
  void anyTextOfJavaIsDecoded(RandomValues any) throws ModifiedUtf8.Malformed {
    assertDecoded(any.text(0, 40));
  }

  private static void assertDecoded(String text) throws ModifiedUtf8.Malformed {
    byte[] bytes = encodedByJava(text);
    assertThat(ModifiedUtf8.bytes(text)).isEqualTo(bytes.length);
    assertThat(ModifiedUtf8.decode(bytes)).isEqualTo(text);
  }

  private static byte[] encodedByJava(String text) {
    byte[] bytes = SerialForge.utf(text);
    return Arrays.copyOfRange(bytes, Short.BYTES, bytes.length);
  }

  /** The bytes, and the index of the first that begins no char. */
  @ParameterizedTest
  @CsvSource({
    "00, 0", // NUL in one byte
    "6100, 1",
    "c180, 0", // longer forms
    "c1bf, 0",
    "e08080, 0",
    "e09fbf, 0",
    "61c2, 1", // ends too early
    "61e0a0, 1",
    "e1, 0",
    "c241, 0", // no continuation
    "e08041, 0",
    "e1c280, 0",
    "80, 0", // only a continuation
    "f09f9880, 0", // four bytes, as in UTF-8
    "6161ff, 2"
  })
  void aFormThatNoWriterUsesIsRefused(String hex, int index) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    ModifiedUtf8.Malformed malformed =
        catchThrowableOfType(ModifiedUtf8.Malformed.class, () -> ModifiedUtf8.decode(bytes));
    assertThat(malformed.index()).isEqualTo(index);
  }

  @Property(tries = 5000, sample = 1000)
  void onlyTheBytesOfATextAreDecoded(RandomValues any) {
    byte[] bytes = any.bytes(0, 8);
    try {
      assertThat(encodedByJava(ModifiedUtf8.decode(bytes))).isEqualTo(bytes);
    } catch (ModifiedUtf8.Malformed e) {
      assertThat(e.index()).isBetween(0, bytes.length - 1);
    }
  }
}
