package org.saevhadoop.format.arrays.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.file.NamePattern.Part;

class NamePatternTest {
  @Test
  void placeholdersStandForPartsOfAName() {
    NamePattern pattern = NamePattern.parse("{hook}/chunk-{shard}.safetensors");
    assertThat(pattern.match("blocks.3.hook_resid_post/chunk-00000012.safetensors"))
        .contains(Map.of(Part.HOOK, "blocks.3.hook_resid_post", Part.SHARD, "00000012"));
    assertThat(pattern.match("a/b/chunk-1.safetensors")).isEmpty();
    assertThat(pattern.match("a/chunk-.safetensors")).isEmpty();
    assertThat(pattern.match("a/chunk-1.safetensors.lock")).isEmpty();
  }

  @Test
  void layersAreIntegers() {
    NamePattern pattern = NamePattern.parse("blocks.{layer}.hook");
    assertThat(pattern.match("blocks.-2.hook")).contains(Map.of(Part.LAYER, "-2"));
    assertThat(pattern.match("blocks.x.hook")).isEmpty();
    assertThat(pattern.match("blocksx3.hook")).isEmpty();
  }

  @Test
  void aPlaceholderThatIsRepeatedStandsForTheSameText() {
    NamePattern pattern = NamePattern.parse("{example}/{example}.npy");
    assertThat(pattern.match("a/a.npy")).contains(Map.of(Part.EXAMPLE, "a"));
    assertThat(pattern.match("a/b.npy")).isEmpty();
  }

  @Test
  void namesOfArraysMayHaveSlashes() {
    assertThat(NamePattern.ofArrays("img/{example}").match("img/a/1.jpg"))
        .contains(Map.of(Part.EXAMPLE, "a/1.jpg"));
    assertThat(NamePattern.parse("img/{example}").match("img/a/1.jpg")).isEmpty();
    assertThat(NamePattern.ofArrays("{layer}").match("1/2")).isEmpty();
  }

  @Test
  void doubledBracesAreBracesOfTheName() {
    assertThat(NamePattern.parse("{{layer}}").match("{layer}")).contains(Map.of());
    assertThat(NamePattern.literally("a{b}.*").match("a{b}.*")).contains(Map.of());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "}", "a{b", "{Layer}", "{token}", "{}", "{{layer}"})
  void whatIsNoPatternIsRefused(String text) {
    assertThatThrownBy(() -> NamePattern.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
