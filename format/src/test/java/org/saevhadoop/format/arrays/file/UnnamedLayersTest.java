package org.saevhadoop.format.arrays.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnnamedLayersTest {
  private static String found(String folder, String names, boolean areExamples) {
    return UnnamedLayers.of(folder, List.of(names.split(" ")), Map.of(), areExamples)
        .map(layers -> layers.pattern() + (layers.isLikely() ? " likely" : ""))
        .orElse("");
  }

  @ParameterizedTest
  @CsvSource({
    "run, 3.npy 4.npy 11.npy, {layer}.npy likely",
    "run, 0.npy 1.npy 2.npy, {layer}.npy",
    "run, 00.npy 12.npy 23.npy, {layer}.npy likely",
    "layers, 0.npy 1.npy, {layer}.npy likely",
    "resid_pre, 0.npy 1.npy, {layer}.npy likely",
    "run, h0.npy h1.npy, h{layer}.npy likely",
    "run, acts_l0.npy acts_l1.npy, acts_l{layer}.npy likely",
    "run, T5Block0.npy T5Block1.npy, T5Block{layer}.npy likely",
    "run, hidden_states_0.npy hidden_states_1.npy, hidden_states_{layer}.npy likely",
    "run, mlp_out_0.npy mlp_out_1.npy, mlp_out_{layer}.npy likely",
    "run, 0_layer.npy 1_layer.npy, {layer}_layer.npy likely",
    "run, acts_3.npy acts_7.npy, acts_{layer}.npy likely",
    "run, acts_0.npy acts_1.npy, acts_{layer}.npy",
    "run, part_3.npy part_7.npy, ''",
    "run, seed0.npy seed42.npy, ''",
    "run, step_100.npy step_2000.npy, ''",
    "run, 139.npy 285.npy, ''",
    "run, 0003.npy 0007.npy, ''",
    "run, a_3.npy b_7.npy, ''",
    "run, 0_3.npy 1_7.npy, ''",
    "run, 0_3.npy 0_7.npy 1_3.npy 1_7.npy, {shard}_{layer}.npy likely",
    "run, acts_l3_s0.npy acts_l3_s1.npy acts_l9_s0.npy acts_l9_s1.npy,"
        + " acts_l{layer}_s{shard}.npy likely",
    "run, 0_mlp0.npy 1_mlp0.npy 0_mlp1.npy 1_mlp1.npy, {shard}_mlp{layer}.npy likely",
    "run, a_3_part_0.npy a_3_part_1.npy a_9_part_0.npy a_9_part_1.npy,"
        + " a_{layer}_part_{shard}.npy likely",
    "run, a_0_0.npy a_0_1.npy a_1_0.npy a_1_1.npy, ''",
    "run, seed0_step5.npy seed0_step9.npy seed1_step5.npy seed1_step9.npy, ''",
    "run, l0_0.npy l0_1.npy l1_0.npy, ''",
    "run, 3.npy, ''"
  })
  void numbersThatSkipSomeOrFollowAWordLikeLayersAreLikelyTheirs(
      String folder, String names, String pattern) {
    assertThat(found(folder, names, false)).isEqualTo(pattern);
  }

  @Test
  void numbersOfExamplesAreNoneOfLayersUnlessAWordIs() {
    assertThat(found("run", "3.npy 7.npy", true)).isEmpty();
    assertThat(found("run", "h3.npy h7.npy", true)).isEqualTo("h{layer}.npy likely");
  }

  @Test
  void partsMayHaveAnyShapesButTheirLayersHaveTheSame() {
    List<String> names = List.of("l0_0.npy", "l0_1.npy", "l1_0.npy", "l1_1.npy");
    assertThat(
            UnnamedLayers.of(
                "run",
                names,
                Map.of("l0_0.npy", 5, "l0_1.npy", 2, "l1_0.npy", 5, "l1_1.npy", 2),
                false))
        .contains(new UnnamedLayers("l{layer}_{shard}.npy", "l{shard}.npy", true));
    assertThat(UnnamedLayers.of("run", names, Map.of("l0_0.npy", 5, "l1_0.npy", 2), false))
        .isEmpty();
    assertThat(
            UnnamedLayers.of(
                "run", List.of("l0.npy", "l1.npy"), Map.of("l0.npy", 5, "l1.npy", 2), false))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "mlp_12.npy array, 12",
    "run/hidden_states31.npz x, 31",
    "acts_l3_part0.npy acts_l3_part1.npy, 3",
    "12_layer.npy, 12",
    "data.pt l12.output, 12",
    "l0.npy, ''",
    "layers/12.npy, 12",
    "l2norm.npy, ''",
    "l2_normed.npy, ''",
    "acts_h5.npy, ''",
    "acts_3.npy, ''",
    "part_3.npy, ''",
    "mlp_300.npy, ''",
    "mlp_3.npy mlp_4.npy, ''",
    "layer_5/mlp_3.npy, ''"
  })
  void theOnlyNumberAfterAWordForLayersMayBeThatOfTheLayer(String names, String number) {
    assertThat(UnnamedLayers.ofOne(List.of(names.split(" "))).map(Object::toString).orElse(""))
        .isEqualTo(number);
  }
}
