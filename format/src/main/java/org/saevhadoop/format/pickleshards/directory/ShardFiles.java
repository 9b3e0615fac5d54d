package org.saevhadoop.format.pickleshards.directory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.dataset.NaturalOrder;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.pickle.value.PickleError;

/**
 * The data files of a dataset: {@code shard_*.pkl} and {@code shard_*.pkl.gz} in its directory and
 * in subdirectories such as {@code host_00} or {@code src/pair_01}. Directories and shards are in
 * natural order, and the shards of a directory precede its subdirectories. Other pickles do not
 * belong to the dataset: the real project has {@code grid_chunks_<hash>.pkl.gz} next to its host
 * directories.
 *
 * @param directories the directories with their shards; a directory without shards has a
 *     metadata.json
 */
public record ShardFiles(List<ShardDirectory> directories) {
  /** Maximum depth of subdirectories; deeper ones are ignored. */
  static final int MAX_LEVELS = 4;

  static final int MAX_DIRECTORIES = 10_000;

  /** Maximum number of directories that are searched for the first shard. */
  private static final int MAX_SEARCHED = 1000;

  /** Maximum number of shards in a part, all of which are open at once. */
  private static final int MAX_PART_SHARDS = 100;

  /** Maximum size of a part of several shards: creating its files costs more than reading it. */
  private static final long MAX_PART_BYTES = 1 << 20;

  /** Maximum number of shards in a dataset. */
  public static final int MAX_SHARDS = 200_000;

  private static final Pattern SHARD = Pattern.compile("(shard_.*)\\.pkl(?:\\.gz)?");
  private static final Pattern NUMBERED = Pattern.compile("shard_(\\d{1,18})\\.pkl(?:\\.gz)?");

  private static final Pattern HOST = Pattern.compile("(.*host_)(\\d{1,9})");

  private static final Comparator<ShardFile> BY_NAME =
      Comparator.comparing(ShardFile::name, NaturalOrder.OF_NAMES);

  /**
   * Returns the shards at a location: all shards of a folder, or one file.
   *
   * @throws FormatException for the same reasons as {@link #of}
   */
  public static ShardFiles at(Location location) throws IOException {
    return location.isFile() ? ofFile(location.folder(), location.file()) : of(location.folder());
  }

  /**
   * Lists the files without opening any.
   *
   * @throws FormatException if there are no shards, ambiguous names or too many files
   */
  public static ShardFiles of(Folder folder) throws IOException {
    Walk walk = new Walk(folder.path());
    walk.enter(folder, "", 0);
    List<ShardDirectory> found = walk.found;
    ShardError.NO_SHARDS.check(
        !found.isEmpty(), folder.path(), "has no shards (expected shard_*.pkl or shard_*.pkl.gz)");
    return new ShardFiles(List.copyOf(found));
  }

  /** Returns whether a file is named like a shard. */
  public static boolean isShard(String name) {
    return name.startsWith("shard_") && SHARD.matcher(name).matches();
  }

  /**
   * Returns whether the folder of a location or its subdirectories contain shards. Because the
   * directory may contain anything, the search ends at the first shard or after {@link
   * #MAX_SEARCHED} directories, and ignores subdirectories that cannot be read.
   */
  public static boolean areIn(Location location) throws IOException {
    List<Folder> level = List.of(location.folder());
    int searched = 0;
    for (int depth = 0; depth <= MAX_LEVELS; depth++) {
      List<Folder> next = new ArrayList<>();
      for (Folder directory : level) {
        if (searched++ == MAX_SEARCHED) {
          return false;
        }
        try {
          Folder.Listing listing = depth == 0 ? location.listing() : directory.list();
          if (listing.files().keySet().stream().anyMatch(ShardFiles::isShard)) {
            return true;
          }
          if (depth < MAX_LEVELS) {
            next.addAll(below(directory, listing.folders(), MAX_SEARCHED - next.size()));
          }
        } catch (IOException e) {
          if (depth == 0) {
            throw e;
          }
        }
      }
      level = next;
    }
    return false;
  }

  private static List<Folder> below(Folder directory, Set<String> names, int most)
      throws IOException {
    List<Folder> folders = new ArrayList<>();
    for (String name : names) {
      if (folders.size() < most && isVisible(name)) {
        directory.folder(name).ifPresent(folders::add);
      }
    }
    return folders;
  }

  /** As in Hadoop, hidden and temporary directories are not data. */
  private static boolean isVisible(String name) {
    return !name.startsWith(".") && !name.startsWith("_");
  }

  /** Returns a single file, which may have any name. A metadata.json next to it is ignored. */
  public static ShardFiles ofFile(Folder folder, String name) throws IOException {
    Long bytes = folder.files().get(name);
    if (bytes == null) {
      throw ShardError.NOT_FOUND.in(folder.path(name), "no such file");
    }
    ShardFile shard = new ShardFile(folder, "", name, bytes);
    return new ShardFiles(List.of(new ShardDirectory(folder, "", false, List.of(shard))));
  }

  /** Returns all shards in order. */
  public List<ShardFile> shards() {
    return directories.stream().flatMap(directory -> directory.shards().stream()).toList();
  }

  /**
   * Returns the shards that are unpacked together: a large shard, consecutive small shards of a
   * directory, or a pair from {@code host_2k} and {@code host_2k+1} with the halves of the same
   * vectors.
   *
   * @throws FormatException if halves are joined and a shard has no counterpart
   */
  public List<List<ShardFile>> parts(boolean joinHalves) throws FormatException {
    if (joinHalves) {
      return pairs();
    }
    List<List<ShardFile>> parts = new ArrayList<>();
    for (ShardDirectory directory : directories) {
      List<ShardFile> part = new ArrayList<>();
      long bytes = 0;
      for (ShardFile shard : directory.shards()) {
        boolean isFull = part.size() == MAX_PART_SHARDS || bytes + shard.bytes() > MAX_PART_BYTES;
        if (isFull && !part.isEmpty()) {
          parts.add(List.copyOf(part));
          part.clear();
          bytes = 0;
        }
        part.add(shard);
        bytes += shard.bytes();
      }
      if (!part.isEmpty()) {
        parts.add(List.copyOf(part));
      }
    }
    return parts;
  }

  private List<List<ShardFile>> pairs() throws FormatException {
    Map<String, ShardFile> byPath = new HashMap<>();
    shards().forEach(shard -> byPath.put(shard.relativePath(), shard));
    List<List<ShardFile>> pairs = new ArrayList<>();
    for (ShardFile shard : shards()) {
      Matcher matcher = HOST.matcher(shard.directory());
      ShardError.UNPAIRED_HALF.check(
          matcher.matches(),
          shard.path(),
          "is not a half: its directory is not named for a host (expected host_<n>)");
      int host = Integer.parseInt(matcher.group(2));
      String digits = "%0" + matcher.group(2).length() + "d";
      String path = matcher.group(1) + digits.formatted(host ^ 1) + "/" + shard.name();
      ShardFile counterpart = byPath.get(path);
      ShardError.UNPAIRED_HALF.check(
          counterpart != null,
          shard.path(),
          "is a half, and the other half is missing (expected %s)",
          path);
      if (host % 2 == 0) {
        pairs.add(List.of(shard, counterpart));
      }
    }
    return pairs;
  }

  /** Returns the number in the name of a shard; -1 if the name has no number. */
  static long number(String name) {
    Matcher matcher = NUMBERED.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }

  private static final class Walk {
    private final String path;
    private final List<ShardDirectory> found = new ArrayList<>();
    private int directories;
    private int shards;

    Walk(String path) {
      this.path = path;
    }

    void enter(Folder folder, String below, int level) throws IOException {
      directories++;
      PickleError.LIMIT_EXCEEDED.check(
          directories <= MAX_DIRECTORIES,
          path,
          "has too many directories (expected at most %d)",
          MAX_DIRECTORIES);
      Folder.Listing listing = folder.list();
      SortedMap<String, Long> files = listing.files();
      List<ShardFile> own = shards(folder, below, files);
      boolean hasManifest = files.containsKey(ActivationManifest.FILE);
      if (hasManifest || !own.isEmpty()) {
        found.add(new ShardDirectory(folder, below, hasManifest, own));
      }
      if (level == MAX_LEVELS) {
        return;
      }
      List<String> names = new ArrayList<>(listing.folders());
      names.sort(NaturalOrder.OF_NAMES);
      for (String name : names) {
        if (isVisible(name)) {
          Folder inner = folder.folder(name).orElseThrow(() -> gone(folder, name));
          enter(inner, below.isEmpty() ? name : below + "/" + name, level + 1);
        }
      }
    }

    private List<ShardFile> shards(Folder folder, String below, SortedMap<String, Long> files)
        throws IOException {
      List<ShardFile> own = new ArrayList<>();
      Map<String, String> names = new HashMap<>();
      for (Map.Entry<String, Long> file : files.entrySet()) {
        String name = file.getKey();
        Matcher matcher = SHARD.matcher(name);
        if (matcher.matches()) {
          long number = number(name);
          String same = names.put(number < 0 ? matcher.group(1) : "" + number, name);
          ShardError.AMBIGUOUS_SHARD.check(
              same == null,
              folder.path(name),
              "exists next to %s (expected only one of the two)",
              same);
          own.add(new ShardFile(folder, below, name, file.getValue()));
        }
      }
      shards += own.size();
      PickleError.LIMIT_EXCEEDED.check(
          shards <= MAX_SHARDS, path, "has too many shards (expected at most %d)", MAX_SHARDS);
      own.sort(BY_NAME);
      return List.copyOf(own);
    }

    private static FormatException gone(Folder folder, String name) {
      return ShardError.CHANGED.in(folder.path(name), "no longer exists (expected a directory)");
    }
  }
}
