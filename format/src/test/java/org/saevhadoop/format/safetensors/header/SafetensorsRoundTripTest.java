package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.saevhadoop.format.json.CodePointOrder;
import org.saevhadoop.format.tensor.DType;

/** What is written is read back. */
class SafetensorsRoundTripTest {
  @Property(tries = 300)
  void whatIsEncodedIsReadBack(
      @ForAll("specs") List<TensorSpec> specs, @ForAll("metadata") Map<String, String> metadata)
      throws IOException {
    EncodedHeader encoded = SafetensorsHeader.encode(specs, metadata);
    byte[] file = new byte[(int) encoded.fileBytes()];
    encoded.bytes().get(file, 0, encoded.bytes().remaining());
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
  void namesSortAsTheirUtf8(@ForAll("text") String a, @ForAll("text") String b) {
    byte[] x = a.getBytes(StandardCharsets.UTF_8);
    byte[] y = b.getBytes(StandardCharsets.UTF_8);
    assertThat(Integer.signum(CodePointOrder.compare(a, b)))
        .isEqualTo(Integer.signum(Arrays.compareUnsigned(x, y)));
  }

  @Provide
  Arbitrary<String> text() {
    Arbitrary<Integer> any = Arbitraries.integers().between(0, 0x10ffff);
    Arbitrary<Integer> awkward =
        Arbitraries.of(0, 1, 0x1f, 0x20, 0x22, 0x5c, 0x7f, 0x2028, 0xe000, 0xffff, 0x10000);
    return Arbitraries.oneOf(any, awkward)
        .filter(c -> c < 0xd800 || c > 0xdfff)
        .list()
        .ofMaxSize(6)
        .map(SafetensorsRoundTripTest::join);
  }

  private static String join(List<Integer> codePoints) {
    StringBuilder text = new StringBuilder();
    codePoints.forEach(text::appendCodePoint);
    return text.toString();
  }

  @Provide
  Arbitrary<List<TensorSpec>> specs() {
    Arbitrary<Long> dimension = Arbitraries.longs().between(0, 5);
    return Combinators.combine(text(), Arbitraries.of(DType.class), dimension.list().ofMaxSize(4))
        .as(SafetensorsRoundTripTest::spec)
        .list()
        .ofMaxSize(8)
        .uniqueElements(TensorSpec::name);
  }

  private static TensorSpec spec(String name, DType dtype, List<Long> shape) {
    boolean whole = TensorSize.bits(dtype, shape) % 8 == 0;
    return new TensorSpec(name, dtype, whole ? shape : List.of(4L));
  }

  @Provide
  Arbitrary<Map<String, String>> metadata() {
    return Arbitraries.maps(text(), text()).ofMaxSize(4).injectNull(0.2);
  }
}
