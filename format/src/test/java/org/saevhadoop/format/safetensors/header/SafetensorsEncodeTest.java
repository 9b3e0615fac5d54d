package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.tensor.DType;

/** What the writer's side gives, and what it refuses. */
class SafetensorsEncodeTest {
  private static final TensorSpec BYTE = bytes("a", 1);

  private static TensorSpec bytes(String name, long... shape) {
    return new TensorSpec(name, DType.U8, LongStream.of(shape).boxed().toList());
  }

  private static String json(List<TensorSpec> tensors, Map<String, String> metadata) {
    ByteBuffer bytes = SafetensorsHeader.encode(tensors, metadata).bytes();
    byte[] json = new byte[bytes.remaining() - 8];
    bytes.get(8, json);
    return new String(json, StandardCharsets.UTF_8);
  }

  private static void assertRefused(String message, TensorSpec... tensors) {
    assertThatThrownBy(() -> SafetensorsHeader.encode(List.of(tensors), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void theHeaderIsCompactAndPaddedToEightBytes() {
    assertThat(json(List.of(new TensorSpec("w", DType.F32, List.of(2L, 3L))), null))
        .isEqualTo("{\"w\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}       ")
        .hasSize(64);
    assertThat(json(List.of(), null)).isEqualTo("{}      ");
    assertThat(SafetensorsHeader.encode(List.of(), null).bytes().get(0)).isEqualTo((byte) 8);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 64, 256, 4096, 1 << 20})
  void theDataBeginsWhereItsAlignmentWants(int alignment) throws IOException {
    int step = alignment > 4096 ? 7 : 1; // headers of a mebibyte
    for (int nameLength = 0; nameLength < 70; nameLength += step) {
      TensorSpec spec = bytes("x".repeat(nameLength), 1);
      EncodedHeader header = SafetensorsHeader.encode(List.of(spec), null, alignment);
      int dataStart = header.bytes().remaining();
      assertThat(dataStart % alignment).isZero();
      assertThat(dataStart).isLessThan(150 + alignment);
      byte[] file = Arrays.copyOf(header.toByteArray(), (int) header.fileBytes());
      SafetensorsHeader read = SafetensorsHeader.read(MemoryFile.input(file));
      assertThat(read.dataStart()).isEqualTo(dataStart);
      assertThat(read.tensors()).isEqualTo(header.tensors());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 64})
  void otherMetadataIsThatOfAHeaderThatIsEncodedAnew(int alignment) throws IOException {
    List<TensorSpec> specs = List.of(bytes("b", 3), BYTE, bytes("\u00e9\"{}", 0));
    byte[] file = SafetensorsHeader.encode(specs, Map.of("k", "}\"", "l", "v"), 16).toByteArray();
    file =
        Arrays.copyOf(
            file, (int) (file.length + SafetensorsHeader.encode(specs, null).dataBytes()));
    SafetensorsHeader header = SafetensorsHeader.read(MemoryFile.input(file));
    for (Map<String, String> others :
        List.of(Map.of("a{", "\u00e9".repeat(50)), Map.<String, String>of())) {
      assertThat(header.with(others, alignment))
          .isEqualTo(SafetensorsHeader.encode(specs, others, alignment).bytes());
    }
  }

  @Test
  void anAlignmentOfEightIsTheReferences() {
    assertThat(SafetensorsHeader.encode(List.of(BYTE), Map.of("k", "v"), 8))
        .isEqualTo(SafetensorsHeader.encode(List.of(BYTE), Map.of("k", "v")));
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -8, 0, 1, 4, 12, 100, 1 << 21})
  void otherAlignmentsAreRefused(int alignment) {
    assertThatThrownBy(() -> SafetensorsHeader.encode(List.of(BYTE), null, alignment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the alignment is %d (expected a power of two from 8 to 1048576)", alignment);
  }

  /** 8 + 99,999,992 is a multiple of 64, but the least multiple of 2^20 above is too much. */
  private static Map<String, String> longest() {
    return Map.of("", "x".repeat(99_999_992 - 24));
  }

  @Tag("long")
  @Test
  void theLongestHeaderIsEncoded() {
    assertThat(SafetensorsHeader.encode(List.of(), longest(), 64).bytes().remaining())
        .isEqualTo(100_000_000);
  }

  @Tag("late")
  @Test
  void theBlanksOfAnAlignmentCountForTheLimitToo() {
    assertThatThrownBy(() -> SafetensorsHeader.encode(List.of(), longest(), 1 << 20))
        .hasMessageContaining("more than 100000000 bytes");
  }

  @Test
  void emptyMetadataWithoutTensorsCanBeReadBack() throws IOException {
    EncodedHeader header = SafetensorsHeader.encode(List.of(), Map.of());
    assertThat(json(List.of(), Map.of())).isEqualTo("{\"__metadata__\":{}}     ");
    assertThat(MemoryFile.read(header.toByteArray()).metadata()).isEmpty();
  }

  @Test
  void metadataComesFirstByCodePoint() {
    Map<String, String> metadata = Map.of("\ud83d\ude00", "3", "\uff41", "2", "b", "1");
    assertThat(json(List.of(BYTE), metadata))
        .startsWith(
            "{\"__metadata__\":{\"b\":\"1\",\"\uff41\":\"2\",\"\ud83d\ude00\":\"3\"},\"a\":{");
  }

  @Test
  void tensorsComeByDescendingDtypeThenByCodePoint() {
    List<TensorSpec> specs =
        List.of(
            new TensorSpec("bool", DType.BOOL, List.of(1L)),
            bytes("\ud83d\ude00", 2),
            bytes("\uff41", 3),
            bytes("a", 0),
            bytes("ab", 1),
            new TensorSpec("z", DType.U64, List.of()),
            new TensorSpec("y", DType.F4, List.of(2L)));
    assertThat(SafetensorsHeader.encode(specs, null).tensors())
        .extracting(TensorInfo::name, TensorInfo::begin, TensorInfo::end)
        .containsExactly(
            tuple("z", 0L, 8L),
            tuple("a", 8L, 8L),
            tuple("ab", 8L, 9L),
            tuple("\uff41", 9L, 12L),
            tuple("\ud83d\ude00", 12L, 14L),
            tuple("y", 14L, 15L),
            tuple("bool", 15L, 16L));
  }

  @Test
  void onlyWhatMustBeEscapedIs() {
    String name = "\"\\/\b\f\n\r\t\0\u001f\u007f\u2028é\ud83d\ude00\uffff";
    assertThat(json(List.of(bytes(name, 1)), null))
        .startsWith("{\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u2028é\ud83d\ude00\uffff\":{");
  }

  @Test
  void namesThatCannotBeReadBackAreRefused() {
    assertRefused("two tensors are named `a`", BYTE, new TensorSpec("a", DType.F32, List.of()));
    assertRefused("__metadata__", bytes("__metadata__"));
    assertRefused("a lone surrogate", bytes("\ud800"));
    assertRefused("a lone surrogate", bytes("x\udc00y"));
    for (Map<String, String> metadata : List.of(Map.of("\ud800", ""), Map.of("", "\ud800"))) {
      assertThatThrownBy(() -> SafetensorsHeader.encode(List.of(), metadata))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a lone surrogate");
    }
  }

  @Test
  void sizesThatCannotBeReadBackAreRefused() {
    assertRefused("byte boundary", new TensorSpec("a", DType.F4, List.of(3L)));
    assertRefused("2^64 bits", bytes("a", 1L << 61));
    assertRefused("2^64 bits", bytes("a", -1));
    long most = (1L << 61) - 1;
    assertRefused(
        "2^63 bytes", bytes("a", most), bytes("b", most), bytes("c", most), bytes("d", most));
    assertRefused(
        "2^63 bytes",
        bytes("a", most),
        bytes("b", most),
        bytes("c", most),
        bytes("d", most),
        bytes("e", most));
  }

  @Test
  void aHeaderOverTheLimitIsRefused() {
    Map<String, String> metadata = Map.of("", "x".repeat(100_000_000));
    assertThatThrownBy(() -> SafetensorsHeader.encode(List.of(BYTE), metadata))
        .hasMessageContaining("more than 100000000 bytes");
  }
}
