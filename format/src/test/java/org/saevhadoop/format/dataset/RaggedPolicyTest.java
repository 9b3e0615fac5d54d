package org.saevhadoop.format.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.DType;

class RaggedPolicyTest {
  @ParameterizedTest
  @CsvSource({
    "I8, -128, 80",
    "I8, 127, 7f",
    "U8, 255, ff",
    "I16, -32768, 0080",
    "U16, 65535, ffff",
    "I16, 5.0, 0500",
    "I32, -1, ffffffff",
    "U32, 4294967295, ffffffff",
    "I64, -9223372036854775808, 0000000000000080",
    "I64, 9007199254740992, 0000000000002000",
    "U64, 18446744073709549568, 00f8ffffffffffff",
    "I16, -0.0, 0000",
    "F16, 0.1, 662e",
    "F16, 65504, ff7b",
    "F16, 65519, ff7b",
    "BF16, 0.1, cd3d",
    "F32, 0.1, cdcccc3d",
    "F32, 1e-60, 00000000",
    "F32, -0.0, 00000080",
    "F64, 1e308, a0c8eb85f3cce17f",
    "F8_E4M3, 448, 7e",
    "F8_E4M3, -0.0, 80",
    "F8_E5M2, 0, 00",
    "F8_E5M2FNUZ, 0, 00",
    "F8_E8M0, 2, 80"
  })
  void aTypeHoldsThePadding(DType dtype, String value, String expected) throws FormatException {
    ByteBuffer filling = RaggedPolicy.parse("pad:6:" + value).filling("path", dtype);
    byte[] first = new byte[dtype.bits() / Byte.SIZE];
    byte[] last = first.clone();
    filling.get(first).get(filling.limit() - last.length, last);
    assertThat(HexFormat.of().formatHex(first)).isEqualTo(expected);
    assertThat(last).isEqualTo(first);
  }

  @ParameterizedTest
  @CsvSource({
    "I8, -129",
    "I8, 128",
    "U8, -1",
    "U8, 256",
    "I16, -1.5",
    "I16, 1e9",
    "U16, 0.5",
    "I32, 2147483648",
    "U32, -1",
    "U32, 4294967296",
    "I64, 9223372036854775808",
    "I64, 1e-9",
    "U64, -1",
    "U64, 18446744073709551616",
    "F16, 65520",
    "F16, 1e9",
    "BF16, 3.4e38",
    "F32, -1e39",
    "F8_E4M3, 0.1",
    "F8_E4M3, 449",
    "F8_E5M2, 60000",
    "F8_E4M3FNUZ, -0.0",
    "F8_E8M0, 0",
    "BOOL, 1",
    "C64, 0"
  })
  void aPaddingThatATypeDoesNotHoldIsRefused(DType dtype, String value) {
    RaggedPolicy ragged = RaggedPolicy.parse("pad:6:" + value);
    assertThatThrownBy(() -> ragged.filling("path", dtype))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "path: its values are %s, which does not hold the padding %s (expected --ragged"
                + " pad:6:VALUE with a value of %s)",
            dtype, ragged.value(), dtype);
  }

  @ParameterizedTest
  @CsvSource({"pad:6, padded to, 1", "truncate:4, cut to, 2"})
  void onlyChangedSamplesAreReported(String policy, String change, long changed)
      throws FormatException {
    RaggedPolicy ragged = RaggedPolicy.parse(policy);
    List<String> notes = new ArrayList<>();
    SortedMap<Long, Long> lengths = new TreeMap<>(Map.of((long) ragged.tokens(), 3L));
    ragged.tokens("path", lengths, notes::add);
    assertThat(notes).isEmpty();
    lengths.put(5L, changed);
    ragged.tokens("path", lengths, notes::add);
    assertThat(notes)
        .containsExactly(
            Quote.sentence("%d samples were %s %d tokens", changed, change, ragged.tokens()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9007199254740993", "-9223372036854775807", "18446744073709551615"})
  void anIntegerThatIsNoFloat64IsRefused(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RaggedPolicy.parse("pad:6:" + value))
        .withMessageStartingWith("float64 does not hold the padding " + value);
  }
}
