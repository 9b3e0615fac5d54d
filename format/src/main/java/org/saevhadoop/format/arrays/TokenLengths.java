package org.saevhadoop.format.arrays;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * The arrays of integers of a file, compared with the tokens of its activations. Arrays with the
 * names of token ids and masks must have the length of the tokens.
 */
final class TokenLengths {
  private static final int MAX_SHOWN = 100;

  private final ArrayOptions options;
  private final boolean isInPlace;

  /** The arrays of integers by their names, and by the last parts of these. */
  private final Map<String, FileArray> byName = new LinkedHashMap<>();

  private final Map<String, List<FileArray>> byLastPart = new HashMap<>();

  /** The last parts of names of token ids and masks, which must be of the tokens. */
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

  /** Returns the last parts of the names of token ids and masks. */
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
   * @throws FormatException if there are some, and none may be left out
   */
  Set<FileArray> contradicting(String path, ArrayMapping mapping, ArrayView activations)
      throws FormatException {
    Set<FileArray> found = new LinkedHashSet<>();
    for (Map.Entry<String, FileArray> own : tokens(activations).entrySet()) {
      FileArray array = own.getValue();
      if (isOther(mapping, activations, array)) {
        ArrayError.BAD_SHAPE.check(
            options.leavesOutTokens(),
            path,
            "array %s (expected the same; --no-sample-metadata reads the vectors without it)",
            difference(activations, array));
        found.add(array);
      }
    }
    return found;
  }

  /** Returns the integers of other names whose length is not that of the tokens. */
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
