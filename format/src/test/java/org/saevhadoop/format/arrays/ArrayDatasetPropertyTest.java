package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Arrays of any shape, in any files, against the values that they were made of. */
@Tag("sampled")
class ArrayDatasetPropertyTest {
  /** What is made: layers 0, 1, ... of shards with some examples of some tokens each. */
  private record Plan(List<int[]> shards, int layers, int dim) {
    List<List<Float>> blocks(RaggedPolicy ragged) {
      List<List<Float>> blocks = new ArrayList<>();
      int example = 0;
      for (int[] shard : shards) {
        for (int i = 0; i < shard[0]; i++, example++) {
          if (ragged.mode() == RaggedPolicy.Mode.FLATTEN) {
            for (int token = 0; token < shard[1]; token++) {
              add(blocks, example, token, token + 1, token + 1);
            }
          } else {
            int tokens = ragged.tokens() == 0 ? shard[1] : ragged.tokens();
            add(blocks, example, 0, Math.min(tokens, shard[1]), tokens);
          }
        }
      }
      return blocks;
    }

    private void add(List<List<Float>> blocks, int example, int from, int to, int end) {
      for (int layer = 0; layer < layers; layer++) {
        List<Float> block = new ArrayList<>();
        for (int token = from; token < end; token++) {
          for (int d = 0; d < dim; d++) {
            block.add(token < to ? MadeArrays.value(example, layer, token, d) : 7f);
          }
        }
        blocks.add(block);
      }
    }
  }

  @Property(tries = 300, sample = 100)
  void blocksAreThoseOfTheArraysInAnyOrderOfDimensions(RandomValues any) throws IOException {
    boolean ragged = any.bool();
    int tokens = any.intBetween(1, 5);
    List<int[]> shards = new ArrayList<>();
    int count = any.intBetween(1, 3);
    int longest = 0;
    int shortest = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      int own = ragged ? any.intBetween(1, 5) : tokens;
      shards.add(new int[] {any.intBetween(1, 3), own});
      longest = Math.max(longest, own);
      shortest = Math.min(shortest, own);
    }
    Plan plan = new Plan(shards, any.intBetween(1, 3), any.intBetween(1, 4));
    MadeArrays arrays = new MadeArrays();
    List<Axis> axes = new ArrayList<>(List.of(Axis.values()));
    Collections.shuffle(axes, new Random(any.anyLong()));
    boolean separate = any.bool();
    make(arrays, plan, axes, separate, any.bool(), any);
    RaggedPolicy policy =
        switch (ragged ? any.intBetween(0, 2) : 3) {
          case 0 -> RaggedPolicy.parse("flatten");
          case 1 -> RaggedPolicy.parse("truncate:" + shortest);
          case 2 -> RaggedPolicy.parse("pad:" + longest + ":7");
          default -> RaggedPolicy.ERROR;
        };
    ArrayOptions options =
        new ArrayOptions(
            List.of(ArrayMapping.parse((separate ? "l{layer}" : "acts") + "=" + text(axes))),
            null,
            List.of(),
            policy,
            1);
    ArrayDataset dataset = ArrayDataset.open(arrays.location(), arrays, options);
    assertThat(MadeArrays.blocks(dataset)).isEqualTo(plan.blocks(policy));
    ArraySurvey survey = ArraySurvey.parse(dataset.survey().toString());
    assertSame(ArrayDataset.open(arrays.location(), arrays, options, survey), dataset);
  }

  /** Compares a dataset that was opened with a survey with one that was opened without. */
  private static void assertSame(ArrayDataset surveyed, ArrayDataset dataset) throws IOException {
    assertThat(surveyed.geometry()).isEqualTo(dataset.geometry());
    assertThat(surveyed.shards()).isEqualTo(dataset.shards());
    assertThat(surveyed.storageOrder()).isEqualTo(dataset.storageOrder());
    for (int i = 0; i < dataset.shards().size(); i++) {
      try (Input file = dataset.folder().open(dataset.shards().get(i).name())) {
        for (int layer = 0; layer < dataset.geometry().layers().size(); layer++) {
          long last = dataset.shards().get(i).examples() - 1;
          assertThat(surveyed.placement(i, file).offset(last, layer))
              .isEqualTo(dataset.placement(i, file).offset(last, layer));
        }
      }
    }
    assertThat(MadeArrays.blocks(surveyed)).isEqualTo(MadeArrays.blocks(dataset));
  }

  private static String text(List<Axis> axes) {
    return String.join(",", axes.stream().map(Axis::toString).toList());
  }

  /**
   * Writes a file for each shard, or several as the parts of one, with an array of all layers or
   * one for each.
   */
  private static void make(
      MadeArrays arrays,
      Plan plan,
      List<Axis> axes,
      boolean separate,
      boolean bigEndian,
      RandomValues any) {
    int example = 0;
    List<List<MadeArrays.Made>> parts = new ArrayList<>();
    for (int i = 0; i < plan.shards.size(); i++) {
      int[] shard = plan.shards.get(i);
      List<MadeArrays.Made> list = new ArrayList<>();
      for (int layer = 0; layer < (separate ? plan.layers : 1); layer++) {
        list.add(
            new MadeArrays.Made(
                separate ? "l" + layer : "acts",
                new int[] {example, layer, 0, 0},
                new int[] {shard[0], separate ? 1 : plan.layers, shard[1], plan.dim},
                axes,
                bigEndian));
      }
      example += shard[0];
      parts.add(list);
      if (i == plan.shards.size() - 1 || any.bool()) {
        // as names, 9 comes after 10
        arrays.addParts("part" + (9 + i) + ".made", parts, List.of());
        parts.clear();
      }
    }
  }
}
