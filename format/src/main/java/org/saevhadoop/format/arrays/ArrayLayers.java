package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern.Part;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/** The layer numbers of arrays, from mappings, from names, or from the user's list. */
final class ArrayLayers {
  private static final int MAX_SHOWN = 100;

  private final LayerNames names;

  /** The name of the folder of the dataset; empty if the dataset is a file. */
  private final String folder;

  /** The listed layers that were found in arrays. */
  private final Set<Integer> named = new TreeSet<>();

  private boolean isAssumed;

  /**
   * Creates the numbering of a dataset.
   *
   * @param folder the name of the dataset's folder; empty if the dataset is a file
   */
  ArrayLayers(LayerNames names, String folder) {
    this.names = names;
    this.folder = folder;
  }

  /** Returns whether the name of the dataset's folder contains a layer number. */
  boolean isFolderNumbered() {
    return numbered(folder).isPresent();
  }

  /**
   * Returns the layer numbers of an array, in the order of the array.
   *
   * @param parts the values of the placeholders in the names of the file and the array
   */
  List<Integer> of(
      String filePath,
      ArrayFiles.Found file,
      FileArray array,
      ArrayMapping mapping,
      ArrayView view,
      Map<Part, String> parts)
      throws FormatException {
    List<Integer> along = mapping.layers().isEmpty() ? names.numbers() : mapping.layers();
    boolean isNumbered =
        view.size(Axis.LAYER) == 1
            && (parts.containsKey(Part.LAYER)
                || mapping.layers().isEmpty() && listed(file, array, parts).isPresent());
    if (view.hasLayers() && !isNumbered) {
      long count = view.size(Axis.LAYER);
      ArrayError.BAD_SHAPE.check(
          along.isEmpty() || along.size() == count,
          filePath,
          "array %s has %d layers (expected %d, because %s lists %s)",
          array.name(),
          count,
          along.size(),
          mapping.layers().isEmpty() ? "--layer-names" : "--tensor",
          mapping.layers().isEmpty() ? names.names() : along);
      named.addAll(mapping.layers().isEmpty() ? along : List.of());
      isAssumed |= along.isEmpty();
      return along.isEmpty()
          ? LongStream.range(0, count).mapToObj(Math::toIntExact).toList()
          : along;
    }
    return mapping.layers().isEmpty()
        ? List.of(number(filePath, file, array, parts))
        : mapping.layers();
  }

  private int number(
      String filePath, ArrayFiles.Found file, FileArray array, Map<Part, String> parts)
      throws FormatException {
    String layer = parts.get(Part.LAYER);
    if (layer != null) {
      return used(Integer.parseInt(layer));
    }
    String hook = parts.get(Part.HOOK);
    Optional<Integer> found = Optional.empty();
    String several = null;
    for (String text : texts(file, array, parts)) {
      List<Integer> numbers = LayerNumber.numbers(text);
      several = several == null && numbers.size() > 1 ? text : several;
      found =
          found
              .or(() -> names.find(text))
              .or(() -> numbers.size() == 1 ? Optional.of(numbers.get(0)) : Optional.empty());
    }
    if (found.isEmpty() && names.names().isEmpty() && several != null) {
      throw several(filePath, array, several);
    }
    if (found.isEmpty() && hook == null && names.names().isEmpty()) {
      found = ofFolder(filePath, array);
    }
    if (found.isEmpty() && hook == null && names.names().size() == 1) {
      found = Optional.of(names.numbers().get(0));
    }
    ArrayError.NO_LAYER_NUMBER.check(
        found.isPresent() || hook == null && names.names().isEmpty(),
        filePath,
        "the layer of array %s has no number (expected --layer-names with the names of all layers)",
        array.name());
    isAssumed |= found.isEmpty();
    return found.isPresent() ? used(found.get()) : 0;
  }

  /** Returns whether an array became layer 0 because nothing states its number. */
  boolean isAssumed() {
    return isAssumed;
  }

  /** Returns the number of the layer in the name of the dataset's folder. */
  private Optional<Integer> ofFolder(String filePath, FileArray array) throws FormatException {
    ArrayError.AMBIGUOUS.check(
        LayerNumber.numbers(folder).size() < 2,
        filePath,
        "the layer of array %s may be any of %s, the numbers in the name of its folder (expected"
            + " --layer-names with one of them)",
        array.name(),
        LayerNumber.numbers(folder));
    return numbered(folder);
  }

  private static FormatException several(String filePath, FileArray array, String text) {
    return ArrayError.AMBIGUOUS.in(
        filePath,
        "the layer of array %s may be any of %s, the numbers in %s (expected {layer} in --files"
            + " or --tensor)",
        array.name(),
        LayerNumber.numbers(text),
        Quote.show(text, MAX_SHOWN));
  }

  private static Optional<Integer> numbered(String text) {
    return LayerNumber.find(text).map(LayerNumber::number);
  }

  /** Remembers that a listed layer was found; returns its number. */
  private int used(int layer) {
    named.add(layer);
    return layer;
  }

  /** Returns the strings that may name the layer of an array, most decisive first. */
  private static List<String> texts(
      ArrayFiles.Found file, FileArray array, Map<Part, String> parts) {
    String hook = parts.get(Part.HOOK);
    return hook == null ? List.of(array.name(), file.path()) : List.of(hook);
  }

  /** Returns the number of the listed layer after which an array is named. */
  private Optional<Integer> listed(
      ArrayFiles.Found file, FileArray array, Map<Part, String> parts) {
    return names.names().isEmpty()
        ? Optional.empty()
        : texts(file, array, parts).stream().flatMap(text -> names.find(text).stream()).findFirst();
  }

  /**
   * Returns warnings about the user's list of layers.
   *
   * @throws FormatException if no array has any of the listed layers
   */
  List<String> warnings(String path) throws FormatException {
    List<Integer> listed = names.numbers();
    List<String> unused =
        names.names().stream()
            .filter(n -> !named.contains(listed.get(names.names().indexOf(n))))
            .toList();
    ArrayError.NO_LAYER_NUMBER.check(
        listed.isEmpty() || unused.size() < listed.size(),
        path,
        "no array has a layer that --layer-names lists: %s (expected names of arrays or folders,"
            + " or the layers of a dimension)",
        String.join(",", unused));
    List<String> lines = new ArrayList<>();
    names.warning().ifPresent(lines::add);
    if (!unused.isEmpty()) {
      lines.add("no array has the layers %s of --layer-names".formatted(unused));
    }
    return lines;
  }
}
