package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;

/**
 * Finds shapes in the name of a file without a header, or in a JSON document next to it: {@code
 * dstore_gpt2_60_16_keys.npy} of neulab's knn-transformers has 60 vectors of 16 values.
 */
public final class RawShapes {
  /** Float types by size in bytes. */
  private static final Map<Integer, String> FLOATS = new LinkedHashMap<>();

  static {
    FLOATS.put(2, "f2");
    FLOATS.put(4, "f4");
  }

  /** Consecutive numbers in a name that are not part of words. */
  private static final Pattern SIZES =
      Pattern.compile("(?<![A-Za-z0-9.])[0-9]{1,12}(?:[_x,-][0-9]{1,12})+(?![A-Za-z0-9])");

  private static final Pattern BETWEEN = Pattern.compile("[^0-9]");

  private static final int MAX_DIMENSIONS = 8;

  private RawShapes() {}

  /**
   * Returns the arrays that could fill a file exactly; empty if no shape is stated.
   *
   * @param bytes the length of the file
   */
  public static List<RawArray> of(Folder folder, String file, long bytes) throws IOException {
    List<RawArray> documented = documented(folder, file, bytes);
    return documented.isEmpty() ? named(file, bytes) : documented;
  }

  private static List<RawArray> documented(Folder folder, String file, long bytes)
      throws IOException {
    String base = file.replaceFirst("\\.[^.]*$", "");
    Set<String> files = folder.files().keySet();
    for (String name :
        List.of(
            file + ".meta",
            base + ".meta",
            file + ".json",
            base + ".json",
            "metadata.json",
            "meta.json")) {
      try {
        Optional<MemoryMap> document =
            files.contains(name) ? MemoryMap.document(folder, name) : Optional.empty();
        List<RawArray> found =
            document.isPresent() ? described(document.get(), bytes) : List.<RawArray>of();
        if (!found.isEmpty()) {
          return found;
        }
      } catch (FormatException e) {
        // a document of another program, which need not describe this file
      }
    }
    return List.of();
  }

  private static List<RawArray> described(MemoryMap document, long bytes) throws FormatException {
    List<Long> shape = document.shape();
    return document.word().isEmpty()
        ? floats(shape, bytes)
        : Stream.of(new RawArray(document.word().get(), document.type(), shape))
            .filter(array -> isOfLength(array.type().itemSize(), shape, bytes))
            .toList();
  }

  private static List<RawArray> named(String file, long bytes) {
    List<RawArray> found = new ArrayList<>();
    for (MatchResult run : SIZES.matcher(file).results().toList()) {
      List<Long> numbers = BETWEEN.splitAsStream(run.group()).map(Long::valueOf).toList();
      for (int from = 0; from < numbers.size() - 1; from++) {
        for (int to = from + 2; to <= Math.min(numbers.size(), from + MAX_DIMENSIONS); to++) {
          found.addAll(floats(numbers.subList(from, to), bytes));
        }
      }
    }
    return found.stream().distinct().toList();
  }

  private static List<RawArray> floats(List<Long> shape, long bytes) {
    return FLOATS.entrySet().stream()
        .filter(type -> isOfLength(type.getKey(), shape, bytes))
        .map(type -> RawArray.parse(joined(type.getValue(), shape)))
        .toList();
  }

  private static String joined(String word, List<Long> shape) {
    return new RawArray(word, RawArray.type(word).orElseThrow(), shape).toString();
  }

  private static boolean isOfLength(int width, List<Long> shape, long bytes) {
    try {
      return !shape.isEmpty()
          && bytes > 0
          && shape.stream().reduce((long) width, Math::multiplyExact) == bytes;
    } catch (ArithmeticException e) {
      return false; // more than any file holds
    }
  }
}
