package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.saevhadoop.format.io.FormatException;

class ShardFactsPropertyTest {
  @Property
  void factsTravelAsJson(
      @ForAll String name,
      @ForAll boolean hashed,
      @ForAll boolean compressed,
      @ForAll @Size(max = 5) Map<Integer, @LongRange(min = 0) Long> counts,
      @ForAll long least,
      @ForAll long greatest,
      @ForAll @LongRange(min = 0) long bytes)
      throws IOException {
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

  @Example
  void everyCutIsTold() {
    byte[] json =
        new ShardFacts("s", 1, "ab", true, new TreeMap<>(Map.of(1, 2L)), 2, 0, 1, 8, 1, 2).toJson();
    for (int length = 0; length < json.length; length++) {
      byte[] cut = Arrays.copyOf(json, length);
      assertThatThrownBy(() -> ShardFacts.parse("f", cut))
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith("f: BAD_METADATA: ");
    }
    byte[] other = "{\"name\": \"s\"}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> ShardFacts.parse("f", other))
        .hasMessage("f: BAD_METADATA: bytes is missing (expected a value)");
  }
}
