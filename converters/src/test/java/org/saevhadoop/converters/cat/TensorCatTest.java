package org.saevhadoop.converters.cat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.slice.TensorSlice;
import org.saevhadoop.format.spi.NamedTensors.OpenTensor;
import org.saevhadoop.format.tensor.DType;

class TensorCatTest {
  /** The JSON object of the failure follows, on a line of its own. */
  @ParameterizedTest
  @CsvSource({"json, true", "text, false"})
  void aTensorThatCannotBeReadLeavesACompleteLine(CatCommand.Format format, boolean line)
      throws Exception {
    List<Long> shape = List.of(1_000_000L);
    OpenTensor source =
        new OpenTensor(
            "a",
            "x.safetensors",
            DType.F32,
            shape,
            4_000_000,
            (offset, bytes) -> {
              if (offset > 0) {
                throw new IOException("connection reset");
              }
              bytes.position(bytes.limit());
            },
            () -> {});
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TensorCat cat =
        new TensorCat(source, TensorSlice.parse("", DType.F32, shape), "F32", format, out);
    assertThatThrownBy(cat::print).hasMessage("connection reset");
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text).contains("0.0");
    assertThat(text.endsWith("\n")).isEqualTo(line);
  }
}
