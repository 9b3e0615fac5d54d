package org.saevhadoop.format.samediff.sdnb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.hex;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.int64;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.join;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.replace;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.utf;

import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.common.primitives.Pair;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.samediff.sdnb.SerialClass.SerialField;
import org.saevhadoop.testing.Allocation;

/** Manifests that are broken or hostile, each with its error. */
class SdnbManifestRefusalTest {
  private static final int MAX_ALLOCATED = 1 << 20;

  private static final byte[] BYTES =
      SdnbManifestEncoder.encode(
          List.of(new SdnbManifestEntry("a", 1000, 2000), new SdnbManifestEntry("b", 3000, 4000)));

  /** Parts of the above. */
  private static final byte[] COUNT = hex("77 08 00000010 00000002");

  private static final byte[] NAME_A = join(hex("74"), utf("a"));
  private static final byte[] NAME_B = join(hex("74"), utf("b"));
  private static final byte[] PAIR_CLASS = hex("73 72 001f");
  private static final byte[] LONG_CLASS = hex("73 72 000e");
  private static final byte[] PAIR_AGAIN = hex("73 71 007e0004");
  private static final byte[] LONG_AGAIN = hex("73 71 007e0007");
  private static final byte[] FOUR_THOUSAND = join(LONG_AGAIN, int64(4000));

  private enum Color {
    RED
  }

  /** An object that runs code when it is read. */
  private static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1L;
    private static boolean ran;

    private Object readResolve() {
      ran = true;
      return this;
    }
  }

  private static void assertRefused(byte[] manifest) {
    assertRefused(SdnbError.BAD_MANIFEST, manifest);
  }

  /** Asserts an error before more memory is taken than for a small manifest. */
  private static void assertRefused(SdnbError kind, byte[] manifest) {
    assertFails(
        kind,
        JavaManifest.PATH,
        () -> Allocation.atMost(MAX_ALLOCATED, () -> JavaManifest.parse(manifest)));
  }

  private static void assertRefused(Object object) throws IOException {
    assertRefused(JavaManifest.bytes(object));
  }

  // Objects of other classes

  static Stream<Arguments> objects() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("an object that runs code", new Gadget());
    values.put("a pair of such objects", new Pair<>(new Gadget(), 2000L));
    values.put("a pair of Integer", new Pair<>(1000, 2000));
    values.put("a pair with a Double", new Pair<>(1000L, 2000.0));
    values.put("a number", 1000L);
    values.put("a text", "text");
    values.put("a map", new LinkedHashMap<>());
    values.put("a proxy", proxy());
    values.put("an enum", Color.RED);
    values.put("an array", new long[] {1000, 2000});
    values.put("a class", Pair.class);
    values.put("null", null);
    values.put("a pair without an offset", new Pair<>(null, 2000L));
    values.put("a pair without a length", new Pair<>(1000L, null));
    Pair<Long, Long> pair = new Pair<>(1000L, 2000L);
    Map<String, Object> roots = new LinkedHashMap<>();
    roots.put("a list as the map", new ArrayList<>(List.of("a")));
    roots.put("a text as the map", "text");
    roots.put("a number as the map", 5L);
    roots.put("an array as the map", new String[] {"a"});
    roots.put("null as the map", null);
    roots.put("a HashMap", new HashMap<>(Map.of("a", pair)));
    roots.put("a key that runs code", new LinkedHashMap<>(Map.of(new Gadget(), pair)));
    roots.put("a number as a key", new LinkedHashMap<>(Map.of(5L, pair)));
    roots.put("null as a key", new LinkedHashMap<>(Collections.singletonMap(null, pair)));
    values.forEach(
        (what, value) ->
            roots.put(what, new LinkedHashMap<>(Collections.singletonMap("a", value))));
    return roots.entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
  }

  private static Object proxy() {
    InvocationHandler handler =
        (InvocationHandler & Serializable) (proxy, method, arguments) -> null;
    return Proxy.newProxyInstance(
        SdnbManifestRefusalTest.class.getClassLoader(), new Class<?>[] {Comparable.class}, handler);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("objects")
  void anotherObjectIsRefusedAndNotMade(String what, Object object) throws IOException {
    assertRefused(object);
    assertThat(Gadget.ran).isFalse();
  }

  // Elements, descriptions of classes and references

  static Stream<Arguments> replacements() {
    Stream.Builder<Arguments> cases = Stream.builder();
    for (String value : List.of("70", "77 01 00", "78", "7f", "73 70")) {
      cases.add(Arguments.of("another element as a value", PAIR_AGAIN, hex(value)));
    }
    for (String name : List.of("76 71 007e0004", "7b", "79 74 0001 62")) {
      cases.add(Arguments.of("another element as a name", NAME_B, hex(name)));
    }
    cases.add(Arguments.of("an exception", hex("0005 73"), hex("0005 7b 73")));
    cases.add(Arguments.of("a reset", hex("0005 73"), hex("0005 79 73")));
    for (String name : List.of("kex", "\n\u001b[31m")) {
      cases.add(Arguments.of("a field of another name", utf("key"), utf(name)));
    }
    cases.add(Arguments.of("a field of another name", utf("threshold"), utf("thresholds")));
    cases.add(
        Arguments.of(
            "a field of another type",
            join(hex("4a"), utf("value")),
            join(hex("44"), utf("value"))));
    cases.add(
        Arguments.of(
            "a field of another type", join(hex("4c"), utf("key")), join(hex("5b"), utf("key"))));
    byte[] object = utf(SerialField.OBJECT_TYPE);
    cases.add(Arguments.of("a field of another class", object, utf("Ljava/lang/Long;")));
    for (String type : List.of("70", "71 007e0000")) {
      cases.add(Arguments.of("a type that is no text", join(hex("74"), object), hex(type)));
    }
    byte[] number = join(hex("72"), utf("java.lang.Number"));
    byte[] map = join(hex("72"), utf("java.util.HashMap"));
    cases.add(Arguments.of("no superclass", number, hex("70")));
    cases.add(Arguments.of("no superclass", map, hex("70")));
    cases.add(Arguments.of("another superclass", number, hex("71 007e0007")));
    cases.add(Arguments.of("another superclass", number, map));
    cases.add(
        Arguments.of(
            "a superclass of a class without one",
            hex("78 70 73 72"),
            join(hex("78 72"), utf("evil.Base"), hex("73 72"))));
    cases.add(
        Arguments.of(
            "an annotation", hex("78 72"), join(hex("74"), utf("http://evil"), hex("78 72"))));
    cases.add(Arguments.of("a proxy", PAIR_CLASS, hex("73 7d 00000000 78 70")));
    references(cases, NAME_B, "0000" /* class */, "0009" /* number */, "0002" /* unfinished map */);
    references(cases, PAIR_AGAIN, "0003" /* text */, "0009" /* number */);
    references(cases, FOUR_THOUSAND, "0006" /* pair */, "000c" /* unfinished pair */);
    for (String type : List.of("0007" /* another */, "0003" /* text */)) {
      cases.add(Arguments.of("a reference as a class", PAIR_AGAIN, hex("73 71 007e" + type)));
    }
    cases.add(Arguments.of("a reference to a superclass", FOUR_THOUSAND, hex("73 71 007e0008")));
    for (String reference : List.of("007e000b", "7fffffff", "007dffff", "80000000")) {
      cases.add(Arguments.of("a reference to no object", NAME_B, hex("71" + reference)));
    }
    cases.add(Arguments.of("a reference to no object", NAME_A, hex("71 ffffffff")));
    cases.add(Arguments.of("a name that occurs twice", NAME_B, NAME_A));
    cases.add(Arguments.of("a name that occurs twice", NAME_B, hex("71 007e0003")));
    for (String name : List.of("00", "c181", "f09f9880", "c3", "ff", "61e080")) {
      byte[] text = hex(name);
      byte[] head = {0x74, 0, (byte) text.length};
      cases.add(Arguments.of("a name that is not modified UTF-8", NAME_B, join(head, text)));
    }
    cases.add(Arguments.of("such a name of a class", PAIR_CLASS, hex("73 72 001f ff")));
    for (String factor : List.of("00000000", "80000000", "bf400000", "7fc00000", "ff800000")) {
      cases.add(Arguments.of("a load factor that Java refuses", hex("3f400000"), hex(factor)));
    }
    for (String begin : List.of("cafe0005", "aced0004", "aced0006", "0005aced", "00000000")) {
      cases.add(Arguments.of("another beginning", hex("aced0005"), hex(begin)));
    }
    for (String blocks :
        List.of(
            "77 07 00000010 000000",
            "77 09 00000010 00000002 00",
            "77 04 00000010 77 05 00000002 00",
            "7a ffffffff 00",
            "7a 7fffffff 00",
            "78",
            "")) {
      cases.add(Arguments.of("blocks that are not the count", COUNT, hex(blocks)));
    }
    for (String length : List.of("ffffffffffffffff", "8000000000000000")) {
      cases.add(Arguments.of("a text of negative length", NAME_B, hex("7c" + length)));
      cases.add(Arguments.of("a negative length", int64(4000), hex(length)));
    }
    cases.add(Arguments.of("a negative offset", int64(3000), int64(-1)));
    return cases.build();
  }

  private static void references(
      Stream.Builder<Arguments> cases, byte[] replaced, String... objects) {
    for (String object : objects) {
      cases.add(Arguments.of("a reference to another kind", replaced, hex("71 007e" + object)));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("replacements")
  void anotherElementIsRefused(String what, byte[] part, byte[] by) {
    assertRefused(replace(BYTES, part, by));
  }

  @Test
  void anExceptionAsTheMapIsRefused() {
    assertRefused(hex("aced 0005 7b 73"));
  }

  @ParameterizedTest
  @EnumSource
  void anotherDescriptionOfAClassIsRefused(SerialClass type) {
    byte[] head = utf(type.className());
    byte[] uid = int64(type.uid());
    byte[] flags = {(byte) type.flags(), 0};
    byte[] fields = {(byte) type.fields().size()};
    byte[] whole = join(head, uid, flags, fields);
    byte[] otherFlags = {(byte) (type.flags() ^ 1), 0};
    byte[] otherFields = {(byte) (type.fields().size() + 1)};
    assertRefused(replace(BYTES, whole, head, int64(type.uid() + 1), flags, fields));
    assertRefused(replace(BYTES, whole, head, uid, otherFlags, fields));
    assertRefused(replace(BYTES, whole, head, uid, flags, otherFields));
  }

  // Counts and lengths

  @ParameterizedTest
  @CsvSource({"ffffffff", "80000000", "00000003", "00000001", "00000000", "00000050"})
  void aCountThatIsNotThatOfTheEntriesIsRefused(String count) throws IOException {
    byte[] manifest = replace(BYTES, COUNT, hex("77 08 00000010" + count));
    assertRefused(manifest);
  }

  @Test
  void aCountBeyondTheLimitIsRefused() throws IOException {
    byte[] manifest = replace(BYTES, COUNT, hex("77 08 00000010 7fffffff"));
    assertRefused(SdnbError.TOO_LARGE, manifest);
  }

  @Test
  void aTextThatEndsAfterTheManifestIsRefused() throws IOException {
    for (String head : List.of("74 ffff", "7c 0000000000000200", "7c 7fffffffffffffff")) {
      byte[] manifest = replace(BYTES, NAME_B, hex(head));
      assertRefused(manifest);
    }
  }

  @Test
  void aNameBeyondTheLimitIsRefused() throws IOException {
    byte[] name = new byte[SdnbLimits.MAX_NAME_BYTES + 1];
    Arrays.fill(name, (byte) 'x');
    byte[] manifest = replace(BYTES, NAME_B, hex("7c"), int64(name.length), name);
    assertRefused(SdnbError.TOO_LARGE, manifest);
  }

  @Test
  void namesThatAreTogetherBeyondTheLimitAreRefused() {
    String name = "x".repeat(SdnbLimits.MAX_NAME_BYTES - 10);
    List<SdnbManifestEntry> entries = new ArrayList<>();
    for (int i = 10; i < 43; i++) {
      entries.add(new SdnbManifestEntry(i + name, 1000, 2000));
    }
    byte[] manifest = SdnbManifestEncoder.encode(entries);
    assertFails(SdnbError.TOO_LARGE, JavaManifest.PATH, () -> JavaManifest.parse(manifest));
  }

  @Test
  void bytesAfterTheMapAreRefused() {
    assertRefused(join(BYTES, new byte[1]));
    assertRefused(join(BYTES, BYTES));
  }

  @Test
  void aMapThatDoesNotEndAfterItsEntriesIsRefused() {
    assertRefused(join(Arrays.copyOf(BYTES, BYTES.length - 2), hex("70 00")));
  }

  @Test
  void everyPrefixIsRefused() {
    for (int length = 1; length < BYTES.length; length++) {
      byte[] prefix = Arrays.copyOf(BYTES, length);
      assertFailsWithAnyText(
          SdnbError.BAD_MANIFEST, JavaManifest.PATH, () -> JavaManifest.parse(prefix));
    }
    assertRefused(Arrays.copyOf(BYTES, 3));
    assertRefused(Arrays.copyOf(BYTES, BYTES.length - 1));
  }

  @Test
  void bytesAfterTheManifestAreNotRead() {
    MemoryInput file = new MemoryInput(JavaManifest.PATH, BYTES);
    assertFails(
        SdnbError.BAD_MANIFEST,
        JavaManifest.PATH,
        () -> SdnbManifestParser.parse(file, 0, BYTES.length - 1));
  }

  @Test
  void objectsInEachOtherAreRefusedAtTheFirst() throws IOException {
    byte[] objects = new byte[1 << 20];
    Arrays.fill(objects, (byte) 0x73);
    assertRefused(join(hex("aced 0005"), objects));
    byte[] pairs = replace(BYTES, LONG_CLASS, repeated(PAIR_AGAIN, 100_000));
    assertRefused(pairs);
  }

  private static byte[] repeated(byte[] part, int count) {
    byte[][] parts = new byte[count][];
    Arrays.fill(parts, part);
    return join(parts);
  }

  @Test
  void aNegativeNumberThatIsReferredToIsRefused() throws IOException {
    assertRefused(new LinkedHashMap<>(Map.of("a", new Pair<>(-1L, -1L))));
  }
}
