package org.saevhadoop.format.numpy.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.tensor.DType;

class NpyHeaderTest {
  private static final String PATH = "x.npy";
  private static final NumpyType FLOAT32 = NumpyType.of(DType.F32).orElseThrow();

  /** Returns a file with a header of a version, and so many bytes of values. */
  private static byte[] file(int version, String header, int values) {
    byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
    int prefix = version == 1 ? 10 : 12;
    ByteBuffer file =
        ByteBuffer.allocate(prefix + text.length + values).order(ByteOrder.LITTLE_ENDIAN);
    file.put("\u0093NUMPY".getBytes(StandardCharsets.ISO_8859_1));
    file.put((byte) version).put((byte) 0);
    if (version == 1) {
      file.putShort((short) text.length);
    } else {
      file.putInt(text.length);
    }
    return file.put(text).array();
  }

  private static NpyHeader read(byte[] file) throws IOException {
    return NpyHeader.read(new MemoryInput(PATH, file));
  }

  private static void refused(NpyError kind, byte[] file) {
    assertFails(kind, PATH, () -> read(file));
  }

  private static void refused(NpyError kind, String header) {
    refused(kind, file(1, header, 100));
  }

  private static String header(String descr, String order, String shape) {
    return "{'descr': %s, 'fortran_order': %s, 'shape': %s, }".formatted(descr, order, shape);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void headersOfAllVersionsAreRead(int version) throws IOException {
    byte[] file = file(version, header("'<f4'", "False", "(2, 3)") + "   \n", 24);
    assertThat(read(file))
        .isEqualTo(new NpyHeader(FLOAT32, false, List.of(2L, 3L), file.length - 24));
  }

  static Stream<Arguments> dictionaries() {
    return Stream.of(
        arguments("{\"shape\":(2L,),'fortran_order':True,'descr':'>i2'}", List.of(2L)),
        arguments(
            "  { 'descr' : '>i2','shape': ( 2 , 3 ),\n'fortran_order': True}\t", List.of(2L, 3L)),
        arguments("{'descr': '>i2', 'fortran_order': True, 'shape': ()}", List.of()),
        arguments(
            "{'descr': '>i2', 'fortran_order': True, 'shape': (0, 9223372036854775807,)}",
            List.of(0L, Long.MAX_VALUE)));
  }

  @ParameterizedTest
  @MethodSource("dictionaries")
  void whateverPythonReadsAsTheDictionaryIsRead(String header, List<Long> shape)
      throws IOException {
    NpyHeader read = read(file(1, header, 100));
    assertThat(read.type()).isEqualTo(new NumpyType('i', 2, true, DType.I16));
    assertThat(read.fortranOrder()).isTrue();
    assertThat(read.shape()).isEqualTo(shape);
  }

  @Test
  void theLengthIsThatOfAllElements() throws IOException {
    assertThat(read(file(1, header("'<c16'", "False", "(2, 3)"), 96)).length()).isEqualTo(96);
    assertThat(read(file(1, header("'<U3'", "False", "()"), 12)).length()).isEqualTo(12);
    assertThat(read(file(1, header("'|S3'", "False", "(0, 7)"), 0)).length()).isZero();
  }

  @Test
  void headersAreWrittenAsNumpyWritesThem() throws IOException {
    byte[] header = NpyHeader.encode(PATH, FLOAT32, false, List.of(7L));
    assertThat(header).hasSize(128);
    assertThat(new String(header, 0, 10, StandardCharsets.ISO_8859_1))
        .isEqualTo("\u0093NUMPY\1\0\166\0");
    assertThat(new String(header, 10, 118, StandardCharsets.ISO_8859_1))
        .isEqualTo(
            "{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }" + " ".repeat(60) + "\n");
    byte[] file = Arrays.copyOf(header, 128 + 28);
    assertThat(read(file)).isEqualTo(new NpyHeader(FLOAT32, false, List.of(7L), 128));
    byte[] scalar = NpyHeader.encode(PATH, FLOAT32.bigEndian(true), true, List.of());
    assertThat(read(Arrays.copyOf(scalar, scalar.length + 4)))
        .isEqualTo(new NpyHeader(FLOAT32.bigEndian(true), true, List.of(), scalar.length));
  }

  @Test
  void moreDimensionsThanAHeaderHoldsAreNotWritten() {
    List<Long> shape = Collections.nCopies(30_000, 1L);
    assertFails(NpyError.UNSUPPORTED, PATH, () -> NpyHeader.encode(PATH, FLOAT32, false, shape));
  }

  @Test
  void everyTruncationIsReported() {
    byte[] file = file(2, header("'<f4'", "False", "(2, 3)"), 24);
    for (int length = 0; length < file.length; length++) {
      NpyError kind = length < 6 ? NpyError.NOT_NPY : NpyError.TRUNCATED;
      refused(kind, Arrays.copyOf(file, length));
    }
  }

  @Test
  void otherFilesAreRefused() {
    refused(NpyError.NOT_NPY, "\u0089NUMPY and more".getBytes(StandardCharsets.ISO_8859_1));
    for (int version : new int[] {0, 4, 255}) {
      refused(NpyError.UNSUPPORTED, file(version, "", 0));
    }
    byte[] minor = file(1, header("'<f4'", "False", "()"), 4);
    minor[7] = 1;
    refused(NpyError.UNSUPPORTED, minor);
  }

  @Test
  void aHeaderBeyondTheFileOrTheLimitIsNotAllocated() {
    byte[] file = file(2, "", 0);
    for (int length : new int[] {-1, Integer.MAX_VALUE, 0x10000}) {
      ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(8, length);
      refused(NpyError.LIMIT_EXCEEDED, file.clone());
    }
    byte[] cut = file(1, "", 0);
    cut[8] = 1;
    refused(NpyError.TRUNCATED, cut);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'|O'",
        "'O'",
        "[('a', '<f4')]",
        "('<f4', (2,))",
        "'<M8[ns]'",
        "'|V4'",
        "'<f3'",
        "''",
        "'<U999999999'",
        "'float8_e5m2'"
      })
  void dtypesThatAreNoPlainValuesAreRefused(String descr) {
    refused(NpyError.UNSUPPORTED, header(descr, "False", "()"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(-1,)",
        "(1, -2)",
        "(3)",
        "3",
        "[3]",
        "(,)",
        "(1 2)",
        "(1,,)",
        "(True,)",
        "(1.0,)",
        "(1",
        "(9223372036854775808,)",
        "(4294967296, 4294967296)",
        "(9223372036854775807,)",
        "None"
      })
  void shapesThatNoArrayHasAreRefused(String shape) {
    refused(NpyError.BAD_HEADER, header("'<f8'", "False", shape));
  }

  @Test
  void moreDimensionsThanNumpyHasAreRefused() {
    refused(NpyError.UNSUPPORTED, header("'<f4'", "False", "(" + "1,".repeat(65) + ")"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{",
        "[1]",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': false, 'shape': ()}",
        "{'descr': '<\\x664', 'fortran_order': False, 'shape': ()}",
        "{'descr': \"<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()} or {}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()",
        "{descr: '<f4', 'fortran_order': False, 'shape': ()}"
      })
  void otherDictionariesAreRefused(String header) {
    refused(NpyError.BAD_HEADER, header);
  }
}
