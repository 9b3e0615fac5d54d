package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/**
 * Integers and masks of tokens beside arrays of any shape, against the values they were made of.
 */
@Tag("sampled")
class ArrayTokensPropertyTest {
  private static final List<DType> TYPES =
      List.of(DType.BOOL, DType.U8, DType.I8, DType.I16, DType.U32, DType.I32, DType.I64);

  /** An example: its number, and the tokens that its mask keeps. */
  private record Example(int number, List<Integer> tokens) {}

  /** What is expected of an example of the dataset. */
  private record Expected(int example, List<Integer> tokens, int length) {
    List<Float> block(int layer, int dim) {
      List<Float> block = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        for (int d = 0; d < dim; d++) {
          block.add(i < tokens.size() ? MadeArrays.value(example, layer, tokens.get(i), d) : 7f);
        }
      }
      return block;
    }

    List<Long> ids() {
      List<Long> ids = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        ids.add(i < tokens.size() ? id(example, tokens.get(i)) : -1);
      }
      return ids;
    }

    Expected part(IndexRange range) {
      int end = (int) Math.min(range.stop(), tokens.size());
      int start = (int) Math.min(range.start(), end);
      return new Expected(example, tokens.subList(start, end), (int) range.length());
    }
  }

  private static long id(int example, int token) {
    return example * 10 + token;
  }

  private MadeArrays arrays = new MadeArrays();
  private final List<Example> examples = new ArrayList<>();
  private int layers;
  private int dim;
  private String idsName;
  private boolean isMarked;

  @Property(tries = 400, sample = 150)
  void tokensAreThoseThatMasksKeepInAnyFile(RandomValues any) throws IOException {
    arrays = new MadeArrays(); // all tries have the same instance
    examples.clear();
    layers = any.intBetween(1, 3);
    dim = any.intBetween(1, 3);
    idsName = any.of(List.of("ids", "token_ids"));
    List<Axis> axes = new ArrayList<>(List.of(Axis.values()));
    Collections.shuffle(axes, new Random(any.anyLong()));
    boolean separate = any.bool();
    int tokens = any.intBetween(1, 5);
    int kind = any.intBetween(0, 4);
    int files = any.intBetween(1, 3);
    for (int i = 0; i < files; i++) {
      makeFile(any, "part" + (9 + i) + ".made", tokens, kind, axes, separate);
    }
    RaggedPolicy policy = policy(any);
    isMarked = policy.mode() == RaggedPolicy.Mode.PAD && idsName.equals("ids");
    ArrayMapping mapping = ArrayMapping.parse((separate ? "l{layer}" : "acts") + "=" + text(axes));
    ArrayDataset dataset =
        ArrayDataset.open(
            arrays.location(),
            arrays,
            new ArrayOptions(List.of(mapping), null, List.of(), policy, 1));
    List<Expected> expected = expected(policy);
    check(dataset, expected);
    int length = dataset.geometry().tokens();
    long first = any.intBetween(0, expected.size() - 1);
    long token = any.intBetween(0, length - 1);
    IndexRange some = new IndexRange(first, any.intBetween((int) first + 1, expected.size()));
    IndexRange part = new IndexRange(token, any.intBetween((int) token + 1, length));
    List<Integer> columns = Projection.everything(dataset).columns();
    check(
        (ActivationDataset) new Projection(columns, List.of(some), List.of(part)).of(dataset),
        expected.subList((int) some.start(), (int) some.stop()).stream()
            .map(example -> example.part(part))
            .toList());
  }

  private void check(ActivationDataset dataset, List<Expected> expected) throws IOException {
    List<List<Float>> blocks = new ArrayList<>();
    for (Expected example : expected) {
      for (int layer = 0; layer < layers; layer++) {
        blocks.add(example.block(layer, dim));
      }
    }
    assertThat(MadeArrays.blocks(dataset)).isEqualTo(blocks);
    List<List<Long>> integers = expected.stream().map(Expected::ids).toList();
    if (isMarked) {
      assertThat(dataset.tokenArrays().names()).containsExactly("attention_mask", idsName);
      assertThat(MadeArrays.integers(dataset, 0))
          .isEqualTo(
              integers.stream()
                  .map(example -> example.stream().map(id -> id == -1 ? 0L : 1L).toList())
                  .toList());
    } else {
      assertThat(dataset.tokenArrays().names()).containsExactly(idsName);
    }
    assertThat(dataset.tokenArrays().tokens()).isEqualTo(dataset.geometry().tokens());
    assertThat(MadeArrays.integers(dataset, isMarked ? 1 : 0)).isEqualTo(integers);
  }

  private List<Expected> expected(RaggedPolicy policy) {
    List<Expected> expected = new ArrayList<>();
    for (Example example : examples) {
      if (policy.mode() == RaggedPolicy.Mode.FLATTEN) {
        example.tokens.forEach(
            token -> expected.add(new Expected(example.number, List.of(token), 1)));
      } else {
        int length = policy.tokens() == 0 ? example.tokens.size() : policy.tokens();
        int kept = Math.min(length, example.tokens.size());
        expected.add(new Expected(example.number, example.tokens.subList(0, kept), length));
      }
    }
    return expected;
  }

  /** Returns a policy that the lengths allow. */
  private RaggedPolicy policy(RandomValues any) {
    int longest = examples.stream().mapToInt(example -> example.tokens.size()).max().orElse(1);
    int shortest = examples.stream().mapToInt(example -> example.tokens.size()).min().orElse(1);
    List<String> possible = new ArrayList<>(List.of("pad:" + (longest + 1) + ":7"));
    if (longest > 0) {
      possible.add("flatten");
    }
    if (shortest > 0) {
      possible.add("truncate:" + any.intBetween(1, shortest));
    }
    if (shortest > 0 && shortest == longest) {
      possible.add("error");
    }
    return RaggedPolicy.parse(any.of(possible));
  }

  private void makeFile(
      RandomValues any, String file, int tokens, int kind, List<Axis> axes, boolean separate) {
    int count = any.intBetween(1, 3);
    List<MadeArrays.Made> made = new ArrayList<>();
    for (int layer = 0; layer < (separate ? layers : 1); layer++) {
      made.add(
          new MadeArrays.Made(
              separate ? "l" + layer : "acts",
              new int[] {examples.size(), layer, 0, 0},
              new int[] {count, separate ? 1 : layers, tokens, dim},
              axes,
              any.bool() && !separate));
    }
    boolean tokensFirst = axes.indexOf(Axis.TOKEN) < axes.indexOf(Axis.EXAMPLE);
    long[] mask = new long[count * tokens];
    long[] ids = new long[mask.length];
    for (int example = 0; example < count; example++) {
      List<Integer> kept = new ArrayList<>();
      for (int token = 0; token < tokens; token++) {
        int at = tokensFirst ? token * count + example : example * tokens + token;
        mask[at] = isKept(any, kind, token) ? 1 : 0;
        ids[at] = id(examples.size(), token);
        if (mask[at] != 0) {
          kept.add(token);
        }
      }
      examples.add(new Example(examples.size(), kept));
    }
    List<Long> shape =
        tokensFirst ? List.of((long) tokens, (long) count) : List.of((long) count, (long) tokens);
    List<MadeArrays.Integers> integers = new ArrayList<>();
    integers.add(
        new MadeArrays.Integers(
            any.bool() ? idsName : "x." + idsName,
            any.of(TYPES.subList(1, TYPES.size())),
            shape,
            ids,
            any.bool()));
    integers.add(
        new MadeArrays.Integers(
            any.of(List.of("mask", "attention_mask")), any.of(TYPES), shape, mask, any.bool()));
    arrays.add(file, made, integers);
  }

  private static boolean isKept(RandomValues any, int kind, int token) {
    return switch (kind) {
      case 0 -> true;
      case 1 -> token > 0;
      case 2 -> token < 2;
      default -> any.bool();
    };
  }

  private static String text(List<Axis> axes) {
    return String.join(",", axes.stream().map(Axis::toString).toList());
  }
}
