package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * Arrays of one integer per token that accompany the activations of a file.
 *
 * @param kept arrays that are kept with the vectors, sorted by their names in the dataset; the name
 *     {@link Column#LABELS} is reserved for labels
 * @param masks arrays that leave out tokens where they are 0
 * @param overruled a mask that has no effect because another mask, usually with equal values, takes
 *     precedence
 */
record TokenFields(
    Map<String, ArrayView> kept, List<ArrayView> masks, Optional<ArrayView> overruled) {
  /** The value for a file without fields. */
  static final TokenFields NONE = new TokenFields(Map.of(), List.of(), Optional.empty());

  private static final int MAX_SHOWN = 100;

  /**
   * Finds the token fields of an array.
   *
   * @param array the activations, with the dimensions of {@code mapping}
   * @param leftOut arrays to ignore
   * @throws FormatException if labels or a mask do not have the shape of the tokens
   */
  static TokenFields of(
      String path,
      ArrayFile file,
      ArrayMapping mapping,
      ArrayView array,
      ArrayOptions options,
      Set<FileArray> leftOut)
      throws FormatException {
    if (file.arrays().isEmpty() && options.masks().isEmpty() && options.labels().isEmpty()) {
      return NONE;
    }
    Search search = new Search(path, file, mapping, array, options);
    search.used.addAll(leftOut);
    search.findLabels();
    search.findMasks();
    return new TokenFields(search.kept(), search.masks, search.overruled);
  }

  /**
   * Returns a file with only the arrays that may be fields: integers, and arrays named like masks.
   */
  static ArrayFile candidates(ArrayFile file, ArrayOptions options) {
    Set<String> masks = new HashSet<>(MaskChoice.USUAL);
    options.masks().forEach(mask -> masks.add(mask.name()));
    return ArrayFile.of(
        file.arrays().stream()
            .filter(
                array ->
                    array.isInteger()
                        || masks.contains(array.name())
                        || masks.contains(lastPart(array.name())))
            .toList());
  }

  /** Returns the same fields, with the fields of the first file moved to another file. */
  TokenFields moved(String from, String to) {
    SortedMap<String, ArrayView> other = new TreeMap<>();
    kept.forEach((name, view) -> other.put(name, view.moved(from, to)));
    return new TokenFields(
        other,
        masks.stream().map(mask -> mask.moved(from, to)).toList(),
        overruled.map(mask -> mask.moved(from, to)));
  }

  /** Returns the fields without the kept arrays of the given names. */
  TokenFields without(Set<String> names) {
    if (Collections.disjoint(kept.keySet(), names)) {
      return this;
    }
    SortedMap<String, ArrayView> rest = new TreeMap<>(kept);
    rest.keySet().removeAll(names);
    return new TokenFields(rest, masks, overruled);
  }

  /** Returns the paths of the separate files that contain some of the fields, in sorted order. */
  SortedSet<String> companions(ArrayView activations) {
    SortedSet<String> files = new TreeSet<>();
    kept.values().forEach(view -> files.add(view.file()));
    masks.forEach(view -> files.add(view.file()));
    overruled.ifPresent(view -> files.add(view.file()));
    files.remove(activations.file());
    return files;
  }

  /** Returns whether the overruled mask keeps the same tokens as the effective one. */
  boolean hasEqualMasks(KeptTokens.FileSource files, String path) throws IOException {
    List<ArrayView> other = List.of(overruled.orElseThrow());
    return Objects.equals(
        KeptTokens.read(files, path, masks.subList(masks.size() - 1, masks.size())),
        KeptTokens.read(files, path, other));
  }

  private static final class Search {
    private final String path;
    private final ArrayFile file;
    private final ArrayMapping mapping;
    private final ArrayView activations;
    private final ArrayOptions options;
    private final List<FileArray> used = new ArrayList<>();
    private final List<ArrayView> masks = new ArrayList<>();
    private Optional<ArrayView> overruled = Optional.empty();
    private @Nullable ArrayView labels;

    Search(
        String path,
        ArrayFile file,
        ArrayMapping mapping,
        ArrayView activations,
        ArrayOptions options) {
      this.path = path;
      this.file = file;
      this.mapping = mapping;
      this.activations = activations;
      this.options = options;
    }

    void findLabels() throws FormatException {
      if (options.labels().isEmpty()) {
        return;
      }
      FileArray array =
          named(options.labels().get())
              .orElseThrow(() -> missing("labels", options.labels().get(), "--label-column"));
      labels =
          view(array)
              .orElseThrow(
                  () ->
                      ArrayError.BAD_SHAPE.in(
                          path,
                          "labels %s are %s%s (expected an integer for each token of array %s,"
                              + " whose tokens have the shape %s)",
                          Quote.show(array.name(), MAX_SHOWN),
                          array.dtype(),
                          array.shape(),
                          activations,
                          activations.tokenShape()));
      used.add(array);
    }

    void findMasks() throws FormatException {
      List<FileArray> chosen = new ArrayList<>();
      for (MaskChoice choice : options.masks()) {
        FileArray mask =
            named(choice.name()).orElseThrow(() -> missing("a mask", choice.name(), "--mask"));
        chosen.add(mask);
        if (choice.isDropping()) {
          masks.add(mask(mask));
          used.add(mask);
        }
      }
      boolean first = true;
      for (String name : MaskChoice.USUAL) {
        Optional<FileArray> usual =
            named(name).filter(mask -> !chosen.contains(mask) && !used.contains(mask));
        if (usual.isPresent()) {
          used.add(usual.get());
          if (first) {
            masks.add(mask(usual.get()));
            first = false;
          } else {
            overruled = Optional.of(mask(usual.get()));
          }
        }
      }
    }

    private FormatException missing(String what, String name, String option) {
      String shown = Quote.show(name, MAX_SHOWN);
      List<String> names = file.arrays().stream().map(FileArray::name).toList();
      return names.isEmpty()
          ? ArrayError.NO_MATCH.in(
              path,
              "has no array %s that could be %s, and no other candidate (expected no %s)",
              shown,
              what,
              option)
          : ArrayError.NO_MATCH.in(
              path, "has no array %s that could be %s (expected one of %s)", shown, what, names);
    }

    /** Returns the array with the given name, or the only array whose name ends with it. */
    private Optional<FileArray> named(String name) {
      List<FileArray> found = file.arrays().stream().filter(a -> a.name().equals(name)).toList();
      if (found.isEmpty()) {
        found = file.arrays().stream().filter(a -> lastPart(a.name()).equals(name)).toList();
      }
      return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    private ArrayView mask(FileArray array) throws FormatException {
      return view(array)
          .orElseThrow(
              () ->
                  ArrayError.BAD_SHAPE.in(
                      path,
                      "mask %s is %s%s (expected an integer for each token of array %s, whose"
                          + " tokens have the shape %s, or --mask %s=keep)",
                      Quote.show(array.name(), MAX_SHOWN),
                      array.dtype(),
                      array.shape(),
                      activations,
                      activations.tokenShape(),
                      Quote.show(array.name(), MAX_SHOWN)));
    }

    private Optional<ArrayView> view(FileArray array) throws FormatException {
      if (!array.isInteger()) {
        return Optional.empty();
      }
      Optional<ArrayView> view = mapping.tokenView(activations, array);
      return view.isPresent() && options.tokensPerExample() > 1
          ? Optional.of(view.get().withTokens(options.tokensPerExample(), path))
          : view;
    }

    Map<String, ArrayView> kept() throws FormatException {
      Map<FileArray, ArrayView> found = new LinkedHashMap<>();
      for (FileArray array : file.arrays()) {
        Optional<ArrayView> view = view(array);
        if (view.isPresent()
            && !used.contains(array)
            && !array.name().equals(activations.array())) {
          found.put(array, view.get());
        }
      }
      Map<String, Integer> count = new HashMap<>();
      found.keySet().forEach(field -> count.merge(lastPart(field.name()), 1, Integer::sum));
      SortedMap<String, ArrayView> named = new TreeMap<>();
      for (var entry : found.entrySet()) {
        String full = entry.getKey().name();
        String last = lastPart(full);
        String name = fieldName(Integer.valueOf(1).equals(count.get(last)) ? last : full);
        while (named.containsKey(name)) {
          name += "_";
        }
        named.put(name, entry.getValue());
      }
      if (labels != null) {
        named.put(Column.LABELS, labels);
      }
      return named;
    }
  }

  static String lastPart(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /**
   * Returns a name that any format can write and that differs from the names of columns and padding
   * masks, because a kept array does not mark padding.
   */
  static String fieldName(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9_-]", "_");
    boolean isTaken =
        plain.equals(Column.LABELS)
            || Column.isActivations(plain)
            || PaddingMarks.MASKS.contains(plain)
            || !plain.matches("[A-Za-z0-9].*");
    String free = isTaken ? "token_" + plain : plain;
    return free.substring(0, Math.min(free.length(), MAX_SHOWN));
  }
}
