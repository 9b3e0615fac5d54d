package org.saevhadoop.format.samediff.sdnb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.hex;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.int64;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.join;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.replace;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.utf;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.common.primitives.Pair;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.samediff.sdnb.SerialClass.SerialField;

/** Manifests that are broken or hostile, each with its error. */
class SdnbManifestRefusalTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
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
    assertFails(SdnbError.BAD_MANIFEST, JavaManifest.PATH, () -> JavaManifest.parse(manifest));
  }

  private static void assertTooLarge(byte[] manifest) {
    assertFails(SdnbError.TOO_LARGE, JavaManifest.PATH, () -> JavaManifest.parse(manifest));
  }

  private static void assertRefused(Object object) throws IOException {
    assertRefused(JavaManifest.bytes(object));
  }

  private static void assertValueRefused(Object value) throws IOException {
    assertRefused(new LinkedHashMap<>(Map.of("a", value)));
  }

  // Classes

  @Test
  void anotherObjectThanAMapIsRefused() throws IOException {
    assertRefused(new ArrayList<>(List.of("a")));
    assertRefused((Object) "text");
    assertRefused(5L);
  }

  @Test
  void aMapOfAnotherClassIsRefused() throws IOException {
    assertRefused(new HashMap<>(Map.of("a", new Pair<>(1000L, 2000L))));
  }

  @Test
  void anObjectThatRunsCodeIsRefusedAndNotMade() throws IOException {
    assertValueRefused(new Gadget());
    assertRefused(new LinkedHashMap<>(Map.of(new Gadget(), new Pair<>(1000L, 2000L))));
    assertValueRefused(new Pair<>(new Gadget(), 2000L));
    assertThat(Gadget.ran).isFalse();
  }

  @Test
  void aNumberOfAnotherClassIsRefused() throws IOException {
    assertValueRefused(new Pair<>(1000, 2000));
    assertValueRefused(new Pair<>(1000L, 2000.0));
  }

  @Test
  void aKeyOfAnotherClassIsRefused() throws IOException {
    assertRefused(new LinkedHashMap<>(Map.of(5L, new Pair<>(1000L, 2000L))));
  }

  @Test
  void aValueThatIsNoPairIsRefused() throws IOException {
    assertValueRefused(1000L);
    assertValueRefused("text");
    assertRefused(replace(BYTES, PAIR_AGAIN, hex("77 01 00")));
    assertRefused(replace(BYTES, PAIR_AGAIN, hex("78")));
    assertRefused(replace(BYTES, PAIR_AGAIN, hex("7f")));
    assertValueRefused(new LinkedHashMap<>());
  }

  @Test
  void aProxyIsRefused() throws IOException {
    InvocationHandler handler =
        (InvocationHandler & Serializable) (proxy, method, arguments) -> null;
    assertValueRefused(
        Proxy.newProxyInstance(
            SdnbManifestRefusalTest.class.getClassLoader(),
            new Class<?>[] {Comparable.class},
            handler));
  }

  @Test
  void anEnumIsRefused() throws IOException {
    assertValueRefused(Color.RED);
  }

  @Test
  void anArrayIsRefused() throws IOException {
    assertValueRefused(new long[] {1000, 2000});
    assertRefused(new String[] {"a"});
  }

  @Test
  void aClassIsRefused() throws IOException {
    assertValueRefused(Pair.class);
    assertRefused(replace(BYTES, NAME_B, hex("76 71 007e0004")));
  }

  @Test
  void anExceptionIsRefused() {
    assertRefused(hex("aced 0005 7b 73"));
    assertRefused(replace(BYTES, NAME_B, hex("7b")));
  }

  @Test
  void aResetIsRefused() {
    assertRefused(replace(BYTES, hex("0005 73"), hex("0005 79 73")));
    assertRefused(replace(BYTES, NAME_B, hex("79"), NAME_B));
  }

  @Test
  void nullIsRefused() throws IOException {
    assertRefused((Object) null);
    assertRefused(new LinkedHashMap<>(Collections.singletonMap(null, new Pair<>(1L, 2L))));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("a", null);
    map.put("b", new Pair<>(1000L, 2000L));
    assertRefused(map);
    assertValueRefused(new Pair<>(null, 2000L));
    assertValueRefused(new Pair<>(1000L, null));
    assertRefused(replace(BYTES, PAIR_AGAIN, hex("73 70")));
  }

  // Descriptions of classes

  @ParameterizedTest
  @EnumSource
  void anotherSerialVersionUidIsRefused(SerialClass type) {
    byte[] uid = join(utf(type.className()), int64(type.uid()));
    assertRefused(replace(BYTES, uid, utf(type.className()), int64(type.uid() + 1)));
  }

  @ParameterizedTest
  @EnumSource
  void otherFlagsAreRefused(SerialClass type) {
    byte[] uid = join(utf(type.className()), int64(type.uid()));
    byte[] flags = {(byte) type.flags()};
    byte[] others = {(byte) (type.flags() ^ 1)};
    assertRefused(replace(BYTES, join(uid, flags), uid, others));
  }

  @ParameterizedTest
  @EnumSource
  void anotherNumberOfFieldsIsRefused(SerialClass type) {
    byte[] head =
        join(utf(type.className()), int64(type.uid()), new byte[] {(byte) type.flags(), 0});
    byte[] count = {(byte) type.fields().size()};
    byte[] more = {(byte) (type.fields().size() + 1)};
    assertRefused(replace(BYTES, join(head, count), head, more));
  }

  @Test
  void aFieldOfAnotherNameIsRefused() {
    assertRefused(replace(BYTES, utf("key"), utf("kex")));
    assertRefused(replace(BYTES, utf("threshold"), utf("thresholds")));
    assertRefused(replace(BYTES, utf("key"), utf("\n\u001b[31m")));
  }

  @Test
  void aFieldOfAnotherTypeIsRefused() {
    assertRefused(replace(BYTES, join(hex("4a"), utf("value")), hex("44"), utf("value")));
    assertRefused(replace(BYTES, join(hex("4c"), utf("key")), hex("5b"), utf("key")));
    assertRefused(replace(BYTES, utf(SerialField.OBJECT_TYPE), utf("Ljava/lang/Long;")));
  }

  @Test
  void aTypeOfAFieldThatIsNoTextIsRefused() {
    byte[] type = join(hex("74"), utf(SerialField.OBJECT_TYPE));
    assertRefused(replace(BYTES, type, hex("70")));
    assertRefused(replace(BYTES, type, hex("71 007e0000")));
  }

  @Test
  void anotherSuperclassIsRefused() {
    byte[] number = join(hex("72"), utf("java.lang.Number"));
    assertRefused(replace(BYTES, number, hex("70")));
    assertRefused(replace(BYTES, number, hex("71 007e0007")));
    assertRefused(replace(BYTES, number, hex("72"), utf("java.util.HashMap")));
    assertRefused(replace(BYTES, join(hex("72"), utf("java.util.HashMap")), hex("70")));
  }

  @Test
  void aSuperclassWhereThereIsNoneIsRefused() {
    assertRefused(replace(BYTES, hex("78 70 73 72"), hex("78 72"), utf("evil.Base"), hex("73 72")));
  }

  @Test
  void anAnnotationOfAClassIsRefused() {
    assertRefused(replace(BYTES, hex("78 72"), hex("74"), utf("http://evil"), hex("78 72")));
  }

  @Test
  void aProxyAsADescriptionIsRefused() {
    assertRefused(replace(BYTES, PAIR_CLASS, hex("73 7d 00000000 78 70")));
  }

  // References

  @Test
  void aReferenceToAnObjectOfAnotherKindIsRefused() {
    assertRefused(replace(BYTES, NAME_B, hex("71 007e0000"))); // class
    assertRefused(replace(BYTES, NAME_B, hex("71 007e0009"))); // number
    assertRefused(replace(BYTES, PAIR_AGAIN, hex("71 007e0003"))); // text
    assertRefused(replace(BYTES, PAIR_AGAIN, hex("71 007e0009"))); // number
    assertRefused(replace(BYTES, PAIR_AGAIN, hex("73 71 007e0007"))); // another class
    assertRefused(replace(BYTES, PAIR_AGAIN, hex("73 71 007e0003"))); // text as class
    assertRefused(replace(BYTES, FOUR_THOUSAND, hex("71 007e0006"))); // pair
    assertRefused(replace(BYTES, FOUR_THOUSAND, hex("73 71 007e0008"))); // superclass
  }

  @Test
  void aReferenceToAnObjectThatIsStillReadIsRefused() {
    assertRefused(replace(BYTES, NAME_B, hex("71 007e0002"))); // map
    assertRefused(replace(BYTES, FOUR_THOUSAND, hex("71 007e000c"))); // pair
  }

  @Test
  void aReferenceToNoObjectIsRefused() {
    assertRefused(replace(BYTES, NAME_B, hex("71 007e000b")));
    assertRefused(replace(BYTES, NAME_B, hex("71 7fffffff")));
    assertRefused(replace(BYTES, NAME_B, hex("71 007dffff")));
    assertRefused(replace(BYTES, NAME_B, hex("71 80000000")));
    assertRefused(replace(BYTES, NAME_A, hex("71 ffffffff")));
  }

  // Counts and lengths

  @ParameterizedTest
  @CsvSource({"ffffffff", "80000000", "00000003", "00000001", "00000000", "00000050"})
  void aCountThatIsNotThatOfTheEntriesIsRefused(String count) throws IOException {
    byte[] manifest = replace(BYTES, COUNT, hex("77 08 00000010" + count));
    assertRefused(manifest);
    assertAllocatesLittle(manifest);
  }

  @Test
  void aCountBeyondTheLimitIsRefused() throws IOException {
    byte[] manifest = replace(BYTES, COUNT, hex("77 08 00000010 7fffffff"));
    assertTooLarge(manifest);
    assertAllocatesLittle(manifest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "77 07 00000010 000000",
        "77 09 00000010 00000002 00",
        "77 04 00000010 77 05 00000002 00",
        "7a ffffffff 00",
        "7a 7fffffff 00",
        "78",
        ""
      })
  void blocksThatAreNotTheCountAreRefused(String blocks) {
    assertRefused(replace(BYTES, COUNT, hex(blocks)));
  }

  @Test
  void aTextThatEndsAfterTheManifestIsRefused() throws IOException {
    for (String head : List.of("74 ffff", "7c 0000000000000200", "7c 7fffffffffffffff")) {
      byte[] manifest = replace(BYTES, NAME_B, hex(head));
      assertRefused(manifest);
      assertAllocatesLittle(manifest);
    }
  }

  @Test
  void aTextOfNegativeLengthIsRefused() {
    assertRefused(replace(BYTES, NAME_B, hex("7c ffffffffffffffff")));
    assertRefused(replace(BYTES, NAME_B, hex("7c 8000000000000000")));
  }

  @Test
  void aNameBeyondTheLimitIsRefused() throws IOException {
    byte[] name = new byte[SdnbLimits.MAX_NAME_BYTES + 1];
    Arrays.fill(name, (byte) 'x');
    byte[] manifest = replace(BYTES, NAME_B, hex("7c"), int64(name.length), name);
    assertTooLarge(manifest);
    assertAllocatesLittle(manifest);
  }

  @Test
  void namesThatAreTogetherBeyondTheLimitAreRefused() {
    String name = "x".repeat(SdnbLimits.MAX_NAME_BYTES - 10);
    List<SdnbManifestEntry> entries = new ArrayList<>();
    for (int i = 10; i < 43; i++) {
      entries.add(new SdnbManifestEntry(i + name, 1000, 2000));
    }
    assertTooLarge(SdnbManifestEncoder.encode(entries));
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
    assertAllocatesLittle(pairs);
  }

  private static byte[] repeated(byte[] part, int count) {
    byte[][] parts = new byte[count][];
    Arrays.fill(parts, part);
    return join(parts);
  }

  // Values

  @ParameterizedTest
  @CsvSource({
    "0000000000000fa0, ffffffffffffffff",
    "0000000000000fa0, 8000000000000000",
    "0000000000000bb8, ffffffffffffffff"
  })
  void aNegativeNumberIsRefused(String number, String negative) {
    assertRefused(replace(BYTES, hex(number), hex(negative)));
  }

  @Test
  void aNegativeNumberThatIsReferredToIsRefused() throws IOException {
    assertValueRefused(new Pair<>(-1L, -1L));
  }

  @Test
  void aNameThatOccursTwiceIsRefused() {
    assertRefused(replace(BYTES, NAME_B, NAME_A));
    assertRefused(replace(BYTES, NAME_B, hex("71 007e0003")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "c181", "f09f9880", "c3", "ff", "61e080"})
  void aNameThatIsNotModifiedUtf8IsRefused(String name) {
    byte[] bytes = hex(name);
    assertRefused(replace(BYTES, NAME_B, hex("74"), new byte[] {0, (byte) bytes.length}, bytes));
  }

  @Test
  void aNameOfAClassThatIsNotModifiedUtf8IsRefused() {
    assertRefused(replace(BYTES, PAIR_CLASS, hex("73 72 001f ff")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"00000000", "80000000", "bf400000", "7fc00000", "ff800000"})
  void aLoadFactorThatJavaRefusesIsRefused(String bits) {
    assertRefused(replace(BYTES, hex("3f400000"), hex(bits)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cafe0005", "aced0004", "aced0006", "0005aced", "00000000"})
  void anotherBeginningIsRefused(String begin) {
    assertRefused(replace(BYTES, hex("aced0005"), hex(begin)));
  }

  private static void assertAllocatesLittle(byte[] manifest) {
    allocated(manifest); // loads classes
    assertThat(allocated(manifest)).isLessThan(MAX_ALLOCATED);
  }

  private static long allocated(byte[] manifest) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    assertThat(catchThrowable(() -> JavaManifest.parse(manifest))).isNotNull();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
