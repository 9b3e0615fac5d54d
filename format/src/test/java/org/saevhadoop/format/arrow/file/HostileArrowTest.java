package org.saevhadoop.format.arrow.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.testing.Allocation;

/** Files that state what they do not have, each refused by one line. */
@Isolated
class HostileArrowTest {
  private static final long MAX_ALLOCATED = 16 << 20;

  private static final ArrowReader NAMED =
      new ArrowReader(
          new ArrowReader.Names(
              List.of(NamePattern.ofArrays("x")), Set.of(), ArrowReader.Row.TOKEN),
          ArrowReader.Bodies.PACKED);

  private static byte[] stream(Consumer<ArrowForge> change) {
    ArrowForge forge = new ArrowForge();
    change.accept(forge);
    return forge.stream();
  }

  private static ArrayFile read(byte[] bytes) throws IOException {
    MemoryStorage folder = new MemoryStorage("/data");
    folder.put("x.arrow", bytes);
    return NAMED.read(folder, "x.arrow");
  }

  @Test
  void theUnchangedFilesAreRead() throws IOException {
    assertThat(read(stream(f -> {})).arrays().get(0).shape()).isEqualTo(List.of(3L, 2L));
    assertThat(read(stream(f -> f.continuation = 0)).warnings()).isEmpty();
    assertThat(read(new ArrowForge().file(null, -1)).arrays().get(0).shape())
        .isEqualTo(List.of(3L, 2L));
    assertThat(read(stream(f -> f.key = "origin")).warnings()).isEmpty();
    assertThat(read(stream(f -> f.isEnded = false)).warnings())
        .containsExactly("has no end-of-stream marker: its writer may not have finished");
  }

  @Test
  void aFileWithoutRowsHasNoArrays() throws IOException {
    assertThat(read(stream(f -> none(f)))).isSameAs(ArrayFile.NO_EXAMPLES);
  }

  @Test
  void offsetsNeedNotBeginAtZero() throws IOException {
    ArrayFile sliced =
        read(
            stream(
                f -> {
                  f.rows = 2;
                  f.nodes = new long[] {2, 0, 6, 0};
                  f.offsets = new int[] {2, 4, 6, 0};
                }));
    assertThat(sliced.arrays().get(0).shape()).isEqualTo(List.of(2L, 2L));
    ArrayFile whole = read(stream(f -> {}));
    assertThat(sliced.arrays().get(0).layout().offset())
        .isEqualTo(whole.arrays().get(0).layout().offset() + 8);
  }

  private static Map<String, byte[]> cases() {
    Map<String, byte[]> cases = new LinkedHashMap<>();
    cases.put("empty", new byte[0]);
    cases.put("3 bytes", new byte[3]);
    cases.put("only a marker", new byte[] {-1, -1, -1, -1});
    cases.put("an end without a schema", new byte[8]);
    cases.put("Feather V1", "FEA1abcdefgh".getBytes(StandardCharsets.US_ASCII));
    cases.put("magic only", "ARROW1\0\0".getBytes(StandardCharsets.US_ASCII));
    cases.put("two magics", "ARROW1\0\0\0\0\0\0ARROW1".getBytes(StandardCharsets.US_ASCII));
    cases.put("text", "example,token,dim\n1,2,3\n".getBytes(StandardCharsets.US_ASCII));
    cases.put("footer of 2 GiB", new ArrowForge().file(null, Integer.MAX_VALUE));
    cases.put("footer of -1 bytes", new ArrowForge().file(null, -2 >>> 1));
    cases.put("footer of 4 bytes", new ArrowForge().file(null, 4));
    cases.put("block in the magic", new ArrowForge().file(new long[] {0, 16, 40}, -1));
    cases.put("block of a negative size", new ArrowForge().file(new long[] {8, -16, 40}, -1));
    cases.put(
        "block behind the end", new ArrowForge().file(new long[] {1L << 62, 16, 1L << 62}, -1));
    cases.put("block at the schema", new ArrowForge().file(new long[] {8, 400, 0}, -1));
    cases.put("version V3", stream(f -> f.version = 2));
    cases.put("version V9", stream(f -> f.version = 8));
    cases.put("big-endian", stream(f -> f.endianness = 1));
    cases.put("two schemas", stream(f -> f.schemas = 2));
    cases.put("a tensor", stream(f -> f.kind = 4));
    cases.put("LZ4", stream(f -> f.codec = 0));
    cases.put("ZSTD", stream(f -> f.codec = 1));
    cases.put("compressed by Arrow 0.17", stream(f -> f.key = "ARROW:experimental_compression"));
    cases.put("codec 2", stream(f -> f.codec = 2));
    cases.put("LZ4 of offsets that are no frame", stream(f -> packed(f, 0, 16, 1L << 40)));
    cases.put("LZ4 that claims 2^62 bytes", stream(f -> packed(f, 0, 1L << 62, LZ4_HEADER)));
    cases.put("LZ4 that claims -2 bytes", stream(f -> packed(f, 0, -2, LZ4_HEADER)));
    cases.put("LZ4 that ends in its header", stream(f -> packed(f, 0, 16, LZ4_HEADER)));
    cases.put("ZSTD of offsets that are no frame", stream(f -> packed(f, 1, 16, 1L << 40)));
    cases.put("ZSTD that claims 2^62 bytes", stream(f -> packed(f, 1, 1L << 62, ZSTD_HEADER)));
    cases.put("ZSTD that is cut off", stream(f -> packed(f, 1, 16, ZSTD_HEADER)));
    cases.put("ZSTD with a window of 3.75 TiB", stream(f -> packed(f, 1, 16, ZSTD_WINDOW)));
    cases.put("compressed buffer of 4 bytes", stream(f -> short4(f)));
    cases.put("type 99", stream(f -> f.leaf = 99));
    cases.put("no type", stream(f -> f.leaf = 0));
    cases.put("list of two types", stream(f -> f.children = 2));
    cases.put("list of no type", stream(f -> f.children = 0));
    cases.put("lists 1000 deep", stream(f -> f.depth = 1000));
    cases.put("2^30 fields in one", stream(f -> wide(f)));
    cases.put("message of 2 GiB", stream(f -> f.messageSize = Integer.MAX_VALUE));
    cases.put("message of -5 bytes", stream(f -> f.messageSize = -5));
    cases.put("message of 4 bytes", stream(f -> f.messageSize = 4));
    cases.put("body of 2^62 bytes", stream(f -> f.bodyLength = 1L << 62));
    cases.put("body of -8 bytes", stream(f -> f.bodyLength = -8));
    cases.put("body that is cut off", stream(f -> f.bodyBytes = 8));
    cases.put("bytes behind the end", stream(f -> f.trailing = new byte[100]));
    cases.put("-1 rows", stream(f -> f.rows = -1));
    cases.put("2^40 rows", stream(f -> f.rows = 1L << 40));
    cases.put("2^62 rows of lists of 0", stream(f -> emptyLists(f)));
    cases.put("rows of another number than lists", stream(f -> f.rows = 2));
    cases.put("too few nodes", stream(f -> f.nodes = new long[] {3, 0}));
    cases.put("more nulls than rows", stream(f -> f.nodes[1] = 4));
    cases.put("nulls without a bitmap", stream(f -> f.nodes[1] = 1));
    cases.put("too few buffers", stream(f -> f.buffers = new long[] {0, 0, 0, 16}));
    cases.put("buffer behind the body", stream(f -> f.buffers[6] = 24));
    cases.put("buffer of 2^63 - 1 bytes", stream(f -> f.buffers[7] = Long.MAX_VALUE));
    cases.put("buffer at -8", stream(f -> f.buffers[2] = -8));
    cases.put("too few offsets", stream(f -> f.buffers[3] = 12));
    cases.put("descending offsets", stream(f -> f.offsets = new int[] {0, 4, 2, 6}));
    cases.put("negative offset", stream(f -> f.offsets = new int[] {-2, 0, 2, 4}));
    cases.put("offset behind the values", stream(f -> f.offsets[3] = 1 << 30));
    cases.put("values that are missing", stream(f -> f.nodes[2] = f.offsets[3] = 1 << 30));
    cases.put("floats of precision 7", stream(f -> f.precision = 7));
    cases.put("fixed lists of 2^31 - 1", stream(f -> fixed(f, Integer.MAX_VALUE)));
    cases.put("fixed lists of -1", stream(f -> fixed(f, -1)));
    cases.put("2 batches of 2^62 rows", stream(f -> floats(f, 1L << 62)));
    cases.put("a list at 2^61 of 8-byte offsets", stream(f -> wrapped(f)));
    return cases;
  }

  private static final long LZ4_HEADER = 0x82_70_40_184D2204L;
  private static final long ZSTD_HEADER = 0x20_FD2FB528L;
  private static final long ZSTD_WINDOW = 0xFF_00_FD2FB528L;

  /** Has the offsets in a buffer of 16 bytes, which states what it unpacks to. */
  private static void packed(ArrowForge forge, int codec, long size, long frame) {
    forge.codec = codec;
    forge.body =
        ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(size).putLong(frame).array();
  }

  private static void short4(ArrowForge forge) {
    packed(forge, 0, 16, LZ4_HEADER);
    forge.buffers[3] = 4;
  }

  private static void wide(ArrowForge forge) {
    forge.type = 13; // structs
    forge.children = 2;
    forge.depth = 30;
  }

  private static void emptyLists(ArrowForge forge) {
    fixed(forge, 0);
    forge.rows = 1L << 62;
    forge.nodes = new long[] {1L << 62, 0, 0, 0};
  }

  /** Has floats instead of lists, which are not read, in two batches. */
  private static void floats(ArrowForge forge, long rows) {
    forge.batches = 2;
    forge.type = ArrowForge.FLOAT;
    forge.children = 0;
    forge.rows = rows;
    forge.nodes = new long[] {rows, 0};
    forge.buffers = new long[] {0, 0, 16, 24};
  }

  /** Has a list of lists whose first one is 2^64 bytes after the first offset. */
  private static void wrapped(ArrowForge forge) {
    forge.type = ArrowForge.LARGE_LIST;
    forge.depth = 2;
    forge.rows = 1;
    forge.nodes = new long[] {1, 0, (1L << 61) + 1, 0, 2, 0};
    forge.buffers = new long[] {0, 0, 0, 16, 0, 0, 16, 16, 0, 0, 32, 8};
    forge.offsets = new int[] {0, 1 << 29, 1, 1 << 29, 0, 0, 2, 0};
  }

  private static void none(ArrowForge forge) {
    forge.rows = 0;
    forge.nodes = new long[4];
  }

  private static void fixed(ArrowForge forge, int size) {
    forge.type = ArrowForge.FIXED_SIZE_LIST;
    forge.listSize = size;
    forge.buffers = new long[] {0, 0, 0, 0, 16, 24};
  }

  @Test
  @Timeout(60)
  void hostileFilesAreRefusedByOneLine() {
    Map<String, byte[]> cases = cases();
    assertThat(cases).hasSizeGreaterThanOrEqualTo(40);
    cases.forEach(
        (name, bytes) ->
            assertThatThrownBy(() -> Allocation.atMost(MAX_ALLOCATED, () -> read(bytes)))
                .as(name)
                .isInstanceOfSatisfying(
                    FormatException.class,
                    e -> {
                      assertThat(e.kind()).as(name + ": " + e).isNotNull();
                      assertThat(e.getMessage()).doesNotContain("\n").startsWith("/data/x.arrow: ");
                    }));
  }

  /** Any byte that changes yields an error of one line, or arrays that are in the file. */
  @Test
  @Timeout(120)
  void oneWrongByteIsHarmless() throws IOException {
    for (byte[] file : List.of(new ArrowForge().stream(), new ArrowForge().file(null, -1))) {
      for (int at = 0; at < file.length; at++) {
        for (int value : new int[] {0, 1, 127, 128, 255}) {
          byte[] changed = Arrays.copyOf(file, file.length);
          changed[at] = (byte) value;
          try {
            ArrowFuzzTest.check(NAMED, changed, read(changed));
          } catch (FormatException e) {
            assertThat(e.getMessage()).doesNotContain("\n");
          }
        }
      }
    }
  }
}
