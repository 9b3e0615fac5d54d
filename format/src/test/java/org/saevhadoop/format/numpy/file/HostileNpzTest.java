package org.saevhadoop.format.numpy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.array;
import static org.saevhadoop.format.numpy.file.HandMadeNpy.file;
import static org.saevhadoop.format.numpy.header.NpyError.BAD_DESCRIPTION;
import static org.saevhadoop.format.numpy.header.NpyError.WRONG_LENGTH;
import static org.saevhadoop.format.zip.HandMadeZip.zip64;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.json.JsonError;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.zip.HandMadeZip;
import org.saevhadoop.format.zip.HandMadeZip.Part;
import org.saevhadoop.format.zip.ZipError;
import org.saevhadoop.testing.Allocation;

/** Archives and memory maps that lie about themselves, or ask for memory or a deep stack. */
class HostileNpzTest {
  private static final int MAX_ALLOCATED = 4 << 20;
  private static final byte[] FLOATS = array("<f4", "(2, 3)", 24);
  private static final long MAX_32 = 0xffffffffL;

  private static HandMadeZip one() {
    return new HandMadeZip().stored("a.npy", FLOATS);
  }

  private static Arguments changed(String name, ErrorKind kind, Consumer<Part> change) {
    return arguments(name, kind, one().part(change).bytes());
  }

  /** The sizes of the entry are in a ZIP64 field. */
  private static Arguments wide(String name, ErrorKind kind, long... sizes) {
    return changed(
        name,
        kind,
        p -> {
          p.size = MAX_32;
          p.compressedSize = MAX_32;
          p.extra = zip64(sizes);
          p.localExtra = p.extra;
        });
  }

  private static Arguments with(String name, ErrorKind kind, byte[] npy) {
    return arguments(name, kind, one().stored("b.npy", npy).bytes());
  }

  private static Arguments named(String test, ErrorKind kind, String name) {
    return arguments(test, kind, new HandMadeZip().stored(name, FLOATS).bytes());
  }

  static Stream<Arguments> archives() {
    return Stream.of(structures(), sizes(), entries()).flatMap(all -> all);
  }

  private static Stream<Arguments> structures() {
    byte[] valid = one().bytes();
    return Stream.of(
        arguments("empty", ZipError.NOT_A_ZIP, new byte[0]),
        arguments("a .npy file", ZipError.NOT_A_ZIP, FLOATS),
        arguments("half a file", ZipError.TRUNCATED, Arrays.copyOf(valid, valid.length / 2)),
        arguments("no last byte", ZipError.TRUNCATED, Arrays.copyOf(valid, valid.length - 1)),
        arguments("no entries", NpyError.NO_ARRAYS, new HandMadeZip().bytes()),
        arguments("the same name", ZipError.DUPLICATE_NAME, one().stored("a.npy", FLOATS).bytes()),
        arguments(
            "an unlisted entry",
            ZipError.UNLISTED_ENTRY,
            one().stored("b.npy", FLOATS).part(p -> p.isListed = false).bytes()),
        arguments(
            "the same bytes",
            ZipError.OVERLAP,
            one()
                .stored("a.npy", FLOATS)
                .part(p -> p.isWritten = false)
                .part(p -> p.offset = 0L)
                .part(p -> p.name = "b.npy".getBytes(StandardCharsets.UTF_8))
                .bytes()),
        arguments(
            "too many entries", ZipError.BAD_DIRECTORY, one().with(z -> z.entries = 2L).bytes()),
        arguments(
            "2^40 entries",
            ZipError.TOO_LARGE,
            one().with(z -> z.wide = true).with(z -> z.wideEntries = 1L << 40).bytes()),
        arguments(
            "a directory of 4 GiB",
            ZipError.TOO_LARGE,
            one().with(z -> z.directoryLength = MAX_32).bytes()),
        arguments(
            "a directory beyond the file",
            ZipError.BAD_DIRECTORY,
            one().with(z -> z.wide = true).with(z -> z.wideDirectoryOffset = 1L << 60).bytes()),
        named("an absolute name", ZipError.BAD_NAME, "/etc/a.npy"),
        named("a backslash", ZipError.BAD_NAME, "..\\a.npy"),
        named("a NUL", ZipError.BAD_NAME, "a\0.npy"),
        named("a long name", ZipError.TOO_LARGE, "a".repeat(1030) + ".npy"),
        changed("a name that is not UTF-8", ZipError.BAD_NAME, p -> p.name = new byte[] {-1}));
  }

  private static Stream<Arguments> sizes() {
    return Stream.of(
        changed("a larger size", ZipError.IMPOSSIBLE_SIZE, p -> p.size++),
        changed("a larger local size", ZipError.HEADER_MISMATCH, p -> p.localSize = 999L),
        changed(
            "an entry beyond the file",
            ZipError.OUT_OF_FILE,
            p -> {
              p.size += 1000;
              p.compressedSize += 1000;
            }),
        wide("a ZIP64 size of 8 EiB", ZipError.OUT_OF_FILE, Long.MAX_VALUE, Long.MAX_VALUE),
        wide("a negative ZIP64 size", ZipError.BAD_DIRECTORY, -1, -1),
        wide("half a ZIP64 field", ZipError.BAD_DIRECTORY, FLOATS.length),
        changed(
            "a ZIP64 offset beyond the file",
            ZipError.OUT_OF_FILE,
            p -> {
              p.offset = MAX_32;
              p.extra = zip64(1L << 50);
            }),
        changed("an encrypted entry", ZipError.ENCRYPTED, p -> p.flags = 1),
        changed("another method", ZipError.UNSUPPORTED_METHOD, p -> p.method = 93),
        changed(
            "another local name", ZipError.HEADER_MISMATCH, p -> p.localName = new byte[] {'b'}));
  }

  private static Stream<Arguments> entries() {
    byte[] bomb = file(1, HandMadeNpy.header("|u1", false, "(1000000,)"), 1_000_000);
    Arrays.fill(bomb, 100, bomb.length, (byte) 0);
    return Stream.of(
        arguments(
            "a bomb",
            NpyError.WRONG_LENGTH,
            one().deflated("b.npy", Arrays.copyOf(bomb, 2_000_000)).bytes()),
        arguments(
            "deflated values that are not all there",
            NpyError.TRUNCATED,
            one().deflated("b.npy", array("<f4", "(2, 9)", 24)).bytes()),
        arguments(
            "a header that is not deflated",
            ZipError.BAD_DATA,
            one()
                .deflated("b.npy", FLOATS)
                .part(p -> p.data = new byte[] {-1, -1, -1, -1})
                .part(p -> p.compressedSize = 4)
                .bytes()),
        arguments(
            "deflated data that ends in the header",
            ZipError.BAD_DATA,
            one()
                .deflated("b.npy", FLOATS)
                .part(p -> p.data = Arrays.copyOf(p.data, 20))
                .part(p -> p.compressedSize = 20)
                .bytes()),
        with("an empty entry", NpyError.NOT_NPY, new byte[0]),
        with("an entry of zeros", NpyError.NOT_NPY, new byte[100]),
        with("an entry that ends early", NpyError.TRUNCATED, Arrays.copyOf(FLOATS, 40)),
        with("values of the next entry", NpyError.TRUNCATED, array("<f4", "(2, 9)", 24)),
        with("a negative shape", NpyError.BAD_HEADER, array("<f4", "(-2,)", 24)),
        with("a shape of 8 EiB", NpyError.BAD_HEADER, array("<f8", "(9223372036854775807,)", 8)),
        with("a header of 4 GiB", NpyError.LIMIT_EXCEEDED, file(2, -1, FLOATS, 24)),
        with("nested dictionaries", NpyError.BAD_HEADER, file(1, "{".repeat(60_000), 24)),
        with("bytes without a type", NpyError.UNKNOWN_DTYPE, array("<V2", "(2,)", 4)),
        arguments(
            "objects alone",
            NpyError.UNSUPPORTED,
            new HandMadeZip().stored("b.npy", array("|O", "(2,)", 16)).bytes()));
  }

  static Stream<Arguments> memoryMaps() {
    return Stream.of(
        arguments(JsonError.BAD_JSON, "", 4),
        arguments(JsonError.BAD_JSON, "{'shape': [1]}", 4),
        arguments(JsonError.BAD_JSON, "{\"shape\": [1]", 4),
        arguments(JsonError.LIMIT_EXCEEDED, "[".repeat(20_000), 4),
        arguments(JsonError.BAD_JSON, "[".repeat(900), 4),
        arguments(JsonError.LIMIT_EXCEEDED, "{\"shape\": [" + "1,".repeat(2000) + "1]}", 4),
        arguments(JsonError.LIMIT_EXCEEDED, "{\"shape\": [" + "9".repeat(5000) + "]}", 4),
        arguments(JsonError.LIMIT_EXCEEDED, "{\"dtype\": \"" + "f".repeat(5000) + "\"}", 4),
        arguments(FileError.TOO_LARGE, " ".repeat(70_000), 4),
        arguments(BAD_DESCRIPTION, "[1]", 4),
        arguments(BAD_DESCRIPTION, "null", 4),
        arguments(BAD_DESCRIPTION, "{}", 4),
        arguments(BAD_DESCRIPTION, "{\"shape\": 1}", 4),
        arguments(BAD_DESCRIPTION, "{\"shape\": null}", 4),
        arguments(BAD_DESCRIPTION, "{\"shape\": [-1]}", 4),
        arguments(BAD_DESCRIPTION, "{\"shape\": [1.0]}", 4),
        arguments(BAD_DESCRIPTION, "{\"shape\": [\"1\"]}", 4),
        arguments(BAD_DESCRIPTION, "{\"shape\": [[1]]}", 4),
        arguments(BAD_DESCRIPTION, "{\"shape\": [9223372036854775808]}", 4),
        arguments(BAD_DESCRIPTION, "{\"shape\": [9223372036854775807]}", 4),
        arguments(BAD_DESCRIPTION, "{\"shape\": [4294967296, 4294967296]}", 0),
        arguments(BAD_DESCRIPTION, "{\"shape\": [" + "1,".repeat(64) + "1]}", 4),
        arguments(NpyError.UNSUPPORTED, "{\"shape\": [1], \"dtype\": \"float4_e2m1fn\"}", 1),
        arguments(NpyError.UNSUPPORTED, "{\"shape\": [1], \"dtype\": \"object\"}", 8),
        arguments(NpyError.UNSUPPORTED, "{\"shape\": [1], \"dtype\": \"U3\"}", 12),
        arguments(NpyError.UNSUPPORTED, "{\"shape\": [1], \"dtype\": \"complex128\"}", 16),
        arguments(NpyError.UNSUPPORTED, "{\"shape\": [1], \"dtype\": 4}", 4),
        arguments(NpyError.UNSUPPORTED, "{\"shape\": [1], \"dtype\": null}", 4),
        arguments(NpyError.UNSUPPORTED, "{\"shape\": [1], \"dtype\": \"\\u001b\\n\"}", 4),
        arguments(WRONG_LENGTH, "{\"shape\": [1]}", 0),
        arguments(WRONG_LENGTH, "{\"shape\": [1]}", 5),
        arguments(WRONG_LENGTH, "{\"shape\": [2]}", 4),
        arguments(WRONG_LENGTH, "{\"shape\": [0, 9223372036854775807]}", 4),
        arguments(WRONG_LENGTH, "{\"shape\": [], \"dtype\": \"torch.bfloat16\"}", 4));
  }

  private static void refused(ErrorKind kind, String path, MemoryStorage folder, String file) {
    FormatException error =
        assertFails(
            kind,
            path,
            () -> Allocation.atMost(MAX_ALLOCATED, () -> new NumpyReader(null).read(folder, file)));
    assertThat(error).message().hasLineCount(1).hasSizeLessThan(300);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("archives")
  void aHostileArchiveIsRefusedInOneLine(String name, ErrorKind kind, byte[] bytes) {
    MemoryStorage folder = new MemoryStorage("data");
    folder.put("x.npz", bytes);
    refused(kind, isOfEntry(kind) ? "x.npz/b.npy" : "x.npz", folder, "x.npz");
  }

  /** Errors within entries name the second one, as the first one is valid. */
  private static boolean isOfEntry(ErrorKind kind) {
    return kind instanceof NpyError && kind != NpyError.NO_ARRAYS;
  }

  @ParameterizedTest
  @MethodSource("memoryMaps")
  void aHostileMemoryMapIsRefusedInOneLine(ErrorKind kind, String json, int length) {
    MemoryStorage folder = new MemoryStorage("data");
    folder.put("x.memmap", new byte[length]);
    folder.put("x.meta", json.getBytes(StandardCharsets.UTF_8));
    refused(kind, kind == WRONG_LENGTH ? "x.memmap" : "x.meta", folder, "x.memmap");
  }

  @Test
  void thereAreFortyOfThem() {
    assertThat(archives().count() + memoryMaps().count()).isGreaterThanOrEqualTo(40);
  }
}
