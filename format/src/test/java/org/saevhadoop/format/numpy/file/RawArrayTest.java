package org.saevhadoop.format.numpy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.tensor.DType;

/** Files of values without a header: their description by the user, by names and by documents. */
class RawArrayTest {
  private final MemoryStorage folder = new MemoryStorage("data");

  private FileArray read(String raw, int bytes) throws IOException {
    folder.put("x.bin", new byte[bytes]);
    NumpyReader reader = new NumpyReader(null).raw(RawArray.parse(raw));
    return reader.read(folder, "x.bin").arrays().get(0);
  }

  private List<String> stated(String name, int bytes) throws IOException {
    return RawShapes.of(folder, name, bytes).stream().map(RawArray::toString).toList();
  }

  private void document(String name, String json) {
    folder.put(name, json.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource({
    "f2, F16",
    "float16, F16",
    "F16, F16",
    "f4, F32",
    "<f4, F32",
    "torch.float32, F32",
    "f8, F64",
    "i2, I16",
    "bfloat16, BF16",
    "BF16, BF16",
    "bf16, BF16",
    "torch.bfloat16, BF16",
    "float8_e4m3fn, F8_E4M3",
    "f8-e4m3, F8_E4M3",
    "u1, U8"
  })
  void typesHaveTheNamesOfNumpyAndOfTheOptionDtype(String word, DType dtype) throws IOException {
    FileArray array = read(word + ",6,4", 24 * dtype.bits() / Byte.SIZE);
    assertThat(array.dtype()).isEqualTo(dtype);
    assertThat(array.shape()).containsExactly(6L, 4L);
    assertThat(array.layout().offset()).isZero();
    assertThat(RawArray.parse(word + ",6,4")).hasToString(word + ",6,4");
  }

  @Test
  void theByteOrderIsThatOfTheType() throws IOException {
    assertThat(read(">f4,6", 24).swapUnit()).isEqualTo(4);
    assertThat(read("f4,6", 24).swapUnit()).isEqualTo(1);
  }

  @Test
  void oneSizeMayFollowFromTheLength() throws IOException {
    assertThat(read("f4,-1,3", 24).shape()).containsExactly(2L, 3L);
    assertThat(read("f4,2,-1", 24).shape()).containsExactly(2L, 3L);
    assertThat(read("f4,-1", 24).shape()).containsExactly(6L);
    assertThat(read("f4,-1,3", 0).shape()).containsExactly(0L, 3L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "f4",
        "4,3",
        "x4,3",
        "F4,3",
        "U3,3",
        "f4,",
        "f4,3,",
        "f4,-2",
        "f4,-1,-1",
        "f4,-1,0",
        "f4,1.5",
        "f4,9223372036854775807,2",
        "f4,4294967296,4294967296",
        "O,3"
      })
  void anythingElseIsNoArray(String text) {
    assertThatThrownBy(() -> RawArray.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theLengthMustBeThatOfTheArray() {
    assertFails(NpyError.WRONG_LENGTH, "x.bin", () -> read("f4,2,3", 23));
    assertFails(NpyError.WRONG_LENGTH, "x.bin", () -> read("f4,2,3", 48));
    assertFails(NpyError.WRONG_LENGTH, "x.bin", () -> read("f4,-1,3", 25));
    assertFails(NpyError.WRONG_LENGTH, "x.bin", () -> read("f4,-1", 25));
  }

  @Test
  void theHeaderOfAFileCountsWithAWarning() throws IOException {
    folder.put("x.npy", HandMadeNpy.array("<f4", "(2, 3)", 24));
    ArrayFile file = new NumpyReader(null).raw(RawArray.parse("f4,6")).read(folder, "x.npy");
    assertThat(file.arrays().get(0).shape()).containsExactly(2L, 3L);
    assertThat(file.warnings()).containsExactly("has a numpy header, which overrides --raw");
  }

  @Test
  void valuesWithoutADescriptionAreRefused() {
    folder.put("x.npy", new byte[24]);
    assertFails(NpyError.NOT_NPY, "x.npy", () -> new NumpyReader(null).read(folder, "x.npy"));
  }

  @ParameterizedTest
  @CsvSource({
    "dstore_gpt2_60_16_keys.npy, 1920, 'f2,60,16'",
    "dstore_gpt2_60_16_keys.npy, 3840, 'f4,60,16'",
    "dstore_gpt2-xl_60_16_keys.npy, 1920, 'f2,60,16'",
    "acts-60x16.bin, 3840, 'f4,60,16'",
    "acts_layer3_5_4_16.mmap, 640, 'f2,5,4,16'",
    "60_16, 3840, 'f4,60,16'",
    "run_7_60_16.dat, 3840, 'f4,60,16'"
  })
  void aNameStatesTheShapeIfItsNumbersFitTheLength(String name, int bytes, String expected)
      throws IOException {
    assertThat(stated(name, bytes)).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "dstore_gpt2_60_16_vals.npy, 240",
    "dstore_gpt2_60_16_keys.npy, 1921",
    "gpt2_16.npy, 64",
    "a60_16b.npy, 1920",
    "99999999999_99999999999.npy, 4",
    "0_16.npy, 0"
  })
  void anythingElseStatesNothing(String name, int bytes) throws IOException {
    assertThat(stated(name, bytes)).isEmpty();
  }

  @Test
  void twoShapesOfTheSameLengthAreBothStated() throws IOException {
    assertThat(stated("x_2_60_16.bin", 3840)).containsExactly("f2,2,60,16", "f4,60,16");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x.json", "x.meta", "x.bin.json", "x.bin.meta", "metadata.json"})
  void aDocumentBesideTheFileStatesItsShape(String name) throws IOException {
    document(name, "{\"shape\": [6, 4], \"dtype\": \"bfloat16\", \"model\": \"m\"}");
    assertThat(stated("x.bin", 48)).containsExactly("bfloat16,6,4");
    assertThat(stated("x.bin", 96)).isEmpty();
    document(name, "{\"shape\": [6, 4]}");
    assertThat(stated("x.bin", 96)).containsExactly("f4,6,4");
  }

  @Test
  void documentsOfOtherProgramsStateNothing() throws IOException {
    document("x.json", "{\"dtype\": \"int7\", \"shape\": [6, 4]}");
    document("metadata.json", "[]");
    assertThat(stated("x.bin", 48)).isEmpty();
  }
}
