package org.saevhadoop.format.numpy.header;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.tensor.DType;

class NumpyTypeTest {
  @ParameterizedTest
  @CsvSource({
    "float32, <f4, float32",
    "f4, <f4, float32",
    "=f4, <f4, float32",
    "<f4, <f4, float32",
    ">f4, >f4, >f4",
    "|u1, |u1, uint8",
    ">u1, |u1, uint8",
    "?, |b1, bool",
    "bool, |b1, bool",
    "complex128, <c16, complex128",
    "U3, <U3, U3",
    ">U03, >U3, >U3",
    ">S3, |S3, S3",
    "U0, <U0, U0"
  })
  void namesAndCodesAreParsedAsByNumpy(String text, String descr, String name) {
    NumpyType type = NumpyType.parse(text).orElseThrow();
    assertThat(type.descr()).isEqualTo(descr);
    assertThat(type.name()).contains(name);
    assertThat(NumpyType.parse(descr)).contains(type);
    assertThat(NumpyType.named(name)).contains(type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<", "f", "f3", "<float32", "bfloat16", "V2", "O", "float8_e4m3fn"})
  void othersAreNotParsed(String text) {
    assertThat(NumpyType.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"f4", "<f4", ">u1", "?", "V2", "U03"})
  void onlyCanonicalNamesAreNames(String name) {
    assertThat(NumpyType.named(name)).isEmpty();
  }

  @Test
  void bfloat16HasANameButNoCode() {
    assertThat(NumpyType.of(DType.BF16)).contains(NumpyType.BFLOAT16);
    assertThat(NumpyType.named("bfloat16")).contains(NumpyType.BFLOAT16);
    assertThat(NumpyType.named(">V2")).contains(NumpyType.BFLOAT16.bigEndian(true));
  }

  @ParameterizedTest
  @EnumSource
  void aTypeOfNumpyHasTheDtypeItIsMadeFrom(DType dtype) {
    NumpyType.of(dtype)
        .ifPresentOrElse(
            type -> {
              assertThat(type.dtype()).isEqualTo(dtype);
              assertThat(type.name()).contains(dtype.numpyName());
            },
            () -> assertThat(dtype.numpyName()).startsWith("float").contains("_"));
  }
}
