package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.json.CodePointOrder;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** What is written is read back. */
class SafetensorsRoundTripTest {
  @Property(tries = 300)
  void whatIsEncodedIsReadBack(RandomValues any) throws IOException {
    List<TensorSpec> specs = specs(any);
    Map<String, String> metadata = metadata(any);
    EncodedHeader encoded = SafetensorsHeader.encode(specs, metadata);
    byte[] file = Arrays.copyOf(encoded.toByteArray(), (int) encoded.fileBytes());
    SafetensorsHeader read = MemoryFile.read(file);

    assertThat(read.metadata()).isEqualTo(metadata);
    assertThat(read.dataStart())
        .isEqualTo(encoded.bytes().remaining())
        .isEqualTo(file.length - encoded.dataBytes());
    assertThat(read.dataStart() % 8).isZero();
    assertThat(read.tensors()).containsExactlyInAnyOrderElementsOf(encoded.tensors());
    assertThat(read.tensors().stream().map(t -> new TensorSpec(t.name(), t.dtype(), t.shape())))
        .containsExactlyInAnyOrderElementsOf(specs);
    for (TensorInfo tensor : read.tensors()) {
      assertThat(tensor.begin() % Math.max(1, tensor.dtype().bits() / 8)).isZero();
      assertThat(read.tensor(tensor.name())).contains(tensor);
    }
  }

  @Property(tries = 300)
  void namesSortAsTheirUtf8(RandomValues any) {
    String a = text(any);
    String b = text(any);
    byte[] x = a.getBytes(StandardCharsets.UTF_8);
    byte[] y = b.getBytes(StandardCharsets.UTF_8);
    assertThat(Integer.signum(CodePointOrder.compare(a, b)))
        .isEqualTo(Integer.signum(Arrays.compareUnsigned(x, y)));
  }

  static String text(RandomValues any) {
    StringBuilder text = new StringBuilder();
    any.list(0, 8, () -> codePoint(any)).forEach(text::appendCodePoint);
    return text.toString();
  }

  private static int codePoint(RandomValues any) {
    return any.filtered(
        () ->
            any.oneOf(
                () -> any.intBetween(0, 0x10ffff),
                () -> any.of(0, 1, 0x1f, 0x20, 0x22, 0x2f, 0x5c, 0x7f, 0x80),
                () -> any.of(0x7ff, 0x800, 0x2028, 0xe000, 0xffff, 0x10000)),
        c -> c < 0xd800 || c > 0xdfff);
  }

  private static List<TensorSpec> specs(RandomValues any) {
    return any.distinct(
        0,
        8,
        TensorSpec::name,
        () -> spec(text(any), any.of(DType.class), any.list(0, 4, () -> any.longBetween(0, 5))));
  }

  private static TensorSpec spec(String name, DType dtype, List<Long> shape) {
    boolean whole = TensorSize.bits(dtype, shape) % 8 == 0;
    return new TensorSpec(name, dtype, whole ? shape : List.of(4L));
  }

  private static Map<String, String> metadata(RandomValues any) {
    return any.orNull(() -> any.map(4, () -> text(any), () -> text(any)));
  }
}
