package org.saevhadoop.converters.sharedoptions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * An option that several verbs have, as words and as what it does to activations in memory.
 *
 * @param stage when it takes effect: masks before lengths, these before the selection
 */
record Choice(Stage stage, List<String> words, UnaryOperator<Activations> effect) {
  /** The order in which options take effect. */
  enum Stage {
    TENSOR("--tensor"),
    HALVES("--join-halves"),
    MASK("--mask"),
    RAGGED("--ragged"),
    EXAMPLES("--examples"),
    LIMIT("--limit"),
    LAYERS("--layers"),
    TOKENS("--tokens"),
    DTYPE("--dtype"),
    CLS("--cls");

    final String option;

    Stage(String option) {
      this.option = option;
    }
  }

  static Choice of(Stage stage, UnaryOperator<Activations> effect, String... words) {
    return new Choice(stage, List.of(words), effect);
  }

  @Override
  public String toString() {
    return String.join(" ", words);
  }

  /** Returns the words of choices. */
  static List<String> words(List<Choice> choices) {
    return choices.stream().flatMap(choice -> choice.words().stream()).toList();
  }

  /** Returns what all of these choices leave of activations. */
  static Activations apply(List<Choice> choices, Activations from) {
    List<Choice> ordered = new ArrayList<>(choices);
    ordered.sort(Comparator.comparing(Choice::stage));
    Activations part = from;
    for (Choice choice : ordered) {
      if (choice.stage.compareTo(Stage.EXAMPLES) >= 0 && !choice.isAfter(ordered, choice)) {
        part = part.numbered();
      }
      part = choice.effect.apply(part);
    }
    return ordered.stream().anyMatch(c -> c.stage.compareTo(Stage.EXAMPLES) >= 0)
        ? part
        : part.numbered();
  }

  /** Returns whether another choice of the selection precedes one. */
  private boolean isAfter(List<Choice> ordered, Choice choice) {
    return ordered.stream()
        .takeWhile(other -> other != choice)
        .anyMatch(other -> other.stage.compareTo(Stage.EXAMPLES) >= 0);
  }

  // The selection, of any source.

  static Choice layers(Activations of, Random random) {
    List<Integer> layers = new ArrayList<>(of.layers());
    java.util.Collections.shuffle(layers, random);
    List<Integer> chosen = List.copyOf(layers.subList(0, 1 + random.nextInt(layers.size())));
    String text = chosen.toString().replaceAll("[\\[\\] ]", "");
    return of(Stage.LAYERS, a -> a.selectLayers(chosen), "--layers=" + text);
  }

  /** Returns a choice of the examples that are left when it takes effect. */
  static Choice examples(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> of(Stage.EXAMPLES, a -> a.selectExamples(range(1, size(a))), "--examples=1:");
      case 1 ->
          of(
              Stage.EXAMPLES,
              a -> a.selectExamples(List.of(size(a) - 1, 0, 1)),
              "--examples=-1,0:2");
      case 2 -> of(Stage.EXAMPLES, a -> a.selectExamples(List.of(2)), "--examples=2");
      default ->
          of(
              Stage.EXAMPLES,
              a -> a.selectExamples(range(size(a) - 3, size(a))),
              "--examples=-3:99");
    };
  }

  static Choice limit(Random random) {
    int limit = 1 + random.nextInt(4);
    return of(
        Stage.LIMIT, a -> a.selectExamples(range(0, Math.min(limit, size(a)))), "--limit=" + limit);
  }

  /** Returns a choice of tokens that examples of two tokens have. */
  static Choice tokens(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> of(Stage.TOKENS, a -> a.selectTokens(List.of(0)), "--tokens=0");
      case 1 -> of(Stage.TOKENS, a -> a.selectTokens(List.of(a.tokens() - 1)), "--tokens=-1");
      case 2 ->
          of(Stage.TOKENS, a -> a.selectTokens(range(0, Math.min(2, a.tokens()))), "--tokens=0:2");
      default -> of(Stage.TOKENS, a -> a.selectTokens(range(0, a.tokens())), "--tokens=:");
    };
  }

  /** Returns the choices of a source whose token 0 is [CLS]. */
  static List<Choice> namedTokens() {
    return List.of(
        of(Stage.TOKENS, a -> a.selectTokens(List.of(0)), "--tokens=cls"),
        of(Stage.TOKENS, a -> a.selectTokens(range(1, a.tokens())), "--tokens=image"));
  }

  static Choice dtype(StoredType type) {
    return of(Stage.DTYPE, a -> a.as(type), "--dtype=" + type);
  }

  private static int size(Activations activations) {
    return activations.examples().size();
  }

  private static List<Integer> range(int start, int stop) {
    return IntStream.range(start, stop).boxed().toList();
  }
}
