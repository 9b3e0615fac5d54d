package org.saevhadoop.format.saev;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
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
 * A directory of SAEV shards. Which example lies where follows from metadata.json alone;
 * shards.json and the files' lengths only confirm it. Offset of (example, layer, token): {@code
 * ((example % S * L + layerIndex) * T + token) * dim * 4} in file {@code example / S}.
 */
public final class SaevDataset implements ActivationDataset {
  /** The file of the patches' labels, uint8 {@code [n, P]}. */
  static final String LABELS = "labels.bin";

  private static final int LARGEST_METADATA = 16 << 20;
  private static final int LARGEST_SHARD_LIST = 64 << 20;

  /** Missing shards are listed one by one up to here: metadata can claim billions of them. */
  private static final int MOST_MISSING = 10_000;

  private final Folder folder;
  private final SaevMetadata metadata;
  private final List<Shard> shards = new ArrayList<>();
  private final List<Shard> listed = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final boolean labelled;

  private SaevDataset(Folder folder) throws IOException {
    this.folder = folder;
    this.metadata =
        SaevMetadata.parse(
            folder.path(SaevMetadata.FILE), folder.readSmall(SaevMetadata.FILE, LARGEST_METADATA));
    SortedMap<String, Long> files = folder.files();
    placeShards(files);
    checkMetadata();
    Optional<ShardInfo> info = readShardInfo(files);
    checkTrailing(files, info);
    this.labelled = checkLabels(files);
  }

  /**
   * Reads the documents of a directory, for reading its activations.
   *
   * @throws FormatException where a document is broken, a shard is missing or too short, or the
   *     writer did not finish: whatever would make a reader invent numbers
   */
  public static SaevDataset open(Folder folder) throws IOException {
    SaevDataset dataset = new SaevDataset(folder);
    if (!dataset.faults.isEmpty()) {
      throw new FormatException(folder.path(), dataset.faults.get(0));
    }
    return dataset;
  }

  /** Reads the documents of a directory in whatever state; its faults are among the warnings. */
  public static SaevDataset inspect(Folder folder) throws IOException {
    return new SaevDataset(folder);
  }

  /** The directory's metadata.json. */
  public SaevMetadata metadata() {
    return metadata;
  }

  /** The name that the directory should bear. */
  public String hash() {
    return metadata.hash(folder.name());
  }

  /** Whether the directory bears the hash of its metadata as its name. */
  public boolean hashMatches() {
    return folder.name().equals(hash());
  }

  /**
   * The shards as a person would list them: with the empty one that the project's writer leaves
   * behind; -1 bytes where the file is missing.
   */
  public List<Shard> listedShards() {
    return listed;
  }

  @Override
  public Folder folder() {
    return folder;
  }

  @Override
  public Geometry geometry() {
    return metadata.geometry();
  }

  @Override
  public List<Shard> shards() {
    return shards;
  }

  @Override
  public BlockOrder storageOrder() {
    return BlockOrder.byExample(geometry());
  }

  @Override
  public Placement placement(int shard, Input file) throws IOException {
    Shard expected = shards.get(shard);
    checkLength(file.path(), expected, file.length());
    long[] base = new long[geometry().layers().size()];
    for (int i = 0; i < base.length; i++) {
      base[i] = i * geometry().blockBytes();
    }
    return Placement.strided(base, geometry().exampleBytes());
  }

  @Override
  public List<ByteRange> expectedRanges(int shard, long indexInShard, long examples) {
    long bytes = geometry().exampleBytes();
    return List.of(new ByteRange(indexInShard * bytes, examples * bytes));
  }

  @Override
  public Optional<String> saevMetadata() {
    return Optional.of(new String(metadata.text(), StandardCharsets.UTF_8));
  }

  @Override
  public Optional<String> saevDirectory() {
    return Optional.of(folder.name()).filter(SaevMetadata::looksLikeHash);
  }

  @Override
  public boolean hasLabels() {
    return labelled;
  }

  @Override
  public PatchLabels openLabels() throws IOException {
    if (!labelled) {
      return ActivationDataset.super.openLabels();
    }
    return new LabelsFile(folder.open(LABELS), metadata.patches());
  }

  @Override
  public List<String> warnings() {
    List<String> all = new ArrayList<>(faults);
    all.addAll(warnings);
    return all;
  }

  private void placeShards(Map<String, Long> files) {
    long size = metadata.examplesPerShard();
    long count = geometry().examples();
    long implied = count == 0 ? 0 : (count - 1) / size + 1;
    if (implied > (long) files.size() + MOST_MISSING) {
      faults.add(
          "%s implies %d shards, but only %d files lie here (expected a file for each)"
              .formatted(SaevMetadata.FILE, implied, files.size()));
      return;
    }
    List<Shard> missing = new ArrayList<>();
    for (long first = 0; first < count; first += size) {
      String name = shardName(first / size);
      long bytes = files.getOrDefault(name, -1L);
      Shard shard = new Shard(name, first, Math.min(size, count - first), bytes);
      shards.add(shard);
      if (bytes < 0) {
        missing.add(shard);
      } else {
        try {
          checkLength(name, shard, bytes);
        } catch (FormatException e) {
          faults.add(e.getMessage());
        }
      }
    }
    if (missing.size() == 1) {
      Shard shard = missing.get(0);
      faults.add(
          "%s is missing (expected %d examples in it)".formatted(shard.name(), shard.examples()));
    } else if (!missing.isEmpty()) {
      faults.add(
          0,
          "%s and %d more shards are missing (expected %d for %d examples)"
              .formatted(missing.get(0).name(), missing.size() - 1, implied, count));
    }
    listed.addAll(shards);
  }

  private void checkLength(String path, Shard shard, long bytes) throws FormatException {
    long needed = shard.examples() * geometry().exampleBytes();
    FormatException.check(
        bytes >= needed,
        path,
        "has %d bytes, too short for its %d examples (expected at least %d)",
        bytes,
        shard.examples(),
        needed);
  }

  private void checkMetadata() {
    metadata.protocolWarning().ifPresent(warnings::add);
    if (!hashMatches()) {
      warnings.add(
          ("the directory is not named by the hash of its metadata, %s: it was renamed or edited, or"
                  + " its data has integer keys (readers do not check it)")
              .formatted(hash()));
    }
    List<Integer> layers = geometry().layers();
    boolean ascending = layers.equals(layers.stream().sorted().toList());
    boolean mixed = layers.stream().anyMatch(l -> l < 0) && layers.stream().anyMatch(l -> l >= 0);
    if (!ascending || mixed) {
      warnings.add(
          ("layers %s do not ascend or mix signs: the recorder stores them in the model's order, so"
                  + " the numbers may belong to another layer than the list says")
              .formatted(layers));
    }
    if (!metadata.foreignKeys().isEmpty()) {
      warnings.add(
          "%s has fields that the original readers refuse: %s"
              .formatted(SaevMetadata.FILE, SaevMetadata.oneLine(metadata.foreignKeys())));
    }
    if (metadata.generation().liesInShardsFolder() && !liesIn("saev", "shards")) {
      warnings.add(
          "does not lie in a folder saev/shards: the original readers of 2.x refuse it elsewhere");
    }
  }

  private boolean liesIn(String above, String folderName) {
    String[] parts = folder.path().split("/+");
    return parts.length > 2
        && parts[parts.length - 2].equals(folderName)
        && parts[parts.length - 3].equals(above);
  }

  private Optional<ShardInfo> readShardInfo(Map<String, Long> files) throws IOException {
    boolean there = files.containsKey(ShardInfo.FILE);
    if (!there || !metadata.generation().hasShardsJson()) {
      if (metadata.generation().needsShardsJson()) {
        warnings.add(ShardInfo.FILE + " is missing: whether the writer finished cannot be told");
      }
      return Optional.empty();
    }
    ShardInfo info =
        ShardInfo.parse(
            folder.path(ShardInfo.FILE),
            folder.readSmall(ShardInfo.FILE, LARGEST_SHARD_LIST),
            metadata.generation().countKey());
    long examples = geometry().examples();
    if (info.examples() < examples) {
      String advice =
          info.firstUnfinished(shards)
              .map(
                  shard ->
                      ": in %s, from example %d on, activations can not be told from zeros (finish the run)"
                          .formatted(shard.name(), shard.first()))
              .orElse("");
      faults.add(
          "%s counts %d examples (expected %d, as %s says): the writer did not finish%s"
              .formatted(ShardInfo.FILE, info.examples(), examples, SaevMetadata.FILE, advice));
    } else if (info.examples() > examples) {
      warnings.add(
          "%s counts %d examples, of which the first %d are read, as %s says"
              .formatted(ShardInfo.FILE, info.examples(), examples, SaevMetadata.FILE));
    } else if (!info.agreesWith(shards)) {
      warnings.add(
          "%s does not list the files that %s implies"
              .formatted(ShardInfo.FILE, SaevMetadata.FILE));
    }
    return Optional.of(info);
  }

  private void checkTrailing(SortedMap<String, Long> files, Optional<ShardInfo> info) {
    String trailing = shardName(shards.size());
    if (shards.isEmpty() && geometry().examples() > 0) {
      return;
    }
    boolean exact = geometry().examples() % metadata.examplesPerShard() == 0;
    if (exact && files.containsKey(trailing) || info.map(i -> i.lists(trailing)).orElse(false)) {
      listed.add(new Shard(trailing, geometry().examples(), 0, files.getOrDefault(trailing, -1L)));
    }
    Set<String> known = listed.stream().map(Shard::name).collect(Collectors.toSet());
    List<String> stale =
        files.keySet().stream()
            .filter(name -> name.matches("acts\\d{6,}\\.bin") && !known.contains(name))
            .toList();
    if (!stale.isEmpty()) {
      warnings.add("files of an earlier, longer run lie here and are not read: " + stale);
    }
    long full = metadata.examplesPerShard() * geometry().exampleBytes();
    Shard last = shards.isEmpty() ? null : shards.get(shards.size() - 1);
    if (last != null && last.bytes() >= 0 && last.bytes() < full) {
      warnings.add(
          "%s is shorter than a full file: the original readers map %d bytes and refuse it"
              .formatted(last.name(), full));
    }
  }

  private boolean checkLabels(SortedMap<String, Long> files) {
    long bytes = files.getOrDefault(LABELS, -1L);
    long expected = geometry().examples() * metadata.patches();
    if (bytes >= 0 && !metadata.generation().knowsLabels()) {
      warnings.add(
          "%s lies here, which the original readers of %s pass over"
              .formatted(LABELS, metadata.generation().title()));
    }
    if (bytes >= 0 && bytes != expected) {
      warnings.add(
          "%s has %d bytes and is not read (expected %d, one a patch)"
              .formatted(LABELS, bytes, expected));
    }
    return bytes == expected && bytes > 0;
  }

  private record LabelsFile(Input file, int patches) implements PatchLabels {
    @Override
    public void read(long first, ByteBuffer dst) throws IOException {
      file.readFully(first * patches, dst);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  static String shardName(long index) {
    return "acts%06d.bin".formatted(index);
  }
}
