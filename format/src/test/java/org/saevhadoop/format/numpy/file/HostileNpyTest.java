package org.saevhadoop.format.numpy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.array;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.file;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.header;
import static org.saevhadoop.format.numpy.header.NpyError.BAD_HEADER;
import static org.saevhadoop.format.numpy.header.NpyError.LIMIT_EXCEEDED;
import static org.saevhadoop.format.numpy.header.NpyError.NOT_NPY;
import static org.saevhadoop.format.numpy.header.NpyError.NO_ARRAYS;
import static org.saevhadoop.format.numpy.header.NpyError.TRUNCATED;
import static org.saevhadoop.format.numpy.header.NpyError.UNKNOWN_DTYPE;
import static org.saevhadoop.format.numpy.header.NpyError.UNSUPPORTED;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.testing.Allocation;

/** Files that lie about themselves, or ask for memory or a deep stack. */
class HostileNpyTest {
  private static final int MAX_ALLOCATED = 4 << 20;
  private static final String FLOAT32 = header("<f4", false, "(2, 3)");
  private static final String TAIL = ", 'fortran_order': False, 'shape': (2, 3), }";

  static Stream<Arguments> files() {
    return Stream.of(prefixes(), shapes(), dictionaries(), types()).flatMap(all -> all);
  }

  private static Stream<Arguments> prefixes() {
    byte[] valid = array("<f4", "(2, 3)", 24);
    byte[] text = FLOAT32.getBytes(StandardCharsets.ISO_8859_1);
    return Stream.of(
        arguments("empty", NOT_NPY, new byte[0]),
        arguments("zeros", NOT_NPY, new byte[1000]),
        arguments("a ZIP archive", NOT_NPY, "PK\3\4 and more".getBytes(StandardCharsets.UTF_8)),
        arguments("a pickle", NO_ARRAYS, new byte[] {(byte) 0x80, 4, 'N', '.'}),
        arguments("the magic alone", TRUNCATED, Arrays.copyOf(valid, 6)),
        arguments("no header", TRUNCATED, Arrays.copyOf(valid, 10)),
        arguments("half a header", TRUNCATED, Arrays.copyOf(valid, 40)),
        arguments("no values", TRUNCATED, Arrays.copyOf(valid, valid.length - 24)),
        arguments("a value too few", TRUNCATED, Arrays.copyOf(valid, valid.length - 1)),
        arguments("version 0", UNSUPPORTED, file(0, FLOAT32, 24)),
        arguments("version 4", UNSUPPORTED, file(4, FLOAT32, 24)),
        arguments("version 255", UNSUPPORTED, file(255, FLOAT32, 24)),
        arguments("a header of 4 GiB", LIMIT_EXCEEDED, file(2, -1, text, 24)),
        arguments("a header of 2 GiB", LIMIT_EXCEEDED, file(3, Integer.MAX_VALUE, text, 24)),
        arguments("a header beyond the file", TRUNCATED, file(1, -1, text, 24)),
        arguments("a header of 0 bytes", BAD_HEADER, file(1, 0, text, 24)),
        arguments("a header of 1 byte", BAD_HEADER, file(1, 1, text, 24)));
  }

  private static Stream<Arguments> shapes() {
    return Stream.of(
        arguments("a larger shape", TRUNCATED, array("<f4", "(2, 4)", 24)),
        arguments("a shape of 8 EiB", BAD_HEADER, array("<f4", "(9223372036854775807,)", 24)),
        arguments("a shape beyond 2^64", BAD_HEADER, array("<f4", "(4294967296, 4294967296)", 24)),
        arguments("a size beyond 2^64", BAD_HEADER, array("<f4", "(18446744073709551616,)", 24)),
        arguments("a size of 60,000 digits", BAD_HEADER, array("<f4", "(" + digits() + ",)", 24)),
        arguments("a negative size", BAD_HEADER, array("<f4", "(-1,)", 24)),
        arguments("two negative sizes", BAD_HEADER, array("<f4", "(-2, -3)", 24)),
        arguments("a fraction", BAD_HEADER, array("<f4", "(2.0, 3)", 24)),
        arguments("a product", BAD_HEADER, array("<f4", "(2*3,)", 24)),
        arguments("a call", BAD_HEADER, array("<f4", "__import__('os').system('id')", 24)),
        arguments("65 dimensions", UNSUPPORTED, array("<f4", "(" + "1,".repeat(65) + ")", 4)),
        arguments(
            "30,000 dimensions", UNSUPPORTED, array("<f4", "(" + "1,".repeat(30_000) + ")", 4)),
        arguments("nested tuples", BAD_HEADER, array("<f4", "(".repeat(50_000), 24)),
        arguments("a superscript digit", BAD_HEADER, array("<f4", "(\u00b2,)", 24)));
  }

  private static Stream<Arguments> dictionaries() {
    return Stream.of(
        arguments("nested dictionaries", BAD_HEADER, file(1, "{".repeat(60_000), 24)),
        arguments("nested lists", BAD_HEADER, file(1, "[".repeat(60_000), 24)),
        arguments(
            "a dictionary as dtype", BAD_HEADER, file(1, "{'descr': {'names': []}" + TAIL, 24)),
        arguments(
            "a dtype twice", BAD_HEADER, file(1, "{'descr': '<f4', 'descr': '<f8'" + TAIL, 24)),
        arguments("another key", BAD_HEADER, file(1, "{'descr': '<f4', 'x': 1" + TAIL, 24)),
        arguments("an escape", BAD_HEADER, file(1, "{'descr': '\\x3cf4'" + TAIL, 24)),
        arguments("a string without an end", BAD_HEADER, file(1, "{'descr': '<f4", 24)),
        arguments("two dictionaries", BAD_HEADER, file(1, FLOAT32 + FLOAT32, 24)),
        arguments("control characters", BAD_HEADER, file(1, "\u001b[2J{'descr'\n:\r", 24)));
  }

  private static Stream<Arguments> types() {
    return Stream.of(
        arguments("nested fields", UNSUPPORTED, file(1, "{'descr': [('a', [('b'" + TAIL, 24)),
        arguments("a string of 4 GiB", UNSUPPORTED, array("<U999999999", "(0,)", 0)),
        arguments("a code of 60,000 digits", UNSUPPORTED, array("<f" + digits(), "(2, 3)", 24)),
        arguments("a dtype in Unicode", UNSUPPORTED, array("<\u00e4\u0085\u001b4", "(2, 3)", 24)),
        arguments("bytes of 2 GiB", UNSUPPORTED, array("|V2147483647", "(2, 3)", 24)),
        arguments("bytes without a type", UNKNOWN_DTYPE, array("|V2", "(2, 3)", 12)));
  }

  private static String digits() {
    return "9".repeat(60_000);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void aHostileFileIsRefusedInOneLine(String name, NpyError kind, byte[] bytes) {
    MemoryStorage folder = new MemoryStorage("data");
    folder.put("x.npy", bytes);
    FormatException error =
        assertFails(
            kind,
            "x.npy",
            () ->
                Allocation.atMost(
                    MAX_ALLOCATED, () -> new NumpyReader(null).read(folder, "x.npy")));
    assertThat(error).as(name).message().hasLineCount(1).hasSizeLessThan(300);
  }

  @Test
  void thereAreFortyOfThem() {
    assertThat(files()).hasSizeGreaterThanOrEqualTo(40);
  }
}
