package org.saevhadoop.format.arrays.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LayerNumberTest {
  @ParameterizedTest
  @CsvSource({
    "blocks.3.hook_resid_post, 3, blocks.{}.hook_resid_post",
    "model.layers.11.mlp, 11, model.layers.{}.mlp",
    "transformer.h.0.output.0, 0, transformer.h.{}.output.0",
    "layer_3.npy, 3, layer_{}.npy",
    "layer3.npy, 3, layer{}.npy",
    "Layer-03.npy, 3, Layer-{}.npy",
    "acts-layer=3.pt, 3, acts-layer={}.pt",
    "layer 12.npy, 12, layer {}.npy",
    "layer12_mlp.npy, 12, layer{}_mlp.npy",
    "layer_-1.npy, -1, layer_{}.npy",
    "block_3.npy, 3, block_{}.npy",
    "blk.3.npy, 3, blk.{}.npy",
    "model.layers[3].npy, 3, model.layers[{}].npy",
    "layer(3).npy, 3, layer({}).npy",
    "h.11.npy, 11, h.{}.npy",
    "L3.npy, 3, L{}.npy",
    "acts_L_23.npy, 23, acts_L_{}.npy",
    "resid-3.npy, 3, resid-{}.npy",
    "resid_post_7.npy, 7, resid_post_{}.npy",
    "representations.33, 33, representations.{}",
    "seed0_layer1.npy, 1, seed0_layer{}.npy",
    "layer_3/layer_3.npy, 3, layer_{}/layer_{}.npy"
  })
  void aNumberAfterAWordForLayersIsTheirs(String name, int number, String rest) {
    assertThat(LayerNumber.find(name)).contains(new LayerNumber(number, rest));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "part_3.npy",
        "shard3.npy",
        "step_100.pt",
        "seed0.npy",
        "chunk-3.npy",
        "sublayer3.npy",
        "layernorm3.npy",
        "hs_1.safetensors",
        "h3.npy",
        "L2norm.npy",
        "l2.npy",
        "layers.npy",
        "layer_1234567890.npy"
      })
  void otherNumbersAreNone(String name) {
    assertThat(LayerNumber.find(name)).isEmpty();
    assertThat(LayerNumber.numbers(name)).isEmpty();
    assertThat(LayerNumber.pattern(name)).isEmpty();
  }

  @Test
  void ofTwoNumbersNoneIsChosen() {
    assertThat(LayerNumber.find("layers.3.block_5.npy")).isEmpty();
    assertThat(LayerNumber.numbers("layers.3.block_5.npy")).containsExactly(3, 5);
  }

  @Test
  void thePatternOfAllLayersIsThatOfTheirNames() {
    Optional<NamePattern> pattern = LayerNumber.pattern("{a}.layers.3.mlp").map(NamePattern::parse);
    assertThat(pattern.orElseThrow().match("{a}.layers.14.mlp")).isPresent();
  }
}
