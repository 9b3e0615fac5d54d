package org.saevhadoop.format.arrays;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Provenance;

/**
 * The layers that a user lists: by the model's numbers, or by names, which are numbered 0, 1, 2,
 * ... in their order.
 */
public record LayerNames(List<String> names) {
  /** The key of the document that records names: {@code 0=attn,1=mlp}. */
  static final String DOCUMENT = "saev.layer_names";

  private static final String NUMBER = "[0-9]{1,9}";
  private static final int MAX_SHOWN = 8;

  /**
   * Creates a list.
   *
   * @throws IllegalArgumentException if the list mixes numbers and names, or contains a layer twice
   */
  public LayerNames {
    names = List.copyOf(names);
    List<String> numbers = names.stream().filter(name -> name.matches(NUMBER)).toList();
    List<String> others = names.stream().filter(name -> !name.matches(NUMBER)).toList();
    long layers = numbers.stream().map(Integer::valueOf).distinct().count();
    if (others.contains("") || layers + Set.copyOf(others).size() < names.size()) {
      throw new IllegalArgumentException(
          "is \"%s\" (expected each layer once)".formatted(String.join(",", names)));
    }
    if (!numbers.isEmpty() && !others.isEmpty()) {
      throw new IllegalArgumentException(
          "has the numbers %s and the names %s (expected only numbers, or only names)"
              .formatted(shown(numbers), shown(others)));
    }
  }

  /** Returns whether an option can specify these names. */
  public static boolean isList(List<String> names) {
    try {
      return names.isEmpty() || of(names).names.equals(names);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String shown(List<String> some) {
    String text = some.stream().limit(MAX_SHOWN).collect(Collectors.joining(", "));
    return some.size() > MAX_SHOWN ? text + ", ..." : text;
  }

  /** Returns the list that an option specifies: each string contains items, separated by commas. */
  public static LayerNames of(List<String> texts) {
    return new LayerNames(
        texts.stream()
            .flatMap(text -> Arrays.stream(text.split(",", -1)))
            .map(text -> text.strip().matches(NUMBER) ? text.strip() : text)
            .toList());
  }

  /** Returns whether the layers have names and no numbers. */
  private boolean areNames() {
    return !names.isEmpty() && !names.get(0).matches(NUMBER);
  }

  /** Returns the numbers of the layers, in the order of the list. */
  List<Integer> numbers() {
    return areNames()
        ? IntStream.range(0, names.size()).boxed().toList()
        : names.stream().map(Integer::valueOf).toList();
  }

  /**
   * Returns the number of the first layer that a component of a path names; empty if no component
   * names a layer.
   */
  Optional<Integer> find(String path) {
    return names.isEmpty()
        ? Optional.empty()
        : Arrays.stream(path.split("/"))
            .map(names::indexOf)
            .filter(index -> index >= 0)
            .map(numbers()::get)
            .findFirst();
  }

  /** Returns warnings about names that became numbers. */
  Optional<String> warning() {
    return areNames()
        ? Optional.of("--layer-names: layers become numbers, " + shown(pairs()))
        : Optional.empty();
  }

  private List<String> pairs() {
    return IntStream.range(0, names.size()).mapToObj(i -> i + "=" + names.get(i)).toList();
  }

  /** Returns the document that records the names, if there are any. */
  Provenance provenance() {
    return areNames() ? Provenance.NONE.with(DOCUMENT, String.join(",", pairs())) : Provenance.NONE;
  }

  /** Returns the recorded names of layers, in order; layers without a name appear by number. */
  public static Optional<List<String>> recorded(Activations activations) {
    return activations
        .provenance()
        .document(DOCUMENT)
        .map(text -> activations.geometry().layers().stream().map(l -> name(text, l)).toList());
  }

  private static String name(String document, int layer) {
    String prefix = layer + "=";
    return Arrays.stream(document.split(","))
        .filter(pair -> pair.startsWith(prefix))
        .map(pair -> pair.substring(prefix.length()))
        .findFirst()
        .orElse(Integer.toString(layer));
  }

  /** Returns the losses in a format that does not keep documents of other programs. */
  public static List<String> losses(Provenance provenance) {
    return provenance.document(DOCUMENT).stream()
        .map(text -> "the names of layers are not kept: " + shown(List.of(text.split(","))))
        .toList();
  }
}
