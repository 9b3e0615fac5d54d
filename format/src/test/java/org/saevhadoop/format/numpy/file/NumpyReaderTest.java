package org.saevhadoop.format.numpy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.array;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.file;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.header;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.HandMadeZip;
import org.saevhadoop.testing.Allocation;

class NumpyReaderTest {
  private static final byte[] FLOATS = array("<f4", "(2, 3)", 24);
  private static final int FLOATS_BEGIN = FLOATS.length - 24;

  private final MemoryStorage folder = new MemoryStorage("data");

  private ArrayFile read(String name, byte[] bytes, @Nullable DType storedAs) throws IOException {
    folder.put(name, bytes);
    return new NumpyReader(storedAs).read(folder, name);
  }

  private FileArray npy(byte[] bytes) throws IOException {
    ArrayFile file = read("x.npy", bytes, null);
    assertThat(file.warnings()).isEmpty();
    assertThat(file.arrays()).hasSize(1);
    return file.arrays().get(0);
  }

  private ArrayFile npz(HandMadeZip zip) throws IOException {
    return read("x.npz", zip.bytes(), null);
  }

  private void meta(String name, String json) {
    folder.put(name, json.getBytes(StandardCharsets.UTF_8));
  }

  private FileArray memmap(int bytes, @Nullable DType storedAs) throws IOException {
    return read("shard_0.memmap", new byte[bytes], storedAs).arrays().get(0);
  }

  @Test
  void filesAreKnownByTheirNames() {
    NumpyReader reader = new NumpyReader(null);
    assertThat(List.of("a.npy", "a.b.npz", "shard_0.memmap", ".npy")).allMatch(reader::isNamed);
    assertThat(List.of("a.NPY", "npy", "a.npy.lock", "shard_0.meta", "a.pt"))
        .noneMatch(reader::isNamed);
  }

  @Test
  void anArrayIsReadInPlace() throws IOException {
    assertThat(npy(FLOATS))
        .isEqualTo(
            new FileArray(
                ArrayFile.UNNAMED,
                DType.F32,
                new StridedLayout(FLOATS_BEGIN, 4, List.of(2L, 3L), List.of(12L, 4L))));
  }

  @Test
  void noValuesAreReadBehindTheBytesThatAHeaderMayHave() throws IOException {
    npy(file(1, header("<f4", false, "(1000,)"), 4000));
    assertThat(folder.bytesRead()).isEqualTo(128);
  }

  @Test
  void anArrayInFortranOrderHasItsStrides() throws IOException {
    assertThat(npy(file(3, header("<f8", true, "(2, 3)"), 48)).layout().strides())
        .containsExactly(8L, 16L);
  }

  @ParameterizedTest
  @CsvSource({
    ">f4, F32, 4, 4",
    ">i8, I64, 8, 8",
    ">c8, C64, 8, 4",
    ">u1, U8, 1, 1",
    "=i2, I16, 2, 1",
    "|b1, BOOL, 1, 1",
    "<f2, F16, 2, 1"
  })
  void theByteOrderIsThatOfTheNumbers(String descr, DType dtype, int size, int unit)
      throws IOException {
    FileArray array = npy(array(descr, "(5,)", 5 * size));
    assertThat(array.dtype()).isEqualTo(dtype);
    assertThat(array.swapUnit()).isEqualTo(unit);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(0,)", "(3, 0, 9223372036854775807, 9223372036854775807)"})
  void anEmptyArrayMayHaveAnyOtherSizes(String shape) throws IOException {
    assertThat(npy(array("<f4", shape, 0)).layout().length()).isZero();
    assertThat(npy(file(1, header("<f4", true, shape), 0)).layout().length()).isZero();
  }

  @Test
  void aScalarHasNoDimensions() throws IOException {
    FileArray array = npy(array("<f4", "()", 4));
    assertThat(array.shape()).isEmpty();
    assertThat(array.layout().length()).isEqualTo(4);
  }

  @Test
  void bytesAfterTheArrayAreAWarning() throws IOException {
    assertThat(read("x.npy", array("<f4", "(1,)", 7), null).warnings())
        .containsExactly("the 3 bytes after the array are ignored");
  }

  @ParameterizedTest
  @ValueSource(strings = {"|V2", "<V2", ">V2", "V1", "|V1"})
  void bytesWithoutATypeAreRefusedUnlessTheUserNamesIt(String descr) {
    assertFails(NpyError.UNKNOWN_DTYPE, "x.npy", () -> npy(array(descr, "(2,)", 4)));
  }

  @ParameterizedTest
  @CsvSource({
    "|V2, BF16, BF16, 1",
    ">V2, BF16, BF16, 2",
    "<i2, BF16, BF16, 1",
    ">u2, BF16, BF16, 2",
    "<u2, F16, F16, 1",
    "|V1, F8_E4M3, F8_E4M3, 1",
    "|u1, F8_E5M2, F8_E5M2, 1",
    "<f2, BF16, F16, 1",
    "|b1, F8_E5M2, BOOL, 1",
    "<i4, BF16, I32, 1",
    "<i2, F4, I16, 1"
  })
  void aStoredTypeAppliesToIntegersOfItsSize(String descr, DType storedAs, DType expected, int unit)
      throws IOException {
    FileArray array = read("x.npy", array(descr, "(2,)", 8), storedAs).arrays().get(0);
    assertThat(array.dtype()).isEqualTo(expected);
    assertThat(array.swapUnit()).isEqualTo(unit);
  }

  @Test
  void tokenIdsAndMasksAreIntegersWhateverTheStoredTypeIs() throws IOException {
    byte[] ids = array("<u2", "(2,)", 4);
    HandMadeZip zip =
        new HandMadeZip().stored("a/input_ids.npy", ids).stored("batch.mask.npy", ids);
    folder.put("x.npz", zip.stored("acts.npy", ids).bytes());
    assertThat(new NumpyReader(DType.BF16).read(folder, "x.npz").arrays())
        .extracting(FileArray::dtype)
        .containsExactly(DType.U16, DType.U16, DType.BF16);
    assertThat(read("token_ids.npy", ids, DType.BF16).arrays())
        .extracting(FileArray::dtype)
        .containsExactly(DType.U16);
  }

  @Test
  void vectorsInAnArrayWithTheNameOfAMaskHaveTheStoredType() throws IOException {
    for (byte[] vectors : List.of(array("<i2", "(1, 1, 2)", 4), array("|V2", "(2,)", 4))) {
      assertThat(read("tokens.npy", vectors, DType.BF16).arrays())
          .extracting(FileArray::dtype)
          .containsExactly(DType.BF16);
    }
  }

  @Test
  void aStoredTypeOfAnotherSizeDoesNotApplyToBytes() {
    assertFails(
        NpyError.UNKNOWN_DTYPE, "x.npy", () -> read("x.npy", array("|V2", "()", 2), DType.F32));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<M8[ns]", "<m8[us]", "|V7", "<U3", "|S3", "<c16", "<f16"})
  void otherTypesAreRefusedByName(String descr) {
    assertFails(NpyError.UNSUPPORTED, "x.npy", () -> npy(array(descr, "(1,)", 16)));
  }

  @Test
  void structuredTypesAreRefused() {
    String header = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }";
    assertFails(NpyError.UNSUPPORTED, "x.npy", () -> npy(file(1, header, 4)));
  }

  @Test
  void storedEntriesAreReadInPlace() throws IOException {
    byte[] ids = array(">i8", "(2,)", 16);
    byte[] zip = new HandMadeZip().stored("a/acts.npy", FLOATS).stored("ids.npy", ids).bytes();
    ArrayFile file = read("x.npz", zip, null);
    assertThat(file.arrays()).extracting(FileArray::name).containsExactly("a/acts", "ids");
    assertThat(file.arrays()).extracting(FileArray::swapUnit).containsExactly(1, 8);
    assertThat(file.entries())
        .extracting(ArchiveEntry::name)
        .containsExactly("a/acts.npy", "ids.npy");
    assertThat(file.warnings()).isEmpty();
    int begin = (int) file.arrays().get(0).layout().offset();
    assertThat(begin).isEqualTo(file.entries().get(0).dataOffset() + FLOATS_BEGIN);
    assertThat(zip[begin + 1]).isEqualTo((byte) 31);
  }

  @Test
  void arraysOfOtherTypesAreLeftOutBesideReadableOnes() throws IOException {
    ArrayFile file =
        npz(
            new HandMadeZip()
                .stored("names.npy", array("<U3", "(1,)", 12))
                .stored("acts.npy", FLOATS)
                .stored("config.npy", array("|O", "()", 99))
                .deflated("README", new byte[100]));
    assertThat(file.arrays()).extracting(FileArray::name).containsExactly("acts");
    assertThat(file.entries()).extracting(ArchiveEntry::name).containsExactly("acts.npy");
    assertThat(file.warnings())
        .containsExactly(
            "entry \"names.npy\" contains strings, dtype '<U3' and is left out",
            "entry \"config.npy\" contains Python objects, dtype '|O' and is left out",
            "entry \"README\" is not a .npy file and is left out");
  }

  @Test
  void warningsAreLimited() throws IOException {
    HandMadeZip zip = new HandMadeZip().stored("acts.npy", FLOATS);
    IntStream.range(0, 100).forEach(i -> zip.stored("note" + i, new byte[1]));
    assertThat(npz(zip).warnings()).hasSize(21).last().asString().contains("80 more");
  }

  @Test
  void anArchiveWithoutAReadableArrayIsRefused() {
    HandMadeZip objects = new HandMadeZip().stored("a.npy", array("|O", "()", 8));
    assertFails(NpyError.UNSUPPORTED, "x.npz/a.npy", () -> npz(objects));
    assertFails(NpyError.NO_ARRAYS, "x.npz", () -> npz(new HandMadeZip()));
    assertFails(NpyError.NO_ARRAYS, "x.npz", () -> npz(new HandMadeZip().stored("a", new byte[1])));
  }

  @Test
  void compressedEntriesAreNotReadInPlace() {
    folder.put(
        "x.npz", new HandMadeZip().stored("a.npy", FLOATS).deflated("b.npy", FLOATS).bytes());
    assertFails(
        NpyError.COMPRESSED, "x.npz", () -> new NumpyReader(null).inPlace().read(folder, "x.npz"));
  }

  @Test
  void otherEntriesMayBeCompressed() throws IOException {
    folder.put(
        "x.npz", new HandMadeZip().stored("a.npy", FLOATS).deflated("README", FLOATS).bytes());
    assertThat(new NumpyReader(null).inPlace().read(folder, "x.npz").arrays()).hasSize(1);
  }

  @Test
  void ofACompressedArrayOnlyTheHeaderIsInflated() throws IOException {
    byte[] zeros = file(1, HandMadeNpy.header("<f4", false, "(1000000,)"), 4_000_000);
    Arrays.fill(zeros, 200, zeros.length, (byte) 0);
    byte[] zip = new HandMadeZip().deflated("a.npy", zeros).stored("b.npy", FLOATS).bytes();
    folder.put("x.npz", zip);
    List<FileArray> arrays =
        Allocation.atMost(1 << 20, () -> new NumpyReader(null).read(folder, "x.npz")).arrays();
    assertThat(arrays.get(0).shape()).containsExactly(1_000_000L);
    assertThat(arrays.get(0).layout().offset()).isEqualTo(zeros.length - 4_000_000);
  }

  @Test
  void bytesWithoutATypeAreNotLeftOutOfAnArchive() {
    HandMadeZip zip =
        new HandMadeZip().stored("a.npy", FLOATS).stored("b.npy", array("|V2", "()", 2));
    assertFails(NpyError.UNKNOWN_DTYPE, "x.npz/b.npy", () -> npz(zip));
  }

  @ParameterizedTest
  @CsvSource({
    "torch.bfloat16, BF16, 2, 1",
    "bfloat16, BF16, 2, 1",
    "int16, I16, 2, 1",
    "torch.float32, F32, 4, 1",
    "float16, F16, 2, 1",
    "torch.float8_e4m3fn, F8_E4M3, 1, 1",
    "bool, BOOL, 1, 1",
    ">f4, F32, 4, 4"
  })
  void theDocumentBesideAMemoryMapNamesItsType(String name, DType dtype, int size, int unit)
      throws IOException {
    meta("shard_0.meta", "{\"shape\": [3, 5], \"dtype\": \"" + name + "\"}");
    FileArray array = memmap(15 * size, null);
    assertThat(array)
        .isEqualTo(
            new FileArray(
                ArrayFile.UNNAMED, dtype, StridedLayout.cOrder(0, size, List.of(3L, 5L)), unit));
  }

  @Test
  void theFirstDocumentsNamedNoType() throws IOException {
    meta("shard_0.meta", "{\"shape\": [3, 5]}");
    assertThat(memmap(60, DType.BF16).dtype()).isEqualTo(DType.F32);
  }

  @Test
  void theMoreSpecificDocumentCounts() throws IOException {
    meta("shard_0.meta", "{\"shape\": [1]}");
    meta("shard_0.memmap.meta", "{\"shape\": [2], \"dtype\": \"int16\"}");
    assertThat(memmap(4, null).dtype()).isEqualTo(DType.I16);
    assertThat(memmap(4, DType.BF16).dtype()).isEqualTo(DType.BF16);
  }

  @Test
  void aMemoryMapWithoutItsDocumentIsRefused() {
    assertFails(NpyError.NO_DESCRIPTION, "shard_0.memmap", () -> memmap(4, null));
  }

  @Test
  void headersOfAnyNumberOfEntriesAreReadAlone() throws IOException {
    HandMadeZip zip = new HandMadeZip();
    byte[] large = array("<f4", "(100000,)", 400_000);
    IntStream.range(0, 20).forEach(i -> zip.stored(i + ".npy", large));
    assertThat(npz(zip).arrays().stream().map(FileArray::name).collect(Collectors.toList()))
        .hasSize(20);
    assertThat(folder.bytesRead()).isLessThan(200_000);
  }
}
