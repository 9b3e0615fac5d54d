package org.saevhadoop.format.arrays.proposal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.ArrayChoice;
import org.saevhadoop.format.arrays.MaskChoice;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.IntegerFiles;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.arrays.file.UnnamedLayers;
import org.saevhadoop.format.dataset.NaturalOrder;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;

/**
 * The headers of all files or, if there are many, of the first files and the last file of each
 * folder; each header is read once. The files are in the folder itself or, if it contains none, in
 * folders one or two levels below.
 */
final class HeaderSample implements ArrayReader {
  /** The approximate maximum number of headers; reading them takes a second on a local disk. */
  static final int MAX_HEADERS = 1000;

  private static final int MAX_FOLDERS = 1000;
  private static final int LEVELS = 2;

  private final Location location;
  private final ArrayReader reader;
  private final Set<String> documents;

  /**
   * The names of all files, in natural order, by the path of their folder with a trailing slash.
   */
  private final SortedMap<String, List<String>> names = new TreeMap<>(NaturalOrder.OF_NAMES);

  private final Map<String, SortedMap<String, Long>> sampled = new HashMap<>();

  /** The headers by file path, relative to the location. */
  private final Map<String, ArrayFile> headers = new LinkedHashMap<>();

  private final Map<String, ArrayFile> byPath = new HashMap<>();
  private final Map<String, FormatException> problems = new LinkedHashMap<>();
  private long bytes;

  private HeaderSample(Location location, ArrayReader reader, Set<String> documents) {
    this.location = location;
    this.reader = reader;
    this.documents = documents;
  }

  /**
   * Reads headers.
   *
   * @param documents the names of files that identify a folder as a dataset; such folders are left
   *     out
   */
  static HeaderSample of(Location location, ArrayReader reader, Set<String> documents)
      throws IOException {
    HeaderSample sample = new HeaderSample(location, reader, documents);
    if (location.isFile()) {
      sample.names.put("", List.of(location.file()));
      sample.bytes = location.files().getOrDefault(location.file(), 0L);
      sample.read(location.folder(), "", location.file(), location.files());
      return sample;
    }
    Map<String, Folder> level = Map.of("", location.folder());
    for (int depth = 0; depth <= LEVELS && sample.names.isEmpty(); depth++) {
      Map<String, SortedMap<String, Long>> files = new LinkedHashMap<>();
      for (Map.Entry<String, Folder> folder : level.entrySet()) {
        boolean isTop = folder.getValue() == location.folder();
        files.put(folder.getKey(), isTop ? location.files() : folder.getValue().files());
        sample.list(folder.getKey(), files.get(folder.getKey()));
      }
      for (String prefix : sample.names.keySet()) {
        Folder folder = level.get(prefix);
        if (folder != null) {
          sample.read(folder, prefix, files.getOrDefault(prefix, new TreeMap<>()));
        }
      }
      level = sample.names.isEmpty() && depth < LEVELS ? below(level) : Map.of();
    }
    return sample;
  }

  private static Map<String, Folder> below(Map<String, Folder> level) throws IOException {
    Map<String, Folder> below = new LinkedHashMap<>();
    for (Map.Entry<String, Folder> parent : level.entrySet()) {
      for (String name : parent.getValue().folders()) {
        Optional<Folder> folder =
            ArrayFiles.isData(name) && below.size() < MAX_FOLDERS
                ? parent.getValue().folder(name)
                : Optional.empty();
        folder.ifPresent(found -> below.put(parent.getKey() + name + "/", found));
      }
    }
    return below;
  }

  private void list(String prefix, SortedMap<String, Long> files) {
    List<String> found = new ArrayList<>(ArrayFiles.activations(reader.named(files.keySet())));
    if (!found.isEmpty() && Collections.disjoint(files.keySet(), documents)) {
      found.sort(NaturalOrder.OF_NAMES);
      names.put(prefix, found);
      files.keySet().stream()
          .filter(MaskChoice::isFile)
          .forEach(mask -> sampled(prefix).put(mask, files.getOrDefault(mask, 0L)));
      bytes += found.stream().mapToLong(name -> files.getOrDefault(name, 0L)).sum();
    }
  }

  private void read(Folder folder, String prefix, SortedMap<String, Long> files)
      throws IOException {
    List<String> found = names.getOrDefault(prefix, List.of());
    int most = Math.max(1, MAX_HEADERS / names.size());
    for (int i = 0; i < found.size(); i++) {
      if (i < most || i == found.size() - 1) {
        read(folder, prefix, found.get(i), files);
      }
    }
  }

  private void read(Folder folder, String prefix, String name, SortedMap<String, Long> files)
      throws IOException {
    try {
      ArrayFiles.checkWritten(folder, name, files.keySet());
      ArrayFile content = reader.read(folder, name);
      headers.put(prefix + name, content);
      byPath.put(folder.path(name), content);
      sampled(prefix).put(name, files.getOrDefault(name, 0L));
    } catch (FormatException e) {
      problems.put(prefix + name, e);
    }
  }

  private SortedMap<String, Long> sampled(String prefix) {
    return sampled.computeIfAbsent(prefix, key -> new TreeMap<>());
  }

  /** Returns the location, restricted to the files whose headers were read. */
  Location location() {
    return location.isFile()
        ? location
        : Location.of(new SampledFolder(location.folder(), "", sampled));
  }

  Map<String, ArrayFile> headers() {
    return headers;
  }

  /** Returns whether a pattern matches a file that cannot be read. */
  boolean hasProblem(@Nullable String pattern) {
    Optional<NamePattern> names = Optional.ofNullable(pattern).map(NamePattern::parse);
    return problems.keySet().stream()
        .anyMatch(path -> names.isEmpty() || names.get().match(path).isPresent());
  }

  /**
   * Returns the headers of array files, with the integers in files next to them.
   *
   * @param pattern the pattern of the paths of the files; null for all files
   */
  List<ArrayFile> contents(@Nullable String pattern) {
    NamePattern names = pattern == null ? null : NamePattern.parse(pattern);
    Map<String, ArrayFile> integers = new LinkedHashMap<>(headers);
    integers.values().removeIf(content -> !IntegerFiles.isOne(content));
    List<String> paths = paths();
    IntegerFiles beside =
        integers.size() == headers.size()
            ? IntegerFiles.NONE
            : IntegerFiles.of(integers, paths, false);
    return paths.stream()
        .filter(headers::containsKey)
        .filter(path -> names == null || names.match(path).isPresent())
        .map(path -> beside.with(path, headers.getOrDefault(path, ArrayFile.of(List.of()))))
        .toList();
  }

  /**
   * Returns the paths of all files, relative to the location, in natural order, except for integer
   * files next to other files.
   */
  List<String> paths() {
    List<String> paths = allPaths();
    List<String> others =
        paths.stream()
            .filter(path -> !headers.containsKey(path) || !IntegerFiles.isOne(headers.get(path)))
            .toList();
    return others.isEmpty() ? paths : others;
  }

  /** Returns the names of masks that leave out tokens and occur in all files. */
  List<String> masks() {
    return MaskChoice.USUAL.stream()
        .filter(
            mask ->
                contents(null).stream()
                    .allMatch(file -> file.arrays().stream().anyMatch(a -> a.name().equals(mask))))
        .toList();
  }

  /**
   * Returns whether file names denote examples: each file is an example, or contains the token ids
   * of its examples.
   */
  boolean areExamples() {
    return headers.values().stream()
        .allMatch(
            content ->
                ArrayChoice.areVectors(content)
                    || content.arrays().stream().anyMatch(ArrayChoice::isTokenIds));
  }

  /** Returns the possible layer numbers in the names of files. */
  Optional<UnnamedLayers> unnamedLayers() {
    Map<String, List<List<Long>>> shapes = new HashMap<>();
    headers.forEach((path, content) -> shapes.put(path, shapes(content)));
    return location.isFile()
        ? Optional.empty()
        : UnnamedLayers.of(location.folder().name(), paths(), shapes, areExamples());
  }

  /** Returns the possible number of the only layer in the names of files and arrays. */
  Optional<Integer> onlyNumber() {
    List<String> texts = new ArrayList<>(paths());
    headers.values().stream()
        .flatMap(content -> content.arrays().stream())
        .filter(ArrayChoice::isCandidate)
        .forEach(array -> texts.add(array.name()));
    return UnnamedLayers.ofOne(texts);
  }

  private static List<List<Long>> shapes(ArrayFile content) {
    return content.arrays().stream()
        .filter(array -> ArrayChoice.isCandidate(array) || ArrayChoice.areVectors(content))
        .map(FileArray::shape)
        .toList();
  }

  /** Returns the paths of all files, relative to the location, in natural order. */
  List<String> allPaths() {
    List<String> paths = new ArrayList<>();
    names.forEach((prefix, files) -> files.forEach(name -> paths.add(prefix + name)));
    return paths;
  }

  /** Returns the number of files, whether or not their headers were read. */
  long count() {
    return names.values().stream().mapToLong(List::size).sum();
  }

  long bytes() {
    return bytes;
  }

  boolean isWhole() {
    return headers.size() + problems.size() == count();
  }

  List<FormatException> problems() {
    return List.copyOf(problems.values());
  }

  @Override
  public boolean isNamed(String file) {
    return reader.isNamed(file);
  }

  @Override
  public List<String> named(Collection<String> files) {
    return reader.named(files);
  }

  @Override
  public boolean mayLackChecksums() {
    return reader.mayLackChecksums();
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    ArrayFile known = byPath.get(folder.path(file));
    return known == null ? reader.read(folder, file) : known;
  }

  @Override
  public Input elements(Folder folder, String path, String array) throws IOException {
    return reader.elements(folder, path, array);
  }
}
