package org.saevhadoop.format.arrays.file;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * Files of integers next to files of activations, such as {@code input_ids.npy} and {@code
 * labels.npy} next to {@code X.npy}. Their arrays are treated as arrays of the activation file to
 * which they belong: the file with the same numbers in its name, or else the only activation file
 * in the folder, or all of its layer files if they contain the same examples.
 */
public final class IntegerFiles {
  /** No files. */
  public static final IntegerFiles NONE = new IntegerFiles(Map.of(), List.of(), false);

  private static final Pattern ENDING = Pattern.compile("\\.[A-Za-z]+$");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");
  private static final Pattern NUMBERS = Pattern.compile("[^A-Za-z]*[0-9][^A-Za-z]*");

  /** Names of token ids and masks after a prefix, such as the name of the dataset. */
  private static final Pattern USUAL =
      Pattern.compile(".*[^A-Za-z](token_ids|input_ids|attention_mask)");

  private final Map<String, ArrayFile> files;

  /** Folders of activations, each with the numbers in the name of one of its files. */
  private final Set<List<String>> numbered = new HashSet<>();

  /** Folders of activations, with the names of their files without the layer numbers. */
  private final Map<String, Set<String>> rests = new LinkedHashMap<>();

  private final boolean areOneGroup;

  private IntegerFiles(
      Map<String, ArrayFile> files, Collection<String> activations, boolean areOneGroup) {
    this.files = files;
    this.areOneGroup = areOneGroup;
    for (String path : activations) {
      numbered.add(numbers(path));
      rests.computeIfAbsent(folder(path), folder -> new HashSet<>()).add(rest(path));
    }
  }

  /**
   * Collects the files of integers of a dataset.
   *
   * @param files the contents of the files of integers, by path
   * @param activations the paths of all other files
   * @param areOneGroup whether the other files contain layers of the same examples
   */
  public static IntegerFiles of(
      Map<String, ArrayFile> files, Collection<String> activations, boolean areOneGroup) {
    return new IntegerFiles(new LinkedHashMap<>(files), activations, areOneGroup);
  }

  /** Returns whether a file contains only integers. */
  public static boolean isOne(ArrayFile content) {
    boolean hasValues =
        content.values().values().stream().anyMatch(v -> v instanceof Long || v instanceof Boolean);
    return content.parts().stream()
            .allMatch(part -> part.arrays().stream().allMatch(FileArray::isInteger))
        && (!content.arrays().isEmpty() || hasValues);
  }

  public Set<String> paths() {
    return files.keySet();
  }

  /** Returns the name for an unnamed array in a file. */
  public static String arrayName(String path) {
    return plain(name(path));
  }

  /**
   * Returns the content of a file of activations together with the integer arrays that belong to
   * it. Only files with the same number of parts are joined.
   */
  public ArrayFile with(String path, ArrayFile content) {
    if (files.isEmpty()) {
      return content;
    }
    List<ArrayFile> following = new ArrayList<>();
    for (int part = 1; part <= content.following().size(); part++) {
      following.add(with(path, content.following().get(part - 1), part, content.parts().size()));
    }
    ArrayFile first = with(path, content, 0, content.parts().size());
    return following.equals(content.following()) ? first : first.withFollowing(following);
  }

  /** Returns a part of a file with the corresponding parts of the integer arrays. */
  private ArrayFile with(String path, ArrayFile content, int part, int parts) {
    List<FileArray> arrays = new ArrayList<>(content.arrays());
    List<ArchiveEntry> entries = new ArrayList<>(content.entries());
    for (Map.Entry<String, ArrayFile> file : files.entrySet()) {
      List<ArrayFile> own = file.getValue().parts();
      if (own.size() == parts && isOf(file.getKey(), path)) {
        boolean isOnly = file.getValue().arrays().size() == 1;
        own.get(part).arrays().forEach(a -> arrays.add(companion(file.getKey(), a, isOnly)));
        entries.addAll(file.getValue().entries());
      }
    }
    return arrays.size() == content.arrays().size()
        ? content
        : new ArrayFile(
            arrays,
            content.values(),
            entries,
            content.warnings(),
            content.following(),
            content.hasSamples());
  }

  private boolean isOf(String path, String activations) {
    Optional<LayerNumber> layer = LayerNumber.find(name(path));
    Optional<LayerNumber> other = LayerNumber.find(name(activations));
    boolean isOther =
        layer.isPresent() && other.isPresent() && layer.get().number() != other.get().number();
    if (!folder(path).equals(folder(activations)) || isOther) {
      return false;
    }
    List<String> numbers = numbers(path);
    return numbers.size() > 1 && numbered.contains(numbers)
        ? numbers.equals(numbers(activations))
        : areOneGroup || rests.getOrDefault(folder(path), Set.of()).size() == 1;
  }

  /** Returns an array from a file of integers; an unnamed array is named after its file. */
  private static FileArray companion(String path, FileArray array, boolean isOnly) {
    boolean isUnnamed = isOnly && array.name().equals(ArrayFile.UNNAMED);
    String name = isUnnamed ? arrayName(path) : array.name();
    return new FileArray(name, array.dtype(), array.layout(), array.swapUnit(), path);
  }

  /** Returns the name of a file without its ending and without numbers. */
  private static String plain(String file) {
    String stem = ENDING.matcher(file).replaceFirst("");
    String words =
        NUMBERS
            .matcher(stem)
            .replaceAll(found -> found.start() == 0 || found.end() == stem.length() ? "" : "_");
    String name = words.isEmpty() ? stem : words;
    Matcher usual = USUAL.matcher(name);
    return usual.matches() ? usual.group(1) : name;
  }

  /** Returns the folder of a file and the numbers in its name, except for the layer number. */
  private static List<String> numbers(String path) {
    Stream<String> numbers = NUMBER.matcher(rest(path)).results().map(MatchResult::group);
    return Stream.concat(Stream.of(folder(path)), numbers).toList();
  }

  private static String rest(String path) {
    return LayerNumber.find(name(path)).map(LayerNumber::rest).orElse(name(path));
  }

  private static String folder(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
