package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Placement;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * Activations in safetensors files: a directory with a manifest, a directory of files, or one file.
 * With a manifest only the first file's header is read to open the dataset; each other file is
 * checked when its examples are read.
 */
public final class SafetensorsDataset implements ActivationDataset {
  /** The name by which a directory is known to be such a dataset. */
  public static final String MANIFEST = DatasetManifest.FILE;

  /** What such files are called. */
  public static final String SUFFIX = ".safetensors";

  /** Metadata key: the SAEV metadata.json that belongs to these activations, byte for byte. */
  static final String SAEV_METADATA_KEY = "saev.metadata";

  /** Metadata key: the name of the SAEV directory, where it is not the hash of its metadata. */
  static final String SAEV_DIRECTORY_KEY = "saev.directory";

  /** Metadata key: the number of a part's first example in the dataset. */
  static final String FIRST_EXAMPLE_KEY = "saev.first_example";

  /** Metadata key: how many examples all parts together hold. */
  static final String EXAMPLES_KEY = "saev.examples";

  private static final int LARGEST_MANIFEST = 256 << 20;

  private final Folder folder;
  private final List<Shard> shards;
  private final ActivationColumns columns;
  private final Map<String, String> metadata;
  private final Geometry geometry;
  private final List<String> warnings;

  private SafetensorsDataset(
      Folder folder, List<Shard> shards, SafetensorsHeader first, List<String> warnings)
      throws FormatException {
    String path = folder.path(shards.get(0).name());
    this.folder = folder;
    this.shards = shards;
    this.columns = ActivationColumns.of(path, first);
    this.metadata = first.metadata() == null ? Map.of() : first.metadata();
    this.warnings = warnings;
    Shard last = shards.get(shards.size() - 1);
    Geometry part = columns.geometry();
    long examples = last.first() + last.examples();
    try {
      this.geometry = new Geometry(examples, part.layers(), part.tokens(), part.dim());
    } catch (ArithmeticException e) {
      throw FormatException.of(folder.path(), "the sizes multiply to more than 2^63 bytes");
    }
  }

  /** Opens a directory, by its manifest where it has one. */
  public static SafetensorsDataset open(Folder folder) throws IOException {
    SortedMap<String, Long> files = folder.files();
    List<String> warnings = new ArrayList<>();
    List<Shard> shards =
        files.containsKey(MANIFEST)
            ? byManifest(folder, files, warnings)
            : byHeaders(folder, files.keySet().stream().filter(n -> n.endsWith(SUFFIX)).toList());
    FormatException.check(
        !shards.isEmpty(), folder.path(), "holds no example (expected files *%s)", SUFFIX);
    try (Input in = folder.open(shards.get(0).name())) {
      SafetensorsHeader first = SafetensorsHeader.read(in);
      SafetensorsDataset dataset = new SafetensorsDataset(folder, shards, first, warnings);
      Long expected = number(in.path(), first, EXAMPLES_KEY);
      FormatException.check(
          expected == null || expected == dataset.geometry.examples(),
          folder.path(),
          "holds %d examples (expected %s, as its files say): parts are missing",
          dataset.geometry.examples(),
          expected);
      return dataset;
    }
  }

  /** Opens one file as a dataset of its own. */
  public static SafetensorsDataset openFile(Folder folder, String name) throws IOException {
    try (Input in = folder.open(name)) {
      SafetensorsHeader header = SafetensorsHeader.read(in);
      long examples = ActivationColumns.of(in.path(), header).geometry().examples();
      List<Shard> shards = List.of(new Shard(name, 0, examples, in.length()));
      return new SafetensorsDataset(folder, shards, header, List.of());
    }
  }

  @Override
  public Folder folder() {
    return folder;
  }

  @Override
  public Geometry geometry() {
    return geometry;
  }

  @Override
  public List<Shard> shards() {
    return shards;
  }

  @Override
  public BlockOrder storageOrder() {
    return columns.order();
  }

  @Override
  public Placement placement(int shard, Input file) throws IOException {
    SafetensorsHeader header = SafetensorsHeader.read(file);
    return columns(shard, file.path(), header).placement(header.dataStart());
  }

  /** The columns of a part, which agree with those of the first. */
  private ActivationColumns columns(int shard, String path, SafetensorsHeader header)
      throws FormatException {
    ActivationColumns found = ActivationColumns.of(path, header);
    FormatException.check(
        found.agreesWith(columns),
        path,
        "holds %s (expected %s as the dataset's first file)",
        found.describe(),
        columns.describe());
    FormatException.check(
        found.geometry().examples() == shards.get(shard).examples(),
        path,
        "holds %d examples (expected %d)",
        found.geometry().examples(),
        shards.get(shard).examples());
    return found;
  }

  @Override
  public List<ByteRange> expectedRanges(int shard, long indexInShard, long examples) {
    Shard file = shards.get(shard);
    long dataStart = file.bytes() - file.examples() * (geometry.exampleBytes() + columns.patches());
    if (columns.layout() == SafetensorsTarget.Columns.ACTS) {
      long bytes = geometry.exampleBytes();
      return List.of(new ByteRange(dataStart + indexInShard * bytes, examples * bytes));
    }
    long bytes = geometry.blockBytes();
    List<ByteRange> ranges = new ArrayList<>();
    for (int i = 0; i < geometry.layers().size(); i++) {
      long layer = dataStart + i * file.examples() * bytes;
      ranges.add(new ByteRange(layer + indexInShard * bytes, examples * bytes));
    }
    return ranges;
  }

  @Override
  public Optional<String> saevMetadata() {
    return Optional.ofNullable(metadata.get(SAEV_METADATA_KEY));
  }

  @Override
  public Optional<String> saevDirectory() {
    return Optional.ofNullable(metadata.get(SAEV_DIRECTORY_KEY));
  }

  @Override
  public boolean hasLabels() {
    return columns.labels() != null;
  }

  @Override
  public PatchLabels openLabels() throws IOException {
    return hasLabels() ? new PartLabels(this) : ActivationDataset.super.openLabels();
  }

  /** Labels of one example; 0 without labels. */
  int patches() {
    return columns.patches();
  }

  /** The byte of an open part at which its labels begin. */
  long labelsStart(int shard, Input file) throws IOException {
    SafetensorsHeader header = SafetensorsHeader.read(file);
    return header.dataStart() + columns(shard, file.path(), header).labels().begin();
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }

  private static List<Shard> byManifest(
      Folder folder, SortedMap<String, Long> files, List<String> warnings) throws IOException {
    DatasetManifest manifest =
        DatasetManifest.parse(folder.path(MANIFEST), folder.readSmall(MANIFEST, LARGEST_MANIFEST));
    List<Shard> shards = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    long first = 0;
    for (DatasetManifest.Entry entry : manifest.shards()) {
      Long bytes = files.get(entry.name());
      String path = folder.path(entry.name());
      FormatException.check(bytes != null, path, "is missing (expected by %s)", MANIFEST);
      FormatException.check(
          bytes == entry.bytes(),
          path,
          "has %d bytes (expected %d as %s says)",
          bytes,
          entry.bytes(),
          MANIFEST);
      FormatException.check(listed.add(entry.name()), path, "is listed twice by %s", MANIFEST);
      if (entry.examples() > 0) {
        shards.add(new Shard(entry.name(), first, entry.examples(), bytes));
        first = add(folder, first, entry.examples());
      }
    }
    List<String> orphans =
        files.keySet().stream().filter(n -> n.endsWith(SUFFIX) && !listed.contains(n)).toList();
    if (!orphans.isEmpty()) {
      warnings.add("files that %s does not list are not read: %s".formatted(MANIFEST, orphans));
    }
    return shards;
  }

  private static List<Shard> byHeaders(Folder folder, List<String> names) throws IOException {
    record Part(String name, long examples, long bytes, Long first) {}

    List<Part> parts = new ArrayList<>();
    for (String name : names) {
      try (Input in = folder.open(name)) {
        SafetensorsHeader header = SafetensorsHeader.read(in);
        long examples = ActivationColumns.of(in.path(), header).geometry().examples();
        parts.add(
            new Part(name, examples, in.length(), number(in.path(), header, FIRST_EXAMPLE_KEY)));
      }
    }
    if (parts.stream().allMatch(part -> part.first() != null)) {
      parts.sort(Comparator.comparing(Part::first));
    }
    List<Shard> shards = new ArrayList<>();
    long next = 0;
    for (Part part : parts) {
      FormatException.check(
          part.first() == null || part.first() == next,
          folder.path(part.name()),
          "begins at example %d (expected %d: a part is missing)",
          part.first(),
          next);
      if (part.examples() > 0) {
        shards.add(new Shard(part.name(), next, part.examples(), part.bytes()));
        next = add(folder, next, part.examples());
      }
    }
    return shards;
  }

  private static long add(Folder folder, long examples, long more) throws FormatException {
    FormatException.check(
        examples <= Long.MAX_VALUE - more, folder.path(), "holds more than 2^63 examples");
    return examples + more;
  }

  /** A number in a file's metadata; null where there is none. */
  private static Long number(String path, SafetensorsHeader header, String key)
      throws FormatException {
    String text = header.metadata() == null ? null : header.metadata().get(key);
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw FormatException.of(path, "%s is \"%s\" (expected a number)", key, text);
    }
  }
}
