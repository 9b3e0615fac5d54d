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
 * The arrays of a file that mappings describe, with everything that can be derived from the content
 * of the file alone. Files with equal headers share their content, so it is derived once for all of
 * them.
 *
 * @param candidates the file reduced to the arrays that may belong to tokens
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

  /**
   * An array of activations. Results are computed for the first file and adapted to all other
   * files.
   */
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
     * @param parts the values of the placeholders in the name of the array
     * @param contradiction a warning that the token ids imply other dimensions
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
     * Returns a view of the array as activations in a file.
     *
     * @param file the path of the file, relative to the folder of the dataset
     */
    ArrayView view(String path, String file) throws FormatException {
      view = view == null ? mapping.view(path, file, array) : view.moved(view.file(), file);
      return view;
    }

    /** Returns the token ids and masks whose length differs from the number of tokens. */
    Set<FileArray> contradicting(String path, MappedFile file, ArrayView own)
        throws FormatException {
      if (contradicting == null) {
        contradicting = file.integers.contradicting(path, mapping, own);
      }
      return contradicting;
    }

    /**
     * Returns the integer arrays with other names whose length differs from the number of tokens.
     */
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

  /** A result for a file, with the path of the file relative to the folder of the dataset. */
  private record Derived<T>(String file, T value) {}

  /**
   * The lengths of the integer arrays of a file, compared with the number of tokens. Labels and
   * arrays named like token ids or masks must have one value for each token.
   */
  static final class TokenLengths {
    private static final int MAX_SHOWN = 100;

    private final ArrayOptions options;
    private final boolean isInPlace;

    /** The integer arrays by name, and by the last part of the name. */
    private final Map<String, FileArray> byName = new LinkedHashMap<>();

    private final Map<String, List<FileArray>> byLastPart = new HashMap<>();

    /** The last parts of the names of token ids and masks, which must match the tokens. */
    private final Set<String> names;

    /**
     * Collects the integer arrays of a file.
     *
     * @param names the result of {@link #names}
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

    /** Returns whether the values can be read in place; compressed entries must be staged first. */
    boolean isInPlace() {
      return isInPlace;
    }

    /**
     * Returns the token ids and masks that belong to an array of activations, by the last parts of
     * their names.
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
     * Returns whether an array belongs to the given activations: no other array name has the same
     * last part, or the name of the array differs from the name of the activations only in that
     * part.
     */
    private boolean isOf(ArrayView activations, FileArray array) {
      String last = TokenFields.lastPart(array.name());
      String own = activations.array();
      String prefix = own.substring(0, own.length() - TokenFields.lastPart(own).length());
      return byLastPart.getOrDefault(last, List.of()).size() == 1
          || array.name().equals(prefix + last);
    }

    /**
     * Returns the token ids and masks whose length differs from the number of tokens of the
     * activations.
     *
     * @param activations the array, with the dimensions of {@code mapping}
     * @throws FormatException if such arrays exist and must not be left out
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
              "array %s (expected the same shape%s)",
              difference(activations, array),
              areLabels ? "" : "; --no-sample-metadata ignores this array");
          found.add(array);
        }
      }
      return found;
    }

    /**
     * Returns the integer arrays with other names whose length differs from the number of tokens.
     */
    List<FileArray> others(ArrayMapping mapping, ArrayView activations) {
      return !mapping.axes().contains(Axis.TOKEN)
          ? List.of()
          : byName.values().stream()
              .filter(array -> !names.contains(TokenFields.lastPart(array.name())))
              .filter(array -> !longer(array.shape()).isEmpty() && isOf(activations, array))
              .filter(array -> isOther(mapping, activations, array))
              .toList();
    }

    /** Returns the text of a message about an array with the wrong length. */
    static String difference(ArrayView activations, FileArray array) {
      return "%s has the shape %s, but the tokens of array %s have the shape %s"
          .formatted(
              Quote.show(array.name(), MAX_SHOWN),
              array.shape(),
              Quote.show(activations.array(), MAX_SHOWN),
              activations.tokenShape());
    }

    /**
     * Returns whether the length of an array is neither the number of tokens nor explained by its
     * dimensions, such as one value for each example or for each token position.
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
