package org.saevhadoop.format.saev.directory;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.ToLongBiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.saev.directory.SaevFinding.Level;
import org.saevhadoop.format.saev.metadata.MetadataFaults;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/**
 * Files of a SAEV directory compared with its metadata.json: the locations of the shards, and the
 * findings. A dataset and a check present the same findings differently.
 */
final class SaevDirectory {
  /** Limits for reading shards.json, which allow 400,000 files. */
  private static final JsonLimits SHARD_LIST_LIMITS =
      new JsonLimits(32 << 20, 2_000_000, 1 << 20, 1000);

  /**
   * Maximum number of missing shards that are listed individually; metadata can claim billions of
   * them.
   */
  private static final int MAX_MISSING = 10_000;

  static final Pattern DATA_FILE = Pattern.compile("acts\\d{6,}\\.bin");

  private final Folder folder;
  private final SaevMetadata metadata;
  private final SortedMap<String, Long> files;
  private final List<Shard> shards = new ArrayList<>();
  private final List<Shard> listed = new ArrayList<>();
  private final List<SaevFinding> findings = new ArrayList<>();
  private Optional<ShardInfo> shardInfo = Optional.empty();
  private Optional<FormatException> shardInfoError = Optional.empty();

  private SaevDirectory(Folder folder, boolean listed) throws IOException {
    this.folder = folder;
    this.metadata =
        SaevMetadata.parse(
            folder.path(SaevMetadata.FILE), SaevMetadata.LIMITS.read(folder, SaevMetadata.FILE));
    this.files = listed ? folder.files() : Collections.emptySortedMap();
  }

  /**
   * Reads the documents of a directory.
   *
   * @throws FormatException if metadata.json is invalid; other problems are findings or errors that
   *     are available on request
   */
  static SaevDirectory read(Folder folder) throws IOException {
    SaevDirectory directory = new SaevDirectory(folder, true);
    directory.placeShards();
    directory.checkMetadata();
    directory.checkPlace();
    directory.readShardInfo();
    directory.findListed();
    directory.checkTail();
    directory.checkLabels();
    return directory;
  }

  /**
   * Reads only the metadata.json of a directory that was checked before: shards are assumed to have
   * their expected lengths, and there are no findings.
   */
  static SaevDirectory readChecked(Folder folder) throws IOException {
    SaevDirectory directory = new SaevDirectory(folder, false);
    directory.addShards((name, examples) -> examples * directory.geometry().exampleBytes());
    return directory;
  }

  SaevMetadata metadata() {
    return metadata;
  }

  /** Returns the lengths of the files, by name. */
  SortedMap<String, Long> files() {
    return files;
  }

  /** Returns the shards that contain examples, with a length of -1 bytes if the file is missing. */
  List<Shard> shards() {
    return shards;
  }

  /**
   * Returns the shards including the empty one that the writer of the saev project leaves behind.
   */
  List<Shard> listed() {
    return listed;
  }

  /** Returns the findings in the order in which they were made. */
  List<SaevFinding> findings() {
    return findings;
  }

  /** Returns the content of shards.json, or empty if the file is missing, unexpected or invalid. */
  Optional<ShardInfo> shardInfo() {
    return shardInfo;
  }

  /** Returns the error if shards.json cannot be read. */
  Optional<FormatException> shardInfoError() {
    return shardInfoError;
  }

  /** Returns the length in bytes of a file with the maximum number of examples. */
  long fullBytes() {
    return metadata.examplesPerShard() * geometry().exampleBytes();
  }

  /** Returns the length of labels.bin in bytes: one byte per patch. */
  long labelBytes() {
    return geometry().examples() * metadata.patches();
  }

  /** Returns whether labels.bin exists and has the expected length. */
  boolean isLabelled() {
    return metadata.patches() > 0 && files.getOrDefault(SaevDataset.LABELS, -1L) == labelBytes();
  }

  private Geometry geometry() {
    return metadata.geometry();
  }

  /**
   * Adds the shards that metadata.json implies.
   *
   * @param bytes returns the length of a file, given its name and the number of its examples
   */
  private void addShards(ToLongBiFunction<String, Long> bytes) {
    long size = metadata.examplesPerShard();
    long count = geometry().examples();
    for (long first = 0; first < count; first += size) {
      long examples = Math.min(size, count - first);
      String name = SaevDataset.shardName(first / size);
      shards.add(new Shard(name, first, examples, bytes.applyAsLong(name, examples)));
    }
  }

  private void placeShards() {
    long size = metadata.examplesPerShard();
    long count = geometry().examples();
    long implied = count == 0 ? 0 : (count - 1) / size + 1;
    if (implied > (long) files.size() + MAX_MISSING) {
      add(
          Level.FAULT,
          SaevMetadata.FILE,
          "implies %d shards, but only %d files exist (expected a file for each)",
          implied,
          files.size());
      return;
    }
    List<Shard> missing = new ArrayList<>();
    addShards((name, examples) -> files.getOrDefault(name, -1L));
    for (Shard shard : shards) {
      String name = shard.name();
      if (shard.bytes() < 0) {
        missing.add(shard);
      } else {
        shortage(metadata, shard, shard.bytes())
            .map(text -> new SaevFinding(Level.FAULT, name, text, name + ": " + text, false))
            .ifPresent(findings::add);
      }
    }
    summarize(missing, implied);
    listed.addAll(shards);
  }

  private void summarize(List<Shard> missing, long implied) {
    if (missing.size() == 1) {
      Shard shard = missing.get(0);
      String problem =
          Quote.sentence("is missing (expected a file with %d examples)", shard.examples());
      findings.add(SaevFinding.missing(shard.name(), problem));
    } else if (!missing.isEmpty()) {
      String problem =
          Quote.sentence(
              "is missing, as are %d more shards (expected %d for %d examples)",
              missing.size() - 1, implied, geometry().examples());
      findings.add(0, SaevFinding.missing(missing.get(0).name(), problem));
    }
  }

  /**
   * Returns the problem with the length of a shard's file, or empty if the file contains all
   * examples of the shard.
   */
  static Optional<String> shortage(SaevMetadata metadata, Shard shard, long bytes) {
    long needed = shard.examples() * metadata.geometry().exampleBytes();
    return bytes >= needed
        ? Optional.empty()
        : Optional.of(
            Quote.sentence(
                "has %d bytes, too short for its %d examples (expected at least %d)",
                bytes, shard.examples(), needed));
  }

  private void checkMetadata() {
    Level protocol = MetadataFaults.isProtocolRefused(metadata) ? Level.PROBLEM : Level.WARNING;
    metadata.protocolWarning().ifPresent(line -> addLine(protocol, SaevMetadata.FILE, line));
    String hash = metadata.hash(folder.name());
    if (!folder.name().equals(hash)) {
      addLine(
          Level.WARNING,
          "",
          "the directory is not named by the hash of its metadata, %s: it was renamed or edited, or its data has integer keys (readers do not check it)"
              .formatted(hash));
    }
    List<Integer> layers = geometry().layers();
    boolean ascending = layers.equals(layers.stream().sorted().toList());
    boolean mixed = layers.stream().anyMatch(l -> l < 0) && layers.stream().anyMatch(l -> l >= 0);
    if (!ascending || mixed) {
      addLine(
          Level.WARNING,
          SaevMetadata.FILE,
          ("layers %s do not ascend or mix signs: the recorder stores them in the model's order,"
                  + " so the numbers may belong to a layer other than the one listed")
              .formatted(layers));
    }
    if (!metadata.foreignKeys().isEmpty()) {
      add(
          Level.PROBLEM,
          SaevMetadata.FILE,
          "has fields that the original readers refuse: %s",
          SaevMetadata.oneLine(metadata.foreignKeys()));
    }
  }

  private void checkPlace() {
    String[] parts = folder.path().split("/+");
    boolean inShards =
        parts.length > 2
            && parts[parts.length - 2].equals("shards")
            && parts[parts.length - 3].equals("saev");
    if (metadata.generation().liesInShardsFolder() && !inShards) {
      addLine(
          Level.WARNING,
          "",
          "is not in a folder saev/shards: the original readers of 2.x refuse it elsewhere");
    }
  }

  private void readShardInfo() throws IOException {
    boolean there = files.containsKey(ShardInfo.FILE);
    if (!there || !metadata.generation().hasShardsJson()) {
      if (metadata.generation().needsShardsJson()) {
        add(
            Level.PROBLEM,
            ShardInfo.FILE,
            "is missing, so it is unknown whether the writer finished");
      }
      return;
    }
    try {
      byte[] text = SHARD_LIST_LIMITS.read(folder, ShardInfo.FILE);
      String path = folder.path(ShardInfo.FILE);
      shardInfo = Optional.of(ShardInfo.parse(path, text, metadata.generation().countKey()));
    } catch (FormatException e) {
      shardInfoError = Optional.of(e);
    }
    shardInfo.ifPresent(this::checkCounts);
  }

  private void checkCounts(ShardInfo info) {
    long examples = geometry().examples();
    if (info.examples() < examples) {
      String advice =
          info.firstUnfinished(shards)
              .map(
                  shard ->
                      ": in %s, from example %d on, activations cannot be distinguished from zero padding (finish the run)"
                          .formatted(shard.name(), shard.first()))
              .orElse("");
      add(
          Level.FAULT,
          ShardInfo.FILE,
          "counts %d examples (expected %d, as in %s): the writer did not finish%s",
          info.examples(),
          examples,
          SaevMetadata.FILE,
          advice);
    } else if (info.examples() > examples) {
      add(
          Level.PROBLEM,
          ShardInfo.FILE,
          "counts %d examples, but only the first %d are read, as in %s",
          info.examples(),
          examples,
          SaevMetadata.FILE);
    } else if (!info.agreesWith(shards)) {
      String line =
          "%s does not list the files that %s implies".formatted(ShardInfo.FILE, SaevMetadata.FILE);
      findings.add(SaevFinding.summary(Level.PROBLEM, line));
    }
  }

  /**
   * Returns whether the shards are known; metadata.json can imply more shards than can be listed.
   */
  boolean isPlaced() {
    return !shards.isEmpty() || geometry().examples() == 0;
  }

  private void findListed() {
    if (!isPlaced()) {
      return;
    }
    String trailing = SaevDataset.shardName(shards.size());
    boolean exact = geometry().examples() % metadata.examplesPerShard() == 0;
    if (exact && files.containsKey(trailing)
        || shardInfo.map(info -> info.lists(trailing)).orElse(false)) {
      listed.add(new Shard(trailing, geometry().examples(), 0, files.getOrDefault(trailing, -1L)));
    }
    Set<String> known = listed.stream().map(Shard::name).collect(Collectors.toSet());
    List<String> stale =
        files.keySet().stream()
            .filter(name -> DATA_FILE.matcher(name).matches() && !known.contains(name))
            .toList();
    if (!stale.isEmpty()) {
      String line = "has files of an earlier, longer run, which are not read: " + stale;
      findings.add(SaevFinding.summary(Level.PROBLEM, line));
    }
  }

  private void checkTail() {
    Shard last = shards.isEmpty() ? null : shards.get(shards.size() - 1);
    if (last != null
        && last.bytes() < fullBytes()
        && shortage(metadata, last, last.bytes()).isEmpty()) {
      add(
          Level.PROBLEM,
          last.name(),
          "has %d bytes, fewer than the %d that the original readers map (expected a full file:"
              + " convert the dataset again, with --tail full)",
          last.bytes(),
          fullBytes());
    }
  }

  private void checkLabels() throws IOException {
    checkLabelsAreAFile();
    long bytes = files.getOrDefault(SaevDataset.LABELS, -1L);
    if (bytes >= 0 && !metadata.generation().knowsLabels()) {
      add(
          Level.WARNING,
          SaevDataset.LABELS,
          "is present, but the original readers of %s ignore it",
          metadata.generation().title());
    }
    if (bytes >= 0 && bytes != labelBytes()) {
      // The first writers of 2.0 left a file with room for a [CLS] token that could not be filled.
      boolean byTheWriter =
          metadata.generation() == ProtocolGeneration.V2_0_EX
              && bytes == geometry().examples() * geometry().tokens();
      add(
          byTheWriter ? Level.WARNING : Level.PROBLEM,
          SaevDataset.LABELS,
          "has %d bytes and is not read (expected %d, one per patch)",
          bytes,
          labelBytes());
    }
  }

  /**
   * Checks that labels.bin is a regular file, if it exists in any form: unreadable labels must not
   * be mistaken for absent labels.
   */
  private void checkLabelsAreAFile() throws IOException {
    if (files.getOrDefault(SaevDataset.LABELS, -1L) == 0) {
      folder.open(SaevDataset.LABELS).close(); // fails for a pipe or a broken link
    }
    FileError.NOT_A_FILE.check(
        folder.folder(SaevDataset.LABELS).isEmpty(),
        folder.path(SaevDataset.LABELS),
        "is not a regular file");
  }

  @FormatMethod
  private void add(Level level, String file, @FormatString String problem, Object... args) {
    String text = Quote.sentence(problem, args);
    findings.add(new SaevFinding(level, file, text, file + " " + text, false));
  }

  /**
   * Adds a finding with a self-contained message about a file or, if the file name is empty, about
   * the directory.
   */
  private void addLine(Level level, String file, String line) {
    findings.add(new SaevFinding(level, file, line, line, false));
  }
}
