package org.saevhadoop.format.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.saevhadoop.format.arrays.Axis.DIM;
import static org.saevhadoop.format.arrays.Axis.EXAMPLE;
import static org.saevhadoop.format.arrays.Axis.LAYER;
import static org.saevhadoop.format.arrays.Axis.TOKEN;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.format.arrays.StoredArrays.Container;
import org.saevhadoop.format.arrays.StoredArrays.Stored;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.dataset.RaggedPolicy.Mode;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/**
 * Arrays whose dimensions may be joined to axes or have a fixed index, against arithmetic with
 * indexes.
 */
@Tag("sampled")
class JoinedAxesPropertyTest {
  private static final float FILLING = 7;
  private static final int MAX_ELEMENTS = 3000;

  /** A dimension; the axis is null if only the index is read. */
  private record Dimension(@Nullable Axis axis, long size, long index) {
    String word() {
      return axis == null ? "hook:" + index : axis.toString();
    }
  }

  /** An array of these dimensions, whose values are the indexes of the elements in C order. */
  private record Plan(List<Dimension> dimensions) {
    static Plan any(RandomValues any) {
      List<Dimension> dimensions = new ArrayList<>();
      Random random = any.random();
      for (Axis axis : Axis.values()) {
        int least = axis == DIM ? 1 : 0;
        for (int i = least + random.nextInt(3); i > 0; i--) {
          dimensions.add(new Dimension(axis, 1 + random.nextInt(4), 0));
        }
      }
      for (int i = random.nextInt(2); i > 0; i--) {
        int size = 1 + random.nextInt(3);
        dimensions.add(new Dimension(null, size, random.nextInt(2 * size) - size));
      }
      Collections.shuffle(dimensions, random);
      return new Plan(dimensions);
    }

    long[] shape() {
      return dimensions.stream().mapToLong(Dimension::size).toArray();
    }

    int size(@Nullable Axis axis) {
      return (int)
          dimensions.stream()
              .filter(d -> d.axis == axis)
              .mapToLong(Dimension::size)
              .reduce(1, (a, b) -> a * b);
    }

    String text() {
      return dimensions.stream().map(Dimension::word).collect(Collectors.joining(","));
    }

    /** Returns the value at an index along each axis; the dimensions of no axis are fixed. */
    long value(long... at) {
      long[] rest = at.clone();
      long value = 0;
      long step = 1;
      for (int i = dimensions.size() - 1; i >= 0; i--) {
        Dimension dimension = dimensions.get(i);
        long index = Math.floorMod(dimension.index, dimension.size);
        if (dimension.axis != null) {
          index = rest[dimension.axis.ordinal()] % dimension.size;
          rest[dimension.axis.ordinal()] /= dimension.size;
        }
        value += index * step;
        step *= dimension.size;
      }
      return value;
    }

    /** Returns the dimensions of the tokens only, those of an axis as one if they are adjacent. */
    Plan tokens(boolean isJoined) {
      List<Dimension> tokens = new ArrayList<>();
      for (Dimension dimension : dimensions) {
        boolean isToken = dimension.axis == EXAMPLE || dimension.axis == TOKEN;
        int last = tokens.size() - 1;
        if (isToken && isJoined && last >= 0 && tokens.get(last).axis == dimension.axis) {
          long size = tokens.get(last).size * dimension.size;
          tokens.set(last, new Dimension(dimension.axis, size, 0));
        } else if (isToken) {
          tokens.add(dimension);
        }
      }
      return new Plan(tokens);
    }

    boolean isSplit() {
      return tokens(true).dimensions.stream().map(Dimension::axis).distinct().count()
          < tokens(true).dimensions.size();
    }
  }

  /** How an array is read. */
  private record Reading(RaggedPolicy ragged, int tokensPerExample) {
    static Reading any(RandomValues any, Plan plan) {
      int tokens = plan.size(TOKEN);
      String ragged =
          switch (any.intBetween(0, 4)) {
            case 0 -> "flatten";
            case 1 -> "truncate:" + (1 + any.random().nextInt(tokens));
            case 2 -> "pad:" + any.intBetween(tokens, tokens + 2) + ":7";
            default -> "error";
          };
      int together = ragged.equals("error") && tokens == 1 ? any.intBetween(1, 4) : 1;
      return new Reading(
          RaggedPolicy.parse(ragged), plan.size(EXAMPLE) % together == 0 ? together : 1);
    }

    /** Returns the example and the token of each vector of a layer; the token is -1 for padding. */
    List<long[]> vectors(Plan plan) {
      List<long[]> vectors = new ArrayList<>();
      int tokens = ragged.tokens() == 0 ? plan.size(TOKEN) : ragged.tokens();
      for (int example = 0; example < plan.size(EXAMPLE); example++) {
        for (int token = 0; token < tokens; token++) {
          vectors.add(new long[] {example, token < plan.size(TOKEN) ? token : -1});
        }
      }
      return vectors;
    }

    /** Returns the number of vectors of a block. */
    int tokens(Plan plan) {
      if (ragged.mode() == Mode.FLATTEN) {
        return 1;
      }
      return ragged.tokens() == 0 ? plan.size(TOKEN) * tokensPerExample : ragged.tokens();
    }

    List<List<Float>> blocks(Plan plan) {
      List<List<Float>> blocks = new ArrayList<>();
      List<long[]> vectors = vectors(plan);
      for (int first = 0; first < vectors.size(); first += tokens(plan)) {
        for (int layer = 0; layer < plan.size(LAYER); layer++) {
          List<Float> block = new ArrayList<>();
          for (long[] at : vectors.subList(first, first + tokens(plan))) {
            for (int dim = 0; dim < plan.size(DIM); dim++) {
              block.add(at[1] < 0 ? FILLING : (float) plan.value(at[0], layer, at[1], dim));
            }
          }
          blocks.add(block);
        }
      }
      return blocks;
    }

    List<List<Long>> integers(Plan plan, Plan tokens) {
      List<List<Long>> examples = new ArrayList<>();
      List<long[]> vectors = vectors(plan);
      for (int first = 0; first < vectors.size(); first += tokens(plan)) {
        examples.add(
            vectors.subList(first, first + tokens(plan)).stream()
                .map(at -> at[1] < 0 ? -1L : tokens.value(at[0], 0, at[1], 0))
                .toList());
      }
      return examples;
    }

    ArrayOptions options(String mapping) {
      List<ArrayMapping> mappings = List.of(ArrayMapping.parse(mapping));
      return new ArrayOptions(mappings, null, List.of(), ragged, tokensPerExample);
    }
  }

  @Property(tries = 2000, sample = 300)
  void blocksAndIntegersOfAnyDimensions(RandomValues any) throws IOException {
    Plan plan = Plan.any(any);
    Container container = any.of(Container.NPY, Container.NPZ, Container.TORCH, Container.TORCH);
    Stored acts = stored(any, "acts", "f4", plan, container);
    assumeTrue(acts.count() <= MAX_ELEMENTS);
    Plan tokens = plan.tokens(!plan.isSplit() && any.bool());
    boolean hasTokens = container != Container.NPY && !tokens.dimensions.isEmpty();
    Reading reading = Reading.any(any, plan);
    StoredArrays files = new StoredArrays(container);
    if (hasTokens) {
      files.add("a", acts, stored(any, "pos", "i8", tokens, container));
    } else {
      files.add("a", acts);
    }
    String name = container == Container.NPY ? ArrayFile.UNNAMED : "acts";
    ArrayOptions options = reading.options(name + "=" + plan.text());
    ArrayDataset dataset;
    try {
      dataset = files.open(options);
    } catch (FormatException e) {
      assertThat(e)
          .hasMessageContaining(" has vectors that are not evenly spaced (expected --tensor ");
      assertThat(plan.dimensions.stream().filter(d -> d.axis == EXAMPLE).count()).isGreaterThan(1);
      return;
    }
    assertThat(MadeArrays.blocks(dataset)).isEqualTo(reading.blocks(plan));
    int index = dataset.tokenArrays().names().indexOf("pos");
    assertThat(index >= 0).isEqualTo(hasTokens);
    if (hasTokens) {
      assertThat(MadeArrays.integers(dataset, index)).isEqualTo(reading.integers(plan, tokens));
    }
    ArraySurvey survey = ArraySurvey.parse(dataset.survey().toString());
    assertThat(MadeArrays.blocks(files.open(options, survey))).isEqualTo(reading.blocks(plan));
  }

  /** Returns an array in an order of dimensions, and of bytes, that the container can have. */
  private static Stored stored(
      RandomValues any, String name, String type, Plan plan, Container container) {
    long[] shape = plan.shape();
    List<Integer> order = new ArrayList<>(IntStream.range(0, shape.length).boxed().toList());
    boolean isTorch = container == Container.TORCH;
    if (isTorch) {
      Collections.shuffle(order, any.random());
    } else if (any.bool()) {
      Collections.reverse(order);
    }
    return new Stored(
        name,
        (isTorch || any.bool() ? "<" : ">") + type,
        shape,
        order.stream().mapToInt(Integer::intValue).toArray());
  }
}
