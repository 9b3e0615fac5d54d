package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.NamePattern.Part;
import org.saevhadoop.format.io.FormatException;

/**
 * The arrays of a file that mappings describe, with what follows from the content of the file
 * alone. Files whose headers are equal share their content, so that this is derived once for all of
 * them.
 *
 * @param candidates a file of only those arrays that tokens may have
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
   * An array that is activations. What it derives for a first file is adapted for each other one.
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
     * @param parts the values of the placeholders in its name
     * @param contradiction a warning that the token ids beside it show other dimensions
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

    /** Returns the integers of other names whose length is not that of the tokens. */
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

  /** What was derived for a file, whose path relative to the folder of the dataset it has. */
  private record Derived<T>(String file, T value) {}
}
