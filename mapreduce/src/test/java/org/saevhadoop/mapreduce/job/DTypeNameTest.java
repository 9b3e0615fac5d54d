package org.saevhadoop.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.tensor.DType;

class DTypeNameTest {
  @ParameterizedTest
  @CsvSource({
    "F32, F32",
    "bf16, BF16",
    "i8, I8",
    "Float32, F32",
    "float8_e4m3fn, F8_E4M3",
    "torch.float8_e4m3fn, F8_E4M3",
    "torch.bfloat16, BF16",
    "torch.float32, F32",
    "torch.float, F32",
    "torch.half, F16",
    "torch.short, I16",
    "torch.int, I32",
    "torch.long, I64",
    "torch.bool, BOOL",
    "np.float16, F16",
    "numpy.float32, F32",
    "np.double, F64",
    "np.single, F32",
    "jnp.bfloat16, BF16",
    "jax.numpy.int8, I8",
    "ml_dtypes.bfloat16, BF16",
    "fp16, F16",
    "FP32, F32",
    "half, F16",
    "float, F32",
    "double, F64",
    "<f4, F32",
    "<i8, I64",
    "|u1, U8"
  })
  void aTypeHasTheNamesOfSafetensorsNumpyAndTorch(String name, DType dtype) {
    assertThat(DTypeName.parse(name)).isEqualTo(dtype);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "int",
        "long",
        "short",
        "np.float",
        "np.int",
        "np.long",
        "f2",
        ">f4",
        "<U3",
        "torch.",
        "float8",
        "tf.float99",
        "torch.np.float32",
        "complex128"
      })
  void aNameThatIsAmbiguousOrUnknownIsRejected(String name) {
    assertThatThrownBy(() -> DTypeName.parse(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("there is no dtype \"" + name + "\"");
  }

  @Test
  void theNearestNamesAreExpected() {
    assertThatThrownBy(() -> DTypeName.parse("np.flaot32"))
        .hasMessageEndingWith("(expected float32)");
    assertThatThrownBy(() -> DTypeName.parse("long")).hasMessageEndingWith("\"long\"");
    assertThatThrownBy(() -> DTypeName.parse("F32,F16")).hasMessageContaining("COLUMN=DTYPE");
  }
}
