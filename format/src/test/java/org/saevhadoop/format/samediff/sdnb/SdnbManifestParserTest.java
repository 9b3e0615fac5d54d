package org.saevhadoop.format.samediff.sdnb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.hex;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.join;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.replace;
import static org.saevhadoop.format.samediff.sdnb.SerialForge.utf;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.common.primitives.Pair;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class SdnbManifestParserTest {
  private static final List<SdnbManifestEntry> TWO =
      List.of(new SdnbManifestEntry("a", 1000, 2000), new SdnbManifestEntry("b", 3000, 4000));
  private static final byte[] BYTES = SdnbManifestEncoder.encode(TWO);
  private static final byte[] COUNT = hex("77 08 00000010 00000002");

  @Test
  void aFileWithoutManifestHasNoEntries() throws IOException {
    assertThat(SdnbManifestParser.parse(new MemoryInput("f", BYTES), BYTES.length, 0)).isEmpty();
  }

  @Test
  void theManifestIsARangeOfTheFile() throws IOException {
    byte[] file = join(new byte[100], BYTES, new byte[] {1, 2, 3});
    assertThat(SdnbManifestParser.parse(new MemoryInput("f", file), 100, BYTES.length))
        .isEqualTo(TWO);
  }

  @Test
  void theEntriesCannotBeChanged() throws IOException {
    List<SdnbManifestEntry> entries = JavaManifest.parse(BYTES);
    assertThatThrownBy(() -> entries.remove(0)).isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMapOfAnyOrderAndCapacityIsRead(boolean accessOrder) throws IOException {
    Map<String, Pair<Long, Long>> map = new LinkedHashMap<>(1000, 0.3f, accessOrder);
    map.put("a", new Pair<>(1000L, 2000L));
    map.put("b", new Pair<>(3000L, 4000L));
    assertThat(JavaManifest.parse(JavaManifest.bytes(map))).isEqualTo(TWO);
  }

  @Test
  void numbersAndPairsThatEntriesShareAreRead() throws IOException {
    Long shared = 100_000L;
    Pair<Long, Long> pair = new Pair<>(shared, shared);
    Map<String, Pair<Long, Long>> map = new LinkedHashMap<>();
    map.put("a", pair);
    map.put("b", pair);
    map.put("c", new Pair<>(5L, shared));
    assertThat(JavaManifest.parse(JavaManifest.bytes(map)))
        .containsExactly(
            new SdnbManifestEntry("a", shared, shared),
            new SdnbManifestEntry("b", shared, shared),
            new SdnbManifestEntry("c", 5, shared));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aNameThatIsTheSameObjectAsTheTypeOfFieldsIsRead(int index) throws IOException {
    Map<String, Pair<Long, Long>> map = new LinkedHashMap<>();
    for (int i = 0; i < 2; i++) {
      map.put(i == index ? "Ljava/lang/Object;" : "other", new Pair<>(1000L, 2000L + i));
    }
    byte[] bytes = JavaManifest.bytes(map);
    assertThat(JavaManifest.parse(bytes)).isEqualTo(JavaManifest.read(bytes)).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "77 04 00000010 77 04 00000002",
        "77 00 77 07 00000010 000000 77 00 77 01 02",
        "7a 00000008 00000010 00000002",
        "7a 00000000 7a 00000001 00 77 07 000010 00000002"
      })
  void theCountMayBeDividedIntoBlocks(String blocks) throws IOException {
    assertRead(replace(BYTES, COUNT, hex(blocks)));
  }

  @Test
  void aShortNameMayHaveALongLength() throws IOException {
    assertRead(
        replace(BYTES, join(hex("74"), utf("b")), hex("7c 0000000000000001"), new byte[] {'b'}));
  }

  @Test
  void aClassMayBeDescribedAgain() throws IOException {
    byte[] number = join(utf("java.lang.Number"), hex("86AC951D0B94E08B 02 0000 78 70"));
    byte[] described =
        join(utf("java.lang.Long"), hex("3B8BE490CC8F23DF 02 0001"), hex("4a"), utf("value"));
    byte[] second = hex("73 71 007e0007 00000000000007d0");
    assertRead(
        replace(
            BYTES, second, hex("73 72"), described, hex("78 72"), number, hex("00000000000007d0")));
  }

  @Property(tries = 2000, sample = 300)
  void anyMapThatJavaWritesIsRead(RandomValues any) throws IOException {
    Map<String, Pair<Long, Long>> map =
        new LinkedHashMap<>(any.intBetween(0, 100), any.of(0.1f, 0.75f, 9f), any.bool());
    List<Long> numbers = any.list(1, 8, () -> any.longBetween(0, Long.MAX_VALUE));
    List<Pair<Long, Long>> pairs =
        any.list(1, 8, () -> new Pair<>(any.of(numbers), any.of(numbers)));
    for (String name : any.list(0, 20, () -> any.text(0, 6))) {
      map.put(any.intBetween(0, 9) == 0 ? "Ljava/lang/Object;" : name, any.of(pairs));
    }
    byte[] bytes = JavaManifest.bytes(map);
    assertThat(JavaManifest.parse(bytes)).isEqualTo(JavaManifest.read(bytes)).hasSize(map.size());
  }

  @Property(tries = 20_000, sample = 1000)
  void changedBytesAreRefusedOrReadAsByJava(RandomValues any) throws IOException {
    byte[] bytes =
        SdnbManifestEncoder.encode(
            List.of(
                new SdnbManifestEntry("a", 1000, 5),
                new SdnbManifestEntry("\u00e9", 5, 1000),
                new SdnbManifestEntry("c", 0, 0)));
    for (int i = any.intBetween(1, 3); i > 0; i--) {
      bytes[any.intBetween(0, bytes.length - 1)] = (byte) any.intBetween(-128, 127);
    }
    List<SdnbManifestEntry> entries;
    try {
      entries = JavaManifest.parse(bytes);
    } catch (FormatException e) {
      assertThat(e.kind()).isInstanceOf(SdnbError.class);
      return;
    }
    assertThat(JavaManifest.read(bytes)).isEqualTo(entries);
  }

  @Test
  void aLargeManifestIsReadOnceAndInSmallPieces() throws IOException {
    List<SdnbManifestEntry> entries =
        IntStream.range(0, 100_000)
            .mapToObj(i -> new SdnbManifestEntry("block/" + i, i * 4096L, 4096))
            .toList();
    byte[] bytes = SdnbManifestEncoder.encode(entries);
    MemoryInput file = new MemoryInput("f", bytes);
    assertThat(SdnbManifestParser.parse(file, 0, bytes.length)).isEqualTo(entries);
    assertThat(file.reads()).allMatch(read -> read.bytes() <= 64 << 10);
    assertThat(file.bytesRead()).isEqualTo(bytes.length);
  }

  @Test
  void elementsMayBeAcrossTheEndsOfPieces() throws IOException {
    for (int length = 65_000; length < 65_540; length += 7) {
      List<SdnbManifestEntry> entries =
          List.of(
              new SdnbManifestEntry("x".repeat(length), 1000, 2000),
              new SdnbManifestEntry("y".repeat(70_000), 3000, 4000));
      assertThat(JavaManifest.parse(SdnbManifestEncoder.encode(entries))).isEqualTo(entries);
    }
  }

  private static void assertRead(byte[] bytes) throws IOException {
    assertThat(JavaManifest.read(bytes)).isEqualTo(TWO);
    assertThat(JavaManifest.parse(bytes)).isEqualTo(TWO);
  }
}
