package org.saevhadoop.format.samediff.sdnb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** What is written is read again. */
@Tag("sampled")
class SdnbLayoutTest {
  private static byte[] file(SdnbLayout layout) {
    ByteBuffer bytes = ByteBuffer.allocate((int) layout.length());
    bytes.put(layout.head());
    bytes.position((int) layout.dataEnd());
    return bytes.put(layout.manifest()).array();
  }

  private static String text(RandomValues values, int max) {
    return values.filtered(
        () -> values.text(0, max), StandardCharsets.UTF_8.newEncoder()::canEncode);
  }

  @Property(tries = 500, sample = 50)
  void arraysAndMetadataAreReadAsTheyWereWritten(RandomValues values) throws IOException {
    List<String> names = values.distinct(0, 8, name -> name, () -> text(values, 12));
    List<ArraySpec> arrays =
        names.stream()
            .map(
                name ->
                    new ArraySpec(
                        name,
                        values.of(SdnbType.class),
                        values.list(1, 4, () -> values.longBetween(0, 6))))
            .toList();
    SortedMap<String, String> metadata =
        new TreeMap<>(values.map(3, () -> text(values, 8), () -> text(values, 30)));
    SdnbLayout layout = SdnbLayout.of(arrays, metadata);
    SdnbFile read = SdnbFile.read(new MemoryInput("x.sdnb", file(layout)));
    assertThat(read.metadata()).isEqualTo(metadata);
    assertThat(read.arrays())
        .extracting(array -> new ArraySpec(array.name(), array.type(), array.shape()))
        .isEqualTo(arrays);
    for (int i = 0; i < arrays.size(); i++) {
      if (arrays.get(i).bytes() > 0) {
        assertThat(read.arrays().get(i).offset()).isEqualTo(layout.offset(i));
        assertThat(layout.offset(i) % 64).isZero();
      }
    }
  }

  @Test
  void theLastArrayEndsWhereTheManifestBegins() {
    List<ArraySpec> arrays =
        List.of(
            new ArraySpec("a", SdnbType.BYTE, List.of(65L)),
            new ArraySpec("b", SdnbType.BYTE, List.of(3L)),
            new ArraySpec("c", SdnbType.BYTE, List.of(0L)));
    SdnbLayout layout = SdnbLayout.of(arrays, new TreeMap<>());
    assertThat(layout.offset(1)).isEqualTo(layout.offset(0) + 128);
    assertThat(layout.dataEnd()).isEqualTo(layout.offset(1) + 3);
  }

  @Test
  void aGraphListsVariablesWithoutValues() throws IOException {
    List<ArraySpec> arrays =
        IntStream.range(0, 3)
            .mapToObj(i -> new ArraySpec("v" + i, SdnbType.LONG, List.of(2L, (long) i)))
            .toList();
    SdnbFile read =
        SdnbFile.read(new MemoryInput("x.sdnb", file(SdnbLayout.ofGraph(arrays, new TreeMap<>()))));
    assertThat(read.arrays()).isEmpty();
    assertThat(read.others())
        .extracting(other -> new ArraySpec(other.name(), other.type(), other.shape()))
        .isEqualTo(arrays);
  }
}
