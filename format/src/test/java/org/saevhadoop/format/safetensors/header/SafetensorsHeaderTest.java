package org.saevhadoop.format.safetensors.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.HeaderTooLarge;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.HeaderTooSmall;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.InvalidHeader;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.InvalidHeaderDeserialization;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.InvalidHeaderLength;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.InvalidOffset;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.MetadataIncompleteBuffer;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.MisalignedSlice;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.TensorInvalidInfo;
import static org.saevhadoop.format.safetensors.header.SafetensorsError.ValidationOverflow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/** The reference's checks around the JSON: lengths, UTF-8, offsets and sizes. */
class SafetensorsHeaderTest {
  private static String entry(String name, String dtype, String shape, String begin, String end) {
    return String.format(
        "\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%s,%s]}",
        name, dtype, shape, begin, end);
  }

  private static String header(String... entries) {
    return "{" + String.join(",", entries) + "}";
  }

  private static FormatException assertRefused(SafetensorsError kind, byte[] file) {
    return assertFails(kind, MemoryFile.PATH, () -> MemoryFile.read(file));
  }

  private static void assertRefusedAt(int at, byte[] file) {
    assertThat(assertRefused(InvalidHeader, file).problem()).startsWith("byte " + at + " of ");
  }

  private static byte[] prefix(long n, int fileBytes) {
    byte[] bytes = new byte[fileBytes];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(n);
    return bytes;
  }

  @Test
  void aHeaderNeedsEightBytesBeforeIt() {
    assertRefused(HeaderTooSmall, new byte[0]);
    assertRefused(HeaderTooSmall, new byte[7]);
    assertRefused(InvalidHeaderDeserialization, new byte[8]);
  }

  @Test
  void aHeaderOverTheLimitIsTooLargeWhateverTheFilesLength() {
    assertRefused(HeaderTooLarge, prefix(100_000_001, 8));
    assertRefused(HeaderTooLarge, prefix(1L << 32, 64));
    assertRefused(HeaderTooLarge, prefix(Long.MIN_VALUE, 64));
    assertRefused(HeaderTooLarge, prefix(-1, 64));
    assertRefused(InvalidHeaderLength, prefix(100_000_000, 64));
    assertRefused(InvalidHeaderLength, prefix(57, 64));
  }

  @ParameterizedTest
  @CsvSource({
    "7b22ff, 2",
    "c0af, 0",
    "7beda080, 1",
    "7b7dc3, 2",
    "f4908080, 0",
    "7b22e28228, 2",
    "fe, 0"
  })
  void theHeaderIsStrictUtf8(String hex, int at) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertRefusedAt(8 + at, MemoryFile.of(bytes, 0));
  }

  @Test
  void badUtf8IsFoundFarInTheHeaderToo() {
    byte[] file = MemoryFile.of("{}" + "é".repeat(20_000), 0);
    file[file.length - 1] = 'x';
    assertRefusedAt(file.length - 2, file);
  }

  @ParameterizedTest
  @CsvSource({
    "504b0304140000000800, HeaderTooLarge", // zip
    "80027d71002e00000000, HeaderTooLarge", // pickle
    "800495b5000000000000, HeaderTooLarge", // pickle
    "1f8b0800000000000000, InvalidHeaderLength", // gzip
    "894844460d0a1a0a0000, HeaderTooLarge", // HDF5
    "934e554d505901007600, HeaderTooLarge", // npy
    "5041523115041500, HeaderTooLarge", // Parquet
    "76657273696f6e2068747470733a2f2f6769742d6c66732e, HeaderTooLarge", // git-LFS
    "3c21444f43545950452068746d6c3e, HeaderTooLarge", // web page
    "3c68746d6c3e0a3c68656164, HeaderTooLarge", // web page
    "7b2274223a7b226474797065, HeaderTooLarge" // JSON without a length before it
  })
  void aFileOfAnotherKindIsNamed(String hex, SafetensorsError kind) {
    byte[] start = HexFormat.of().parseHex(hex);
    assertRefused(kind, Arrays.copyOf(start, 64));
  }

  @Test
  void aHeaderLengthIsNotTakenForAnotherKindOfFile() {
    for (int n : new int[] {0x0280, 0x0480, 0x227b, 0x7b}) {
      assertRefused(InvalidHeaderDeserialization, prefix(n, 10_000));
    }
  }

  @Test
  void aHoleBetweenTensorsIsRefused() {
    String json = header(entry("a", "U8", "4", "0", "4"), entry("b", "U8", "2", "6", "8"));
    assertRefused(InvalidOffset, MemoryFile.of(json, 8));
  }

  @Test
  void theFirstTensorBeginsWithTheData() {
    assertRefused(InvalidOffset, MemoryFile.of(header(entry("a", "U8", "1", "1", "2")), 2));
  }

  @Test
  void overlappingAndReversedTensorsAreRefused() {
    String a = entry("a", "U8", "4", "0", "4");
    assertRefused(InvalidOffset, MemoryFile.of(header(a, entry("b", "U8", "4", "0", "4")), 4));
    assertRefused(InvalidOffset, MemoryFile.of(header(a, entry("b", "U8", "4", "2", "6")), 6));
    assertRefused(InvalidOffset, MemoryFile.of(header(a, entry("b", "U8", "0", "2", "2")), 4));
    assertRefused(InvalidOffset, MemoryFile.of(header(a, entry("b", "U8", "0", "9", "9")), 4));
    assertRefused(InvalidOffset, MemoryFile.of(header(a, entry("b", "U8", "4", "4", "0")), 8));
    String reversedFromTheStart = header(entry("a", "U8", "1", "1", "0"));
    assertRefused(InvalidOffset, MemoryFile.of(reversedFromTheStart, 1));
  }

  @Test
  void tensorsComeInDataOrder() throws IOException {
    String json =
        header(
            entry("c", "F32", "", "3", "7"),
            entry("b", "U8", "0", "3", "3"),
            entry("a", "U8", "3", "0", "3"));
    SafetensorsHeader header = MemoryFile.read(MemoryFile.of(json, 7));
    assertThat(header.tensors()).extracting(TensorInfo::name).containsExactly("a", "b", "c");
    assertThat(header.tensors()).extracting(TensorInfo::byteLength).containsExactly(3L, 0L, 4L);
    assertThat(header.headerBytes()).isEqualTo(json.length());
    assertThat(header.dataStart()).isEqualTo(8 + json.length());
  }

  @Test
  void tensorsThatRepeatPartOfTheTextOfAnotherHaveTheirOwnFields() throws IOException {
    String object = "\"%s\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[%d,%d]%s}";
    String json =
        header(
            object.formatted("a", 0, 2, ""),
            "\"b\":{\"shape\":[1],\"data_offsets\":[2,4],\"dtype\":\"F16\"}",
            object.formatted("c", 4, 6, ""),
            "\"d\":[\"F16\",[1],[6,8]]",
            object.formatted("e", 8, 10, ",\"other\":[1]"),
            entry("f", "U8", "2,1", "10", "12"),
            object.formatted("g", 12, 14, ""));
    List<TensorInfo> tensors = MemoryFile.read(MemoryFile.of(json, 14)).tensors();
    List<TensorInfo> expected =
        List.of(
            new TensorInfo("a", DType.U8, List.of(2L), 0, 2),
            new TensorInfo("b", DType.F16, List.of(1L), 2, 4),
            new TensorInfo("c", DType.U8, List.of(2L), 4, 6),
            new TensorInfo("d", DType.F16, List.of(1L), 6, 8),
            new TensorInfo("e", DType.U8, List.of(2L), 8, 10),
            new TensorInfo("f", DType.U8, List.of(2L, 1L), 10, 12),
            new TensorInfo("g", DType.U8, List.of(2L), 12, 14));
    assertThat(tensors).isEqualTo(expected);
    assertThat(tensors.get(2)).isEqualTo(expected.get(2)); // after g
    String twice = object.formatted("b", 2, 4, ",\"shape\":[2]");
    assertRefused(
        InvalidHeaderDeserialization,
        MemoryFile.of(header(object.formatted("a", 0, 2, ""), twice), 4));
  }

  @ParameterizedTest
  @CsvSource({
    "F4, 3",
    "F4, ''",
    "'F6_E2M3', 3",
    "'F6_E3M2', '2,1'",
    "F4, '1,1,1'",
  })
  void aPackedTensorFillsWholeBytes(String dtype, String shape) {
    byte[] file = MemoryFile.of(header(entry("a", dtype, shape, "0", "2")), 2);
    assertRefused(MisalignedSlice, file);
  }

  @ParameterizedTest
  @CsvSource({"F4, '2,3', 3", "'F6_E3M2', 4, 3", "'F6_E2M3', '4,4', 12", "F4, 0, 0", "F4, 2, 1"})
  void aPackedTensorHasItsBitsInBytes(String dtype, String shape, int bytes) throws IOException {
    String json = header(entry("a", dtype, shape, "0", Integer.toString(bytes)));
    assertThat(MemoryFile.read(MemoryFile.of(json, bytes)).tensors()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "U8, '4294967296,4294967296'",
    "F32, '4611686018427387905,4'",
    "U8, '9223372036854775808,4,0'",
    "U8, 2305843009213693952",
    "BOOL, 18446744073709551615",
    "F4, '4611686018427387904'",
    "I32, '2,9223372036854775807'"
  })
  void aSizeOfTwoToThe64BitsOverflows(String dtype, String shape) {
    byte[] file = MemoryFile.of(header(entry("a", dtype, shape, "0", "16")), 16);
    assertRefused(ValidationOverflow, file);
  }

  @Test
  void anEmptyTensorMayHaveHugeDimensions() throws IOException {
    String json = header(entry("a", "U8", "0,9223372036854775808,4", "0", "0"));
    SafetensorsHeader header = MemoryFile.read(MemoryFile.of(json, 0));
    assertThat(header.tensors().get(0).shape()).isEqualTo(List.of(0L, Long.MIN_VALUE, 4L));
  }

  @Test
  void offsetsAndShapeMustAgree() {
    byte[] file = MemoryFile.of(header(entry("a", "F32", "2,2", "0", "15")), 15);
    assertRefused(TensorInvalidInfo, file);
    String huge = header(entry("a", "U8", "1", "0", "18446744073709551615"));
    assertRefused(TensorInvalidInfo, MemoryFile.of(huge, 1));
  }

  @Test
  void theFileEndsWithItsLastTensor() {
    String json = header(entry("a", "U8", "4", "0", "4"));
    assertRefused(MetadataIncompleteBuffer, MemoryFile.of(json, 5));
    assertRefused(MetadataIncompleteBuffer, MemoryFile.of(json, 3));
    assertRefused(MetadataIncompleteBuffer, MemoryFile.of("{}", 1));
    String huge = header(entry("a", "F4", "4611686018427387902", "0", "2305843009213693951"));
    assertRefused(MetadataIncompleteBuffer, MemoryFile.of(huge, 4));
  }

  @Test
  void ofSeveralFaultsTheFirstCheckedCounts() {
    String place = entry("a", "F4", "3", "1", "2");
    assertRefused(InvalidOffset, MemoryFile.of(header(place), 9));
    String size = entry("a", "F4", "3", "0", "9");
    assertRefused(MisalignedSlice, MemoryFile.of(header(size), 99));
    String both = entry("a", "F4", "9223372036854775809,3", "0", "9");
    assertRefused(ValidationOverflow, MemoryFile.of(header(both), 99));
    String later = entry("b", "U8", "1", "12", "13");
    assertRefused(MisalignedSlice, MemoryFile.of(header(later, size), 99));
    byte[] utf8 = MemoryFile.of("[", 0);
    utf8[8] = (byte) 0xff;
    assertRefused(InvalidHeader, utf8);
  }

  @Test
  void aNameIsShownOnOneLine() {
    String name = "\\n\\u0085%s" + "x".repeat(4000);
    byte[] file = MemoryFile.of(header(entry(name, "U8", "1", "0", "2")), 2);
    String message = assertRefused(TensorInvalidInfo, file).getMessage();
    assertThat(message).hasSizeLessThan(250).doesNotContain("\n");
  }
}
