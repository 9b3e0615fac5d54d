package org.saevhadoop.format.samediff.sdnb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.indexOf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.UnreadableArray;

/** Files that are broken or hostile, each with its error. */
class SdnbRefusalTest {
  private static final String PATH = "x.sdnb";

  private static SdnbFile read(byte[] bytes) throws IOException {
    return SdnbFile.read(new MemoryInput(PATH, bytes));
  }

  /** A file with an appended array "a", the first 32 bytes of which are changed. */
  private static byte[] header(Consumer<ByteBuffer> change) {
    SdnbForge forge = new SdnbForge();
    forge.add("a").stub(4).appended(new byte[16]);
    byte[] bytes = forge.bytes();
    change.accept(ByteBuffer.wrap(bytes));
    return bytes;
  }

  private static byte[] forged(Consumer<SdnbForge> content) {
    SdnbForge forge = new SdnbForge();
    content.accept(forge);
    return forge.bytes();
  }

  /** The FlatBuffer of a file with an appended array, changed at its beginning. */
  private static byte[] graph(Consumer<ByteBuffer> change) {
    return header(
        bytes ->
            change.accept(bytes.slice(32, bytes.capacity() - 32).order(ByteOrder.LITTLE_ENDIAN)));
  }

  private static int root(ByteBuffer graph) {
    return graph.getInt(0);
  }

  private static Stream<Arguments> arguments(Map<String, byte[]> cases) {
    return cases.entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
  }

  static Stream<Arguments> headers() {
    Map<String, byte[]> cases = new LinkedHashMap<>();
    cases.put("is empty", new byte[0]);
    cases.put("is shorter than a header", new byte[39]);
    cases.put("has another magic number", header(b -> b.put(3, (byte) 'C')));
    cases.put("is little-endian", header(b -> b.order(ByteOrder.LITTLE_ENDIAN).putLong(24, 32)));
    cases.put("has its graph elsewhere", header(b -> b.putLong(24, 40)));
    cases.put("has its manifest past the end", header(b -> b.putLong(8, b.capacity() + 1L)));
    cases.put("has its manifest in the header", header(b -> b.putLong(8, 31)));
    cases.put("has a manifest at a negative offset", header(b -> b.putLong(8, -1)));
    cases.put("has a negative manifest", header(b -> b.putLong(16, -1)));
    cases.put("has a manifest that is too long", header(b -> b.putLong(16, b.getLong(16) + 1)));
    cases.put("has a manifest whose end overflows", header(b -> b.putLong(16, Long.MAX_VALUE)));
    return arguments(cases);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("headers")
  void aFileWithABadHeaderIsRefused(String what, byte[] bytes) {
    assertFails(SdnbError.BAD_HEADER, PATH, () -> read(bytes));
  }

  static Stream<Arguments> graphs() {
    Map<String, byte[]> cases = new LinkedHashMap<>();
    cases.put("root past the end", graph(g -> g.putInt(0, Integer.MAX_VALUE)));
    cases.put("root of 4 GiB", graph(g -> g.putInt(0, -1)));
    cases.put("vtable before the graph", graph(g -> g.putInt(root(g), Integer.MAX_VALUE)));
    cases.put("vtable past the end", graph(g -> g.putInt(root(g), Integer.MIN_VALUE)));
    cases.put("vtable of odd length", graph(g -> g.putShort(vtable(g), (short) 13)));
    cases.put("vtable of no length", graph(g -> g.putShort(vtable(g), (short) 0)));
    cases.put("vtable past the end of the graph", graph(g -> g.putShort(vtable(g), (short) -2)));
    cases.put("table of no length", graph(g -> g.putShort(vtable(g) + 2, (short) 0)));
    cases.put("table past the end", graph(g -> g.putShort(vtable(g) + 2, (short) -1)));
    cases.put("field past its table", graph(g -> g.putShort(vtable(g) + 6, (short) 200)));
    cases.put(
        "field over the offset of its vtable", graph(g -> g.putShort(vtable(g) + 6, (short) 2)));
    cases.put("vector past the end", graph(g -> g.putInt(variables(g), Integer.MAX_VALUE)));
    cases.put("vector of 2^32 elements", graph(g -> g.putInt(vector(g, variables(g)), 100_000)));
    cases.put("variable past the end", graph(g -> g.putInt(vector(g, variables(g)) + 4, -1)));
    cases.put("variable that is the vector", graph(g -> g.putInt(vector(g, variables(g)) + 4, 0)));
    cases.put("variable without a name", forged(f -> f.add(null).stub(1).inline(new byte[4])));
    cases.put("variable of an unknown kind", forged(f -> f.add("a").kind(5)));
    cases.put("variable of a negative kind", forged(f -> f.add("a").kind(-1)));
    cases.put("two variables of a name", forged(SdnbRefusalTest::twice));
    cases.put("fewer values than keys", forged(f -> f.metadata("k", "v").metadataKeysMore = 1));
    return arguments(cases);
  }

  private static void twice(SdnbForge forge) {
    forge.add("a").stub(1).inline(new byte[4]);
    forge.add("a").stub(1).inline(new byte[4]);
  }

  private static int vtable(ByteBuffer graph) {
    return root(graph) - graph.getInt(root(graph));
  }

  private static int variables(ByteBuffer graph) {
    return root(graph) + graph.getShort(vtable(graph) + 4 + 2 * FlatFields.GRAPH_VARIABLES);
  }

  private static int vector(ByteBuffer graph, int field) {
    return field + graph.getInt(field);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("graphs")
  void aFileWithABadGraphIsRefused(String what, byte[] bytes) {
    assertFails(SdnbError.BAD_GRAPH, PATH, () -> read(bytes));
  }

  @Test
  void aNameThatIsNotUnicodeIsRefused() {
    byte[] bytes = forged(f -> f.add("aaaa").stub(1).inline(new byte[4]));
    int at = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("aaaa");
    bytes[at] = (byte) 0xff;
    assertFails(SdnbError.BAD_GRAPH, PATH, () -> read(bytes));
  }

  static Stream<Arguments> arrays() {
    Map<String, byte[]> cases = new LinkedHashMap<>();
    cases.put("negative dimension", forged(f -> f.add("a").stub(-1).inline(new byte[4])));
    cases.put("two negative dimensions", forged(f -> f.add("a").stub(-1, -1).inline(new byte[4])));
    cases.put("fewer bytes than the shape", forged(f -> f.add("a").stub(3).inline(new byte[8])));
    cases.put("more bytes than the shape", forged(f -> f.add("a").stub(1).appended(new byte[8])));
    cases.put("no shape", forged(f -> f.add("a").stub((long[]) null).inline(new byte[4])));
    cases.put("no shape and no description", forged(f -> f.add("a").appended(new byte[4])));
    cases.put("unknown order", forged(f -> f.add("a").order(2).stub(1).inline(new byte[4])));
    cases.put("values of neither kind", forged(f -> f.add("a").stub(1)));
    cases.put(
        "values of both kinds",
        forged(f -> f.add("a").stub(1).inline(new byte[4]).appended(new byte[4])));
    cases.put(
        "values that the manifest lacks",
        forged(f -> f.add("a").stub(1).appended(new byte[4]).listed = false));
    cases.put(
        "another offset than in the manifest",
        forged(f -> f.add("a").stub(1).appended(new byte[4]).appendedOffset = 8L));
    cases.put(
        "an offset that overflows",
        forged(f -> f.add("a").stub(1).appended(new byte[4]).appendedOffset = Long.MAX_VALUE));
    cases.put(
        "another length than in the manifest",
        forged(f -> f.add("a").stub(1).appended(new byte[4]).appendedLength = 8L));
    return arguments(cases);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("arrays")
  void aBadArrayIsRefused(String what, byte[] bytes) {
    assertFails(SdnbError.BAD_ARRAY, PATH, () -> read(bytes));
  }

  @Test
  void arraysThatOverlapAreRefused() {
    byte[] bytes =
        forged(
            forge -> {
              forge.add("a").shape(2).appended(new byte[8]);
              SdnbForge.Variable other = forge.add("b").shape(1);
              other.listed = false;
              forge.extraEntries.put("b", new long[] {0, 4});
            });
    // the second entry begins within the first array
    byte[] name = {0x74, 0, 1, 'b'};
    long begin = ByteBuffer.wrap(bytes).getLong(8) - 8;
    int at = indexOf(bytes, name, 0);
    ByteBuffer.wrap(bytes).putLong(indexOf(bytes, new byte[8], at), begin + 4);
    assertFails(SdnbError.BAD_ARRAY, PATH, () -> read(bytes));
  }

  static Stream<Arguments> entries() {
    return Stream.of(
        Arguments.of("before the graph", 31, 4),
        Arguments.of("at a negative offset", -8, 4),
        Arguments.of("past the manifest", Long.MAX_VALUE, 4),
        Arguments.of("of a negative length", 40, -4),
        Arguments.of("to the end of all numbers", 40, Long.MAX_VALUE),
        Arguments.of("into the manifest", 40, 1 << 20));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("entries")
  void aRangeOutsideTheFileIsRefused(String what, long offset, long length) {
    byte[] bytes =
        forged(
            forge -> {
              forge.add("a").shape(1);
              forge.extraEntries.put("a", new long[] {offset, length});
            });
    assertFails(SdnbError.BAD_MANIFEST, PATH, () -> read(bytes));
  }

  @Test
  void anArrayThatIsNoVariableIsRefused() {
    byte[] bytes =
        forged(
            forge -> {
              forge.add("a").stub(1).appended(new byte[4]);
              forge.extraEntries.put("b", new long[] {40, 0});
            });
    assertFails(SdnbError.BAD_MANIFEST, PATH, () -> read(bytes));
  }

  static Stream<Arguments> unsupported() {
    Map<String, byte[]> cases = new LinkedHashMap<>();
    cases.put("the type code 99", beside(f -> f.add("a").type(99).stub(1).inline(new byte[4])));
    cases.put("the type UTF8", beside(f -> f.add("a").type(50).stub(1).inline(new byte[4])));
    cases.put("the type code 0", beside(f -> f.add("a").type(0).shape(2).appended(new byte[2])));
    cases.put("values in another file", beside(f -> f.add("a").stub(1).external()));
    cases.put("values in chunks", beside(f -> f.add("a").stub(1).chunks()));
    return arguments(cases);
  }

  /** A file with an array "b" beside those of the content. */
  private static byte[] beside(Consumer<SdnbForge> content) {
    return forged(content.andThen(forge -> forge.add("b").stub(1).appended(new byte[4])));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unsupported")
  void anArrayWithoutAKnownLayoutIsListedAndRefusedAlone(String what, byte[] bytes)
      throws IOException {
    SdnbFile file = read(bytes);
    assertThat(file.arrays()).extracting(StoredArray::name).containsExactly("b");
    assertThat(file.unreadable()).extracting(UnreadableArray::name).containsExactly("a");
    UnreadableArray array = file.unreadable().get(0);
    assertThat(array.obstacle()).isEqualTo(what);
    assertFails(
        SdnbError.UNSUPPORTED,
        PATH,
        () -> {
          throw array.error(PATH);
        });
  }

  static Stream<Arguments> empties() {
    Map<String, byte[]> cases = new LinkedHashMap<>();
    cases.put("no values", beside(f -> f.add("a").stub()));
    cases.put("no inline values", beside(f -> f.add("a").stub().inline(new byte[0])));
    cases.put("no appended values", beside(f -> f.add("a").stub().appended(new byte[0])));
    cases.put("none in 2025", beside(f -> f.add("a").shape().appended(new byte[0])));
    return arguments(cases);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("empties")
  void anArrayWithoutDimensionsAndBytesIsEmpty(String what, byte[] bytes) throws IOException {
    StoredArray array = read(bytes).arrays().get(0);
    assertThat(array.name()).isEqualTo("a");
    assertThat(array.isEmptyScalar()).isTrue();
    assertThat(array.shape()).isEmpty();
    assertThat(array.length()).isZero();
  }

  static Stream<Arguments> large() {
    Map<String, byte[]> cases = new LinkedHashMap<>();
    long[] many = new long[33];
    Arrays.fill(many, 1);
    cases.put("33 dimensions", forged(f -> f.add("a").stub(many).inline(new byte[4])));
    cases.put("2^64 bytes", forged(f -> f.add("a").stub(1L << 31, 1L << 31).inline(new byte[4])));
    cases.put("2^65 bytes", forged(f -> f.add("a").stub(1L << 62, 2).inline(new byte[4])));
    // each vector has offsets to the same variable
    cases.put("one table a million times", SharedGraph.of(1 << 20, 4));
    cases.put("one long name many times", SharedGraph.of(1000, 1 << 20));
    return arguments(cases);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("large")
  void whatExceedsTheLimitsIsRefused(String what, byte[] bytes) {
    assertFails(SdnbError.TOO_LARGE, PATH, () -> read(bytes));
  }

  private static byte[] small() {
    SdnbForge forge = new SdnbForge().metadata("k", "v");
    forge.add("a").stub(2).appended(new byte[8]);
    forge.add("b").stub(1).inline(new byte[4]);
    return forge.bytes();
  }

  @Test
  void eachBeginningOfAFileIsRefused() {
    byte[] bytes = small();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertFailsWithAnyText(SdnbError.BAD_HEADER, PATH, () -> read(cut));
    }
  }

  @Test
  void eachChangedByteIsReadOrRefused() {
    byte[] bytes = small();
    for (int at = 0; at < bytes.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = bytes.clone();
        changed[at] ^= (byte) (1 << bit);
        try {
          read(changed);
        } catch (IOException e) {
          assertThat(e).as("bit %d of byte %d", bit, at).isInstanceOf(FormatException.class);
          assertThat(((FormatException) e).kind()).isInstanceOf(SdnbError.class);
        }
      }
    }
  }
}
