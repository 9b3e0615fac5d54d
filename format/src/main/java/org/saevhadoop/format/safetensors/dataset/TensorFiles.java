package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.safetensors.dataset.DatasetManifest.Entry;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;

/**
 * The files of a dataset.
 *
 * @param files the files in the order of their examples, as far as the order is known without
 *     reading headers
 * @param by the source of the file list
 * @param warnings warnings for the user
 */
record TensorFiles(List<Entry> files, Known by, List<String> warnings) {
  /** Source of a file list. */
  enum Known {
    MANIFEST,
    LISTING,
    NAME
  }

  /**
   * A file whose header was read.
   *
   * @param first the number of its first example; null if its metadata does not contain the number
   */
  private record Part(String name, long examples, long bytes, @Nullable Long first) {}

  /** Metadata key for the number, within the dataset, of the first example in a file. */
  static final String FIRST_EXAMPLE_KEY = "saev.first_example";

  /** Metadata key for the total number of examples in all files. */
  static final String EXAMPLES_KEY = "saev.examples";

  /** Metadata key for the number of padding examples (all zeros) at the end of a file. */
  static final String PADDING_KEY = "saev.padding";

  /** Limits for the manifest, chosen for half a million files. */
  static final JsonLimits MANIFEST_LIMITS = new JsonLimits(64 << 20, 4_000_000, 1 << 20, 1000);

  private static final String MANIFEST = SafetensorsTable.MANIFEST;
  private static final String SUFFIX = SafetensorsTable.SUFFIX;

  static TensorFiles of(Folder folder, SortedMap<String, Long> files) throws IOException {
    return files.containsKey(MANIFEST)
        ? ofManifest(folder, manifest(folder), files)
        : listed(files);
  }

  /**
   * Returns the files of a folder that has already been checked. A folder with a manifest is not
   * listed, and its files are assumed to be unchanged since the check.
   */
  static TensorFiles ofChecked(Folder folder) throws IOException {
    DatasetManifest manifest;
    try {
      manifest = manifest(folder);
    } catch (FormatException e) {
      if (e.kind() == FileError.NOT_FOUND) {
        return listed(folder.files());
      }
      throw e;
    }
    return new TensorFiles(parts(manifest), Known.MANIFEST, List.of());
  }

  private static DatasetManifest manifest(Folder folder) throws IOException {
    return DatasetManifest.parse(folder.path(MANIFEST), MANIFEST_LIMITS.read(folder, MANIFEST));
  }

  private static TensorFiles listed(SortedMap<String, Long> files) {
    return new TensorFiles(listing(files), Known.LISTING, List.of());
  }

  /** Returns the safetensors files among the files of a folder. */
  static List<Entry> listing(SortedMap<String, Long> files) {
    return files.entrySet().stream()
        .filter(file -> file.getKey().endsWith(SUFFIX))
        .map(file -> new Entry(file.getKey(), Entry.UNKNOWN, file.getValue()))
        .toList();
  }

  static TensorFiles ofFile(Folder folder, String name) throws IOException {
    try (Input in = folder.open(name)) {
      Entry file = new Entry(name, Entry.UNKNOWN, in.length());
      return new TensorFiles(List.of(file), Known.NAME, List.of());
    }
  }

  private static TensorFiles ofManifest(
      Folder folder, DatasetManifest manifest, SortedMap<String, Long> files)
      throws FormatException {
    Set<String> listed = new HashSet<>();
    for (Entry entry : manifest.shards()) {
      checkListed(folder, entry, files.get(entry.name()), listed.add(entry.name()));
    }
    List<String> orphans =
        files.keySet().stream().filter(n -> n.endsWith(SUFFIX) && !listed.contains(n)).toList();
    List<String> warnings =
        orphans.isEmpty()
            ? List.of()
            : List.of("files that %s does not list are not read: %s".formatted(MANIFEST, orphans));
    return new TensorFiles(parts(manifest), Known.MANIFEST, warnings);
  }

  /**
   * Compares an entry of a manifest with the folder.
   *
   * @param bytes the length of the file; null if it does not exist
   * @param isFirst whether no earlier entry has the same name
   */
  static void checkListed(Folder folder, Entry entry, @Nullable Long bytes, boolean isFirst)
      throws FormatException {
    String path = folder.path(entry.name());
    TensorDatasetError.BAD_MANIFEST.check(isFirst, path, "is listed twice by %s", MANIFEST);
    if (bytes == null) {
      throw TensorDatasetError.MISSING_FILE.in(path, "is missing (expected by %s)", MANIFEST);
    }
    TensorDatasetError.BAD_MANIFEST.check(
        bytes == entry.bytes(),
        path,
        "has %d bytes (expected %d, as in %s)",
        bytes,
        entry.bytes(),
        MANIFEST);
  }

  /** Returns the files that contain examples, or one file if none of them contains any. */
  private static List<Entry> parts(DatasetManifest manifest) {
    List<Entry> all = manifest.shards();
    List<Entry> parts = all.stream().filter(entry -> entry.examples() > 0).toList();
    return parts.isEmpty() && !all.isEmpty() ? all.subList(0, 1) : parts;
  }

  /**
   * Returns the files with their examples. Headers are read if no manifest provides the numbers of
   * examples. Files without examples are omitted, unless there is no other file.
   *
   * @param opened the first file, which has already been read
   * @param metadata the metadata of the first file
   */
  List<Shard> shards(
      Folder folder,
      FileLayout opened,
      TensorLayout layout,
      String separator,
      HeaderStrictness strictness,
      Map<String, String> metadata)
      throws IOException {
    String first = folder.path(files.get(0).name());
    List<Shard> shards =
        by == Known.MANIFEST
            ? listed(folder, strictness, number(first, metadata, EXAMPLES_KEY))
            : byHeaders(folder, opened, layout, separator, strictness, metadata);
    long examples = shards.stream().mapToLong(Shard::examples).sum();
    Long expected = number(first, metadata, EXAMPLES_KEY);
    TensorDatasetError.MISSING_FILE.check(
        expected == null || expected == examples || by == Known.NAME,
        folder.path(),
        "holds %d examples (expected %s, as in its files): files are missing",
        examples,
        expected);
    return shards;
  }

  /** A manifest counts padding as examples; only the last file has padding. */
  private List<Shard> listed(Folder folder, HeaderStrictness strictness, @Nullable Long expected)
      throws IOException {
    List<Shard> shards = new ArrayList<>();
    long next = 0;
    for (Entry file : files) {
      shards.add(new Shard(file.name(), next, file.examples(), file.bytes()));
      next = add(folder, next, file.examples());
    }
    if (expected != null && expected < next && !shards.isEmpty()) {
      Shard last = shards.get(shards.size() - 1);
      try (Input in = folder.open(last.name())) {
        long padding = padding(SafetensorsHeader.read(in, strictness).metadata());
        checkPadding(in.path(), padding, last.examples());
        shards.set(
            shards.size() - 1,
            new Shard(last.name(), last.first(), last.examples() - padding, last.bytes()));
      }
    }
    return shards;
  }

  private List<Shard> byHeaders(
      Folder folder,
      FileLayout opened,
      TensorLayout layout,
      String separator,
      HeaderStrictness strictness,
      Map<String, String> metadata)
      throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Entry file : files) {
      if (parts.isEmpty()) {
        parts.add(part(folder, file, opened.examples(), metadata));
        continue;
      }
      try (Input in = folder.open(file.name())) {
        SafetensorsHeader header = SafetensorsHeader.read(in, strictness);
        long rows = FileLayout.of(in.path(), header, layout, separator).examples();
        parts.add(part(folder, file, rows, header.metadata()));
      }
    }
    if (parts.stream().allMatch(part -> part.first() != null)) {
      parts.sort(Comparator.comparing(Part::first));
    }
    List<Shard> shards = new ArrayList<>();
    long next = 0;
    for (Part part : parts) {
      TensorDatasetError.MISSING_FILE.check(
          by == Known.NAME || part.first() == null || part.first() == next,
          folder.path(part.name()),
          "begins at example %d (expected %d: a file is missing)",
          part.first(),
          next);
      if (part.examples() > 0) {
        shards.add(new Shard(part.name(), next, part.examples(), part.bytes()));
        next = add(folder, next, part.examples());
      }
    }
    if (shards.isEmpty() && !parts.isEmpty()) {
      shards.add(new Shard(parts.get(0).name(), 0, 0, parts.get(0).bytes()));
    }
    return shards;
  }

  private static Part part(
      Folder folder, Entry file, long rows, @Nullable Map<String, String> metadata)
      throws FormatException {
    String path = folder.path(file.name());
    long padding = padding(metadata);
    checkPadding(path, padding, rows);
    Long first = number(path, metadata, FIRST_EXAMPLE_KEY);
    return new Part(file.name(), rows - padding, file.bytes(), first);
  }

  private static long add(Folder folder, long examples, long more) throws FormatException {
    TensorDatasetError.TOO_LARGE.check(
        examples <= Long.MAX_VALUE - more, folder.path(), "holds more than 2^63 examples");
    return examples + more;
  }

  /** Returns whether metadata comes from a file of a dataset that this package wrote. */
  static boolean isMarked(@Nullable Map<String, String> metadata) {
    return metadata != null
        && metadata.containsKey(FIRST_EXAMPLE_KEY)
        && metadata.containsKey(EXAMPLES_KEY);
  }

  /** Returns the number of padding examples at the end of a file. */
  static long padding(@Nullable Map<String, String> metadata) {
    String text = metadata == null ? null : metadata.get(PADDING_KEY);
    return text != null && KeyedFile.isNumber(text) ? Long.parseLong(text) : 0;
  }

  private static void checkPadding(String path, long padding, long rows) throws FormatException {
    TensorDatasetError.BAD_FILE_METADATA.check(
        padding <= rows, path, "%s is %d (expected at most %d)", PADDING_KEY, padding, rows);
  }

  /** Returns a number from the metadata of a file; null if it is absent. */
  private static @Nullable Long number(
      String path, @Nullable Map<String, String> metadata, String key) throws FormatException {
    String text = metadata == null ? null : metadata.get(key);
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw TensorDatasetError.BAD_FILE_METADATA
          .in(path, "%s is \"%s\" (expected a number)", key, text)
          .causedBy(e);
    }
  }
}
