package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class ShardFactsPropertyTest {
  @Property
  void factsTravelAsJson(RandomValues any) throws IOException {
    String name = any.text(0, 255);
    boolean hashed = any.bool();
    boolean compressed = any.bool();
    Map<Integer, Long> counts = any.map(5, any::anyInt, () -> any.longBetween(0, Long.MAX_VALUE));
    long least = any.anyLong();
    long greatest = any.anyLong();
    long bytes = any.longBetween(0, Long.MAX_VALUE);
    counts.keySet().removeIf(layer -> Math.abs((long) layer) > 999_999_999);
    ShardFacts facts =
        new ShardFacts(
            name.replaceAll("[\ud800-\udfff]", "x"),
            bytes,
            hashed ? "ab" : null,
            compressed,
            new TreeMap<>(counts),
            bytes,
            least,
            greatest,
            bytes,
            bytes,
            bytes);
    assertThat(ShardFacts.parse("f", facts.toJson())).isEqualTo(facts);
  }

  @Test
  void everyTruncationIsReported() throws IOException {
    byte[] json =
        new ShardFacts("s", 1, "ab", true, new TreeMap<>(Map.of(1, 2L)), 2, 0, 1, 8, 1, 2).toJson();
    for (int length = 0; length < json.length; length++) {
      byte[] cut = Arrays.copyOf(json, length);
      assertFailsWithAnyText(PickleError.BAD_METADATA, "f", () -> ShardFacts.parse("f", cut));
    }
    byte[] other = "{\"name\": \"s\"}".getBytes(StandardCharsets.UTF_8);
    assertFails(PickleError.BAD_METADATA, "f", () -> ShardFacts.parse("f", other));
  }
}
