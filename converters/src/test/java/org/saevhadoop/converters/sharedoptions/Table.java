package org.saevhadoop.converters.sharedoptions;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.saevhadoop.converters.sharedoptions.Choice.Stage;

/** The choices of options with which a verb is run on a form. */
final class Table {
  private static final List<String> WRITERS = List.of("convert", "shuffle");

  private Table() {}

  /**
   * Returns each option by itself, and some combinations.
   *
   * @param random for the values of the options
   */
  static List<List<Choice>> of(SourceForm form, String verb, Random random) {
    List<List<Choice>> bases = bases(form);
    if (verb.equals("inspect")) {
      return bases;
    }
    List<List<Choice>> table = new ArrayList<>(bases);
    List<List<Choice>> options = new ArrayList<>();
    Activations stored = form.activations(StoredType.F32);
    options.add(List.of(Choice.layers(stored, random)));
    options.add(List.of(Choice.examples(random)));
    options.add(List.of(Choice.limit(random)));
    options.add(List.of(Choice.tokens(random)));
    if (form.hasCls()) {
      Choice.namedTokens().forEach(choice -> options.add(List.of(choice)));
    }
    if (WRITERS.contains(verb)) {
      StoredType.FLOATS.forEach(type -> options.add(List.of(Choice.dtype(type))));
    }
    options.add(
        List.of(Choice.examples(random), Choice.tokens(random), Choice.layers(stored, random)));
    options.add(List.of(Choice.limit(random), Choice.tokens(random)));
    int turn = 0;
    for (List<Choice> option : options) {
      table.add(joined(bases.get(turn++ % bases.size()), option));
    }
    return table;
  }

  /** Returns some of the options that a verb has, two or more of them in most cases. */
  static List<Choice> random(SourceForm form, String verb, Random random) {
    List<List<Choice>> bases = bases(form);
    List<Choice> base = bases.get(random.nextInt(bases.size()));
    if (verb.equals("inspect")) {
      return base;
    }
    Activations stored =
        Choice.apply(base, form.activations(StoredType.F32)); // --tensor names the layers
    List<Choice> options = new ArrayList<>();
    Stream.of(
            Choice.layers(stored, random),
            Choice.examples(random),
            Choice.limit(random),
            Choice.tokens(random))
        .filter(choice -> random.nextBoolean())
        .forEach(options::add);
    if (WRITERS.contains(verb) && random.nextBoolean()) {
      options.add(Choice.dtype(StoredType.FLOATS.get(random.nextInt(4))));
    }
    return joined(base, options);
  }

  /** Returns the ways to read all of a source. */
  private static List<List<Choice>> bases(SourceForm form) {
    List<List<Choice>> bases = new ArrayList<>();
    List<Choice> ragged = form.ragged();
    if (form.hasMasks()) {
      bases.add(List.of(form.masks().get(0)));
      for (int i = 1; i < form.masks().size(); i++) {
        bases.add(List.of(form.masks().get(i), ragged.get(i)));
      }
      bases.add(List.of(ragged.get(0))); // attention_mask drops by default
      return bases;
    }
    if (!form.isRagged()) {
      bases.add(List.of());
    }
    ragged.forEach(choice -> bases.add(List.of(choice)));
    form.tensors().forEach(choice -> bases.add(List.of(choice)));
    return bases;
  }

  private static List<Choice> joined(List<Choice> base, List<Choice> options) {
    return Stream.concat(base.stream(), options.stream())
        .filter(choice -> choice.stage() != Stage.LAYERS || !names(base))
        .toList();
  }

  /** Returns whether options give layers other numbers than the source. */
  private static boolean names(List<Choice> base) {
    return base.stream().anyMatch(choice -> choice.stage() == Stage.TENSOR);
  }

  /** Returns the types in which a form can hold what options read. */
  static List<StoredType> types(SourceForm form, List<Choice> choices) {
    boolean asArrays =
        (form == SourceForm.BATCHES || form.format.equals("samediff"))
            && choices.stream().anyMatch(c -> c.stage() == Stage.RAGGED);
    return form.types().stream().filter(type -> type.isFloat() || !asArrays).toList();
  }

  /** Returns types of the source; all of them for conversions of types. */
  static List<StoredType> types(SourceForm form, List<Choice> choices, int turn) {
    List<StoredType> types = types(form, choices);
    return choices.stream().anyMatch(choice -> choice.stage() == Stage.DTYPE)
        ? types
        : List.of(types.get(turn % types.size()));
  }
}
