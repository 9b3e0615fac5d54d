package org.saevhadoop.format.saev.directory;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.saev.directory.SaevFinding.Level;
import org.saevhadoop.format.saev.metadata.MetadataFaults;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevError;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.samples.Sidecar;

/**
 * Check of a SAEV directory, based on its documents and the lengths of its files. A finding is a
 * problem if values are wrong or missing or the readers of the saev project reject the directory;
 * every other finding is a warning.
 */
public final class SaevCheck {
  /**
   * Maximum number of differing entries of shards.json that are reported individually; an invalid
   * list may have any number.
   */
  private static final int MAX_DIFFERENCES = 20;

  private final Folder folder;
  private final List<FormatException> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  private SaevCheck(Folder folder) {
    this.folder = folder;
  }

  /** Checks a directory. */
  public static SaevCheck of(Folder folder) throws IOException {
    SaevCheck check = new SaevCheck(folder);
    if (!folder.files().containsKey(SaevMetadata.FILE)) {
      check.problem(
          SaevError.MISSING_FILE, SaevMetadata.FILE, "is missing (expected in every SAEV dataset)");
      return check;
    }
    try {
      check.add(SaevDirectory.read(folder));
    } catch (FormatException e) {
      check.problems.add(e);
    }
    return check;
  }

  /** Returns the problems, each with the path of its file. */
  public List<FormatException> problems() {
    return problems;
  }

  /** Returns the findings that are unusual but harmless. */
  public List<String> warnings() {
    return warnings;
  }

  private void add(SaevDirectory directory) {
    SaevMetadata metadata = directory.metadata();
    for (SaevFinding finding : directory.findings()) {
      if (finding.level() == Level.WARNING) {
        warnings.add(finding.line());
      } else if (!finding.isSummary()) {
        text(finding.file(), finding.problem());
      }
    }
    MetadataFaults.of(metadata).forEach(fault -> text(SaevMetadata.FILE, fault));
    MetadataFaults.doubts(metadata).forEach(doubt -> warnings.add(SaevMetadata.FILE + " " + doubt));
    if (metadata.patches() == 0) {
      warnings.add("contains no patches: the original ordered and shuffled loaders read nothing");
    }
    addShards(directory);
    addShardInfo(directory);
    addOrphans(directory);
    addUnknown(directory);
  }

  /** Adds missing shards, consecutive ones on one line, and shards that are too long. */
  private void addShards(SaevDirectory directory) {
    List<Shard> shards = directory.shards();
    int i = 0;
    while (i < shards.size()) {
      Shard shard = shards.get(i);
      int next = i + 1;
      if (shard.bytes() < 0) {
        while (next < shards.size() && shards.get(next).bytes() < 0) {
          next++;
        }
        Shard last = shards.get(next - 1);
        long examples = last.first() + last.examples() - shard.first();
        if (last == shard) {
          problem(
              SaevError.MISSING_FILE,
              shard.name(),
              "is missing (expected a file with %d examples)",
              examples);
        } else {
          problem(
              SaevError.MISSING_FILE,
              shard.name(),
              "is missing, as are all up to %s (expected %d examples in them)",
              last.name(),
              examples);
        }
      } else if (shard.bytes() > directory.fullBytes()) {
        warnings.add(
            Quote.sentence(
                "%s has %d bytes, but the last %d are not read",
                shard.name(), shard.bytes(), shard.bytes() - directory.fullBytes()));
      }
      i = next;
    }
  }

  private void addShardInfo(SaevDirectory directory) {
    directory.shardInfoError().ifPresent(problems::add);
    directory.shardInfo().ifPresent(info -> addEntries(directory, info));
  }

  private void addEntries(SaevDirectory directory, ShardInfo info) {
    if (!info.foreignKeys().isEmpty()) {
      problem(
          SaevError.BAD_SHARD_LIST,
          ShardInfo.FILE,
          "has keys that the original readers refuse: %s (expected name and %s)",
          SaevMetadata.oneLine(info.foreignKeys()),
          info.countKey());
    }
    Shard trailing =
        directory.listed().stream()
            .filter(shard -> shard.examples() == 0 && info.lists(shard.name()))
            .findAny()
            .orElse(null);
    List<Shard> expected = trailing != null ? directory.listed() : directory.shards();
    if (directory.isPlaced()) {
      List<String> differences = info.differences(expected);
      differences.stream().limit(MAX_DIFFERENCES).forEach(line -> text(ShardInfo.FILE, line));
      if (differences.size() > MAX_DIFFERENCES) {
        int more = differences.size() - MAX_DIFFERENCES;
        problem(SaevError.BAD_SHARD_LIST, ShardInfo.FILE, "differs in %d more entries", more);
      }
    }
    // The readers of 2.x check that each listed file exists and is not empty.
    boolean checksListedFiles = directory.metadata().generation().liesInShardsFolder();
    if (trailing != null && checksListedFiles && trailing.bytes() <= 0) {
      problem(
          SaevError.BAD_SHARD_LIST,
          trailing.name(),
          "%s, but %s lists it (expected a file, or no entry)",
          trailing.bytes() < 0 ? "is missing" : "is empty",
          ShardInfo.FILE);
    }
  }

  /** Adds data files that do not belong to the dataset and sidecars without a data file. */
  private void addOrphans(SaevDirectory directory) {
    Set<String> listed = directory.listed().stream().map(Shard::name).collect(Collectors.toSet());
    for (String name : directory.files().keySet()) {
      if (isDataFile(name) && directory.isPlaced() && !listed.contains(name)) {
        problem(
            SaevError.ORPHAN_FILE,
            name,
            "belongs to no shard of the dataset (expected %d shards, as in %s)",
            directory.shards().size(),
            SaevMetadata.FILE);
      }
    }
    Set<String> sidecars = sidecars(directory);
    for (String name : directory.files().keySet()) {
      if (name.endsWith(Sidecar.SUFFIX) && directory.isPlaced() && !sidecars.contains(name)) {
        problem(
            SaevError.ORPHAN_FILE,
            name,
            "contains sample metadata of a data file that does not exist");
      }
    }
  }

  private void addUnknown(SaevDirectory directory) {
    List<String> unknown =
        directory.files().keySet().stream()
            .filter(name -> !isKnown(name, directory.metadata().generation()))
            .toList();
    if (!unknown.isEmpty()) {
      warnings.add(
          "has files that no reader of the format knows: " + SaevMetadata.oneLine(unknown));
    }
  }

  private static boolean isKnown(String name, ProtocolGeneration generation) {
    return isDataFile(name)
        || name.endsWith(Sidecar.SUFFIX)
        || name.equals(SaevMetadata.FILE)
        || name.equals(SaevDataset.LABELS)
        || name.equals(ShardInfo.FILE) && generation.hasShardsJson()
        // Markers and checksums of Hadoop, and .copy_complete of saev.
        || name.startsWith("_")
        || name.startsWith(".");
  }

  private static Set<String> sidecars(SaevDirectory directory) {
    return Stream.concat(
            directory.listed().stream().map(Shard::name),
            directory.files().keySet().stream().filter(SaevCheck::isDataFile))
        .map(Sidecar::name)
        .collect(Collectors.toSet());
  }

  private static boolean isDataFile(String name) {
    return name.startsWith("acts") && name.endsWith(".bin");
  }

  @FormatMethod
  private void problem(SaevError kind, String file, @FormatString String template, Object... args) {
    problems.add(kind.in(path(file), template, args));
  }

  private void text(String file, String problem) {
    problems.add(kind(file).of(path(file), null, problem, null));
  }

  private static SaevError kind(String file) {
    return switch (file) {
      case SaevMetadata.FILE -> SaevError.BAD_METADATA;
      case ShardInfo.FILE -> SaevError.BAD_SHARD_LIST;
      case SaevDataset.LABELS -> SaevError.BAD_LABELS;
      default -> SaevError.BAD_SHARD;
    };
  }

  private String path(String file) {
    return file.isEmpty() ? folder.path() : folder.path(file);
  }
}
