package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.saevhadoop.format.arrays.MappedFile.TokenLengths;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.FileWarnings;
import org.saevhadoop.format.arrays.file.ReadsAhead;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;

/**
 * The per-token integers of groups, taken from the first file of each group; the token ids and
 * masks of other layers must be the same.
 *
 * @param <K> the type of group keys
 */
final class GroupTokens<K> {
  private final Folder folder;
  private final KeptTokens.FileSource files;
  private final ArrayOptions options;
  private final FileWarnings warnings;

  /**
   * The integers of a group.
   *
   * @param tokens the distinct token ids and masks of all layers; in most groups, one array for
   *     each name
   */
  private record Group(TokenFields fields, List<ArrayView> tokens) {
    /** Adds token ids or a mask. The integers of the first file are also in {@code fields}. */
    void add(ArrayView view) {
      if (!tokens.contains(view)) {
        Stream<ArrayView> known =
            Stream.concat(fields.kept().values().stream(), fields.masks().stream());
        tokens.add(known.filter(view::equals).findFirst().orElse(view));
      }
    }

    /** Returns the token ids and masks by the last parts of their names. */
    Map<String, List<ArrayView>> byName() {
      return tokens.stream()
          .collect(
              Collectors.groupingBy(
                  view -> TokenFields.lastPart(view.array()),
                  LinkedHashMap::new,
                  Collectors.toList()));
    }

    boolean isMask(ArrayView view) {
      return fields.masks().stream().anyMatch(mask -> mask.array().equals(view.array()));
    }
  }

  private final Map<K, Group> groups = new HashMap<>();

  /** Names of integers that are left out in all groups. */
  private final Set<String> leftOut = new LinkedHashSet<>();

  private final Set<String> knownFiles = new HashSet<>();

  GroupTokens(
      Folder folder, KeptTokens.FileSource files, ArrayOptions options, FileWarnings warnings) {
    this.folder = folder;
    this.files = files;
    this.options = options;
    this.warnings = warnings;
  }

  /**
   * Adds the integers that accompany an array of a group.
   *
   * @param array the activations in this file
   * @throws FormatException if the length of token ids or of a mask is not the number of tokens
   */
  void add(K group, String path, MappedFile file, MappedFile.Activation activation, ArrayView array)
      throws FormatException {
    ArrayMapping mapping = activation.mapping();
    for (FileArray companion : file.candidates().arrays()) {
      if (!companion.companion().isEmpty() && mapping.tokenView(array, companion).isPresent()) {
        knownFiles.add(companion.companion());
      }
    }
    for (FileArray left : activation.contradicting(path, file, array)) {
      leaveOut(path, array, left, " (--no-sample-metadata)");
    }
    Group own = groups.get(group);
    if (own == null) {
      own = new Group(activation.fields(path, file, array, options), new ArrayList<>(1));
      groups.put(group, own);
      for (FileArray left : activation.others(file, array)) {
        leaveOut(path, array, left, "");
      }
    }
    activation.tokens(file, array).forEach(own::add);
  }

  private void leaveOut(String path, ArrayView array, FileArray left, String by) {
    String last = TokenFields.lastPart(left.name());
    leftOut.add(TokenFields.fieldName(last));
    leftOut.add(TokenFields.fieldName(left.name()));
    knownFiles.add(left.companion());
    String text = "array %s: it is left out%s";
    warnings.add(
        Quote.sentence(text, last, by),
        Quote.sentence(text, TokenLengths.difference(array, left), by),
        path);
  }

  /** Returns the paths of files of integers that belong to tokens or cause a warning. */
  Set<String> knownFiles() {
    return knownFiles;
  }

  /** Returns the per-token integers of a group. */
  TokenFields fields(K group) {
    Group own = groups.get(group);
    return own == null ? TokenFields.NONE : own.fields;
  }

  /**
   * Returns the names of integers that are left out. Reads and compares only the token ids and
   * masks of joined layers.
   *
   * @param keys the groups to compare, in their order
   * @throws FormatException if integers that must not be left out differ
   */
  Set<String> leftOut(Iterable<K> keys) throws IOException {
    List<Comparison> comparisons = new ArrayList<>();
    for (K key : keys) {
      Group group = groups.get(key);
      if (group != null && group.tokens.size() > 1) {
        group
            .byName()
            .forEach(
                (name, arrays) -> {
                  if (arrays.size() > 1) {
                    boolean isMask = group.isMask(arrays.get(0));
                    comparisons.add(
                        new Comparison(folder, files, name, arrays, isMask, remedy(name, isMask)));
                  }
                });
      }
    }
    List<Callable<Optional<FormatException>>> reads = new ArrayList<>();
    comparisons.forEach(comparison -> reads.add(comparison::difference));
    try (ReadsAhead<Optional<FormatException>> results = new ReadsAhead<>(reads)) {
      for (Comparison comparison : comparisons) {
        Optional<FormatException> difference = results.next();
        if (difference.isPresent()) {
          leaveOut(comparison, difference.get());
        }
      }
    }
    return leftOut;
  }

  /** Returns the options that read layers with different integers. */
  private String remedy(String name, boolean isMask) {
    if (options.areLabels(name)) {
      return "";
    }
    return isMask
        ? "; --mask %s=keep and --no-sample-metadata do not apply these masks".formatted(name)
        : "; --no-sample-metadata ignores these arrays";
  }

  private void leaveOut(Comparison comparison, FormatException difference) throws FormatException {
    if (comparison.isMask() || options.areLabels(comparison.name()) || !options.leavesOutTokens()) {
      throw difference;
    }
    comparison.arrays().forEach(array -> leftOut.add(TokenFields.fieldName(array.array())));
    leftOut.add(TokenFields.fieldName(comparison.name()));
    warnings.add(
        "%s differs between layers".formatted(comparison.name()),
        "%s: it is left out (--no-sample-metadata)".formatted(difference.problem()),
        difference.path());
  }

  /**
   * A comparison of the token ids or masks of joined layers.
   *
   * @param name the last part of the names of the arrays
   * @param arrays the integers for each array of layers, all of the same shape
   * @param isMask whether the arrays are masks that leave out tokens
   * @param remedy the options, for messages, that read layers with different integers
   */
  private record Comparison(
      Folder folder,
      KeptTokens.FileSource files,
      String name,
      List<ArrayView> arrays,
      boolean isMask,
      String remedy) {
    private static final int PIECE = 1 << 16;

    /** Returns the error about the first value that differs from the value in the first array. */
    Optional<FormatException> difference() throws IOException {
      ArrayView first = arrays.get(0);
      long tokens = first.size(Axis.TOKEN);
      long all = first.size(Axis.EXAMPLE) * tokens;
      List<Input> inputs = new ArrayList<>();
      try {
        for (ArrayView array : arrays) {
          inputs.add(array.integers(files, path(array)));
        }
        for (long done = 0; done < all; done += PIECE) {
          int count = (int) Math.min(PIECE, all - done);
          long[] expected = read(inputs.get(0), first, done, count);
          int least = count;
          FormatException error = null;
          for (int i = 1; i < arrays.size(); i++) {
            long[] values = read(inputs.get(i), arrays.get(i), done, count);
            int at = Arrays.mismatch(values, expected);
            if (at >= 0 && at < least) {
              least = at;
              error =
                  error(
                      arrays.get(i),
                      (done + at) / tokens,
                      (done + at) % tokens,
                      values[at],
                      expected[at]);
            }
          }
          if (error != null) {
            return Optional.of(error);
          }
        }
        return Optional.empty();
      } finally {
        for (Input input : inputs) {
          input.close();
        }
      }
    }

    private String path(ArrayView array) {
      return folder.path() + "/" + array.file();
    }

    private FormatException error(
        ArrayView array, long example, long token, long value, long expected) {
      return ArrayError.DIFFERENT_TOKENS.in(
          path(array),
          "array %s has %d at example %d, token %d, but %s has %d there, so their layers do not"
              + " have the same tokens (expected the same values%s)",
          array.array(),
          value,
          example,
          token,
          arrays.get(0),
          expected,
          remedy);
    }

    private static long[] read(Input input, ArrayView array, long first, int count)
        throws IOException {
      int width = array.width();
      ByteBuffer bytes = ByteBuffer.allocate(count * width).order(ByteOrder.LITTLE_ENDIAN);
      input.readFully(first * width, bytes);
      bytes.flip();
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] = ArrayTokens.next(bytes, array.dtype());
      }
      return values;
    }
  }
}
