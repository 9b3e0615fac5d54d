package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.NamePattern.Part;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * The arrays of a file that mappings describe, with what follows from the content of the file
 * alone. Files whose headers are equal share their content, so that this is derived once for all of
 * them.
 *
 * @param candidates a file of only the arrays that may belong to tokens
 * @param arrays the arrays that are activations, in the order of the file
 * @param unread the number of other arrays that may be activations
 */
record MappedFile(
    ArrayFile content,
    TokenLengths integers,
    ArrayFile candidates,
    List<Activation> arrays,
    int unread) {
  /** Returns the arrays of a file that the mappings of options describe, if there are mappings. */
  static MappedFile of(ArrayFile content, ArrayOptions options, Set<String> tokenNames) {
    List<Activation> arrays = new ArrayList<>();
    int unread = 0;
    if (!options.mappings().isEmpty()) {
      List<List<Long>> ids =
          content.arrays().stream().filter(ArrayChoice::isTokenIds).map(FileArray::shape).toList();
      for (FileArray array : content.arrays()) {
        List<ArrayMapping> mappings = options.mappings(array.name());
        unread += mappings.isEmpty() && ArrayChoice.isCandidate(array) ? 1 : 0;
        for (ArrayMapping mapping : mappings) {
          arrays.add(
              new Activation(
                  array,
                  mapping,
                  mapping.name().match(array.name()).orElseThrow(),
                  contradiction(mapping, array, ids)));
        }
      }
    }
    return new MappedFile(
        content,
        new TokenLengths(content, options, tokenNames),
        TokenFields.candidates(content, options),
        arrays,
        unread);
  }

  private static Optional<String> contradiction(
      ArrayMapping mapping, FileArray array, List<List<Long>> ids) {
    return mapping.isPlain()
        ? AxisChoice.contradiction(mapping.name().toString(), mapping.axes(), array.shape(), ids)
        : Optional.empty();
  }

  /** An array of activations. The result for a first file is adapted to all others. */
  static final class Activation {
    private final FileArray array;
    private final ArrayMapping mapping;
    private final Map<Part, String> parts;
    private final Optional<String> contradiction;
    private @Nullable ArrayView view;
    private @Nullable Set<FileArray> contradicting;
    private @Nullable List<FileArray> others;
    private @Nullable Derived<List<ArrayView>> tokens;
    private @Nullable Derived<TokenFields> fields;

    /**
     * Creates an array.
     *
     * @param parts the values of the placeholders in its name
     * @param contradiction a warning that its token ids imply other dimensions
     */
    Activation(
        FileArray array,
        ArrayMapping mapping,
        Map<Part, String> parts,
        Optional<String> contradiction) {
      this.array = array;
      this.mapping = mapping;
      this.parts = parts;
      this.contradiction = contradiction;
    }

    FileArray array() {
      return array;
    }

    ArrayMapping mapping() {
      return mapping;
    }

    Map<Part, String> parts() {
      return parts;
    }

    Optional<String> contradiction() {
      return contradiction;
    }

    /**
     * Returns the array as activations of a file.
     *
     * @param path the path of the file
     * @param file the same path, relative to the folder of the dataset
     */
    ArrayView view(String path, String file) throws FormatException {
      view = view == null ? mapping.view(path, file, array) : view.moved(view.file(), file);
      return view;
    }

    /** Returns the token ids and masks that contradict the tokens. */
    Set<FileArray> contradicting(String path, MappedFile file, ArrayView own)
        throws FormatException {
      if (contradicting == null) {
        contradicting = file.integers.contradicting(path, mapping, own);
      }
      return contradicting;
    }

    /** Returns the integers of other names whose length is not the number of tokens. */
    List<FileArray> others(MappedFile file, ArrayView own) {
      if (others == null) {
        others = file.integers.others(mapping, own);
      }
      return others;
    }

    /** Returns the token ids and masks whose values can be read. */
    List<ArrayView> tokens(MappedFile file, ArrayView own) {
      Derived<List<ArrayView>> known = tokens;
      if (known != null) {
        return known.value.stream().map(token -> token.moved(known.file, own.file())).toList();
      }
      List<ArrayView> found = new ArrayList<>();
      if (file.integers.isInPlace()) {
        for (FileArray values : file.integers.tokens(own).values()) {
          mapping.tokenView(own, values).ifPresent(found::add);
        }
      }
      tokens = new Derived<>(own.file(), found);
      return found;
    }

    /** Returns the fields of the tokens. */
    TokenFields fields(String path, MappedFile file, ArrayView own, ArrayOptions options)
        throws FormatException {
      Derived<TokenFields> known = fields;
      if (known != null) {
        return known.value.moved(known.file, own.file());
      }
      TokenFields found =
          TokenFields.of(
              path, file.candidates, mapping, own, options, contradicting(path, file, own));
      fields = new Derived<>(own.file(), found);
      return found;
    }
  }

  /** The result for a file, with its path relative to the folder of the dataset. */
  private record Derived<T>(String file, T value) {}

  /**
   * The arrays of integers of a file, compared with the tokens of its activations. Labels and
   * arrays with the names of token ids and masks must have the length of the tokens.
   */
  static final class TokenLengths {
    private static final int MAX_SHOWN = 100;

    private final ArrayOptions options;
    private final boolean isInPlace;

    /** The arrays of integers by their names, and by the last parts of these. */
    private final Map<String, FileArray> byName = new LinkedHashMap<>();

    private final Map<String, List<FileArray>> byLastPart = new HashMap<>();

    /** The last parts of names of token ids and masks, which must match the tokens. */
    private final Set<String> names;

    /**
     * Collects the integers of a file.
     *
     * @param names the last parts of names that {@link #names} returns
     */
    TokenLengths(ArrayFile file, ArrayOptions options, Set<String> names) {
      this.options = options;
      this.names = names;
      this.isInPlace = file.entries().stream().allMatch(ArchiveEntry::stored);
      for (FileArray array : file.arrays()) {
        if (array.isInteger()) {
          byName.put(array.name(), array);
          byLastPart
              .computeIfAbsent(TokenFields.lastPart(array.name()), name -> new ArrayList<>())
              .add(array);
        }
      }
    }

    /** Returns the last parts of the names of token ids and masks, and of labels. */
    static Set<String> names(ArrayOptions options) {
      Set<String> names = new LinkedHashSet<>(ArrayChoice.TOKEN_IDS);
      names.addAll(MaskChoice.USUAL);
      for (MaskChoice mask : options.masks()) {
        String last = TokenFields.lastPart(mask.name());
        if (mask.isDropping()) {
          names.add(last);
        } else {
          names.remove(last);
        }
      }
      options.labels().map(TokenFields::lastPart).ifPresent(names::add);
      return names;
    }

    /** Returns whether the values can be read: compressed entries are staged first. */
    boolean isInPlace() {
      return isInPlace;
    }

    /**
     * Returns the token ids and masks of an array of activations, by the last parts of their names.
     */
    Map<String, FileArray> tokens(ArrayView activations) {
      Map<String, FileArray> own = new LinkedHashMap<>();
      for (String name : names) {
        for (FileArray array : byLastPart.getOrDefault(name, List.of())) {
          if (isOf(activations, array)) {
            own.put(name, array);
          }
        }
      }
      return own;
    }

    /**
     * Returns whether an array belongs to activations: it is the only one with the last part of its
     * name, or differs from them in that part only.
     */
    private boolean isOf(ArrayView activations, FileArray array) {
      String last = TokenFields.lastPart(array.name());
      String own = activations.array();
      String prefix = own.substring(0, own.length() - TokenFields.lastPart(own).length());
      return byLastPart.getOrDefault(last, List.of()).size() == 1
          || array.name().equals(prefix + last);
    }

    /**
     * Returns the token ids and masks that contradict the tokens of activations.
     *
     * @param path the path of the file
     * @param activations with the dimensions of {@code mapping}
     * @throws FormatException if there are some, and they must not be left out
     */
    Set<FileArray> contradicting(String path, ArrayMapping mapping, ArrayView activations)
        throws FormatException {
      Set<FileArray> found = new LinkedHashSet<>();
      for (Map.Entry<String, FileArray> own : tokens(activations).entrySet()) {
        FileArray array = own.getValue();
        if (isOther(mapping, activations, array)) {
          boolean areLabels = options.areLabels(array.name());
          ArrayError.BAD_SHAPE.check(
              options.leavesOutTokens() && !areLabels,
              path,
              "array %s (expected the same%s)",
              difference(activations, array),
              areLabels ? "" : "; --no-sample-metadata reads the vectors without it");
          found.add(array);
        }
      }
      return found;
    }

    /** Returns the integers of other names whose length is not the number of tokens. */
    List<FileArray> others(ArrayMapping mapping, ArrayView activations) {
      return !mapping.axes().contains(Axis.TOKEN)
          ? List.of()
          : byName.values().stream()
              .filter(array -> !names.contains(TokenFields.lastPart(array.name())))
              .filter(array -> !longer(array.shape()).isEmpty() && isOf(activations, array))
              .filter(array -> isOther(mapping, activations, array))
              .toList();
    }

    /** Returns the text about an array of another length. */
    static String difference(ArrayView activations, FileArray array) {
      return "%s has the shape %s, and the tokens of array %s have %s"
          .formatted(
              Quote.show(array.name(), MAX_SHOWN),
              array.shape(),
              Quote.show(activations.array(), MAX_SHOWN),
              activations.tokenShape());
    }

    /**
     * Returns whether an array has another length than the tokens, which its dimensions do not
     * explain: as one of the examples, of the tokens of any example, or of all tokens in a row.
     */
    private static boolean isOther(ArrayMapping mapping, ArrayView activations, FileArray array) {
      List<Long> tokens = activations.tokenShape();
      List<Long> sizes = longer(array.shape());
      long examples = activations.size(Axis.EXAMPLE);
      boolean isOfExamples =
          examples > 1
              && (sizes.isEmpty()
                  || mapping.isAlong(Axis.EXAMPLE, activations, sizes)
                  || mapping.isAlong(Axis.TOKEN, activations, sizes));
      return !array.shape().isEmpty()
          && sizes.size() <= tokens.size()
          && product(sizes) != product(tokens)
          && !isOfExamples;
    }

    private static List<Long> longer(List<Long> sizes) {
      return sizes.stream().filter(size -> size != 1).toList();
    }

    private static long product(List<Long> sizes) {
      return sizes.stream().reduce(1L, (a, b) -> a * b);
    }
  }
}
