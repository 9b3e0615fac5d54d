package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.sdnb.SdnbFile;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.ZipArchive;
import org.saevhadoop.format.zip.ZipError;

/**
 * Finds the SDNB files of the container at a location. The real loader opens shards if any exist,
 * even next to a single file of the same base name, and ignores missing shards; here, both cases
 * are errors.
 */
public final class ContainerFiles {
  public static final String SDZ_SUFFIX = ".sdz";

  private static final int MAX_SHOWN = 3;

  private ContainerFiles() {}

  /** Returns whether a file name has the suffix of SDNB or SDZ files. */
  public static boolean isNamed(String file) {
    return file.endsWith(ShardName.SUFFIX) || file.endsWith(SDZ_SUFFIX);
  }

  /** Returns whether a container consists of more than one plain SDNB file, or may do so. */
  static boolean isSeveral(Folder folder, String file) throws IOException {
    return ShardName.isShard(file) || magic(folder, file) == FileMagic.ZIP;
  }

  /** Returns the kind of a file according to its first bytes. */
  public static FileMagic magic(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file)) {
      ByteBuffer first = ByteBuffer.allocate((int) Math.min(FileMagic.BYTES, in.length()));
      in.readFully(0, first);
      return FileMagic.of(first.flip());
    }
  }

  /**
   * Returns whether a ZIP file is an SDZ file: it has SDNB entries, or is damaged and begins with
   * an SDNB entry.
   */
  public static boolean isSdz(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file)) {
      return !inZip(in, file).isEmpty();
    } catch (FormatException e) {
      return e.kind() instanceof ZipError
          ? SdzFile.beginsWithModel(folder, file)
          : e.kind() != ContainerError.NO_CONTAINER;
    }
  }

  /**
   * Returns the SDNB files of a container; if there are several, the first one is the graph.
   *
   * @throws FormatException if the location does not have exactly one container, or a shard is
   *     missing
   */
  static List<ContainerPart> find(Location location) throws IOException {
    SortedMap<String, Long> files = location.folder().files();
    if (!location.isFile()) {
      return inFolder(location.folder(), files);
    }
    String file = location.file();
    FileMagic magic = magic(location.folder(), file);
    ContainerError.NO_CONTAINER.check(
        magic != FileMagic.OTHER,
        location.path(),
        "is neither SDNB nor ZIP, at byte 0 (expected a SameDiff container)");
    if (magic == FileMagic.ZIP) {
      return inZip(location.folder(), file);
    }
    return ShardName.isShard(file)
        ? shards(location.folder(), files, ShardName.parse(file).get().base())
        : single(location.folder(), files, file);
  }

  private static List<ContainerPart> inFolder(Folder folder, SortedMap<String, Long> files)
      throws IOException {
    SortedSet<String> bases = new TreeSet<>();
    SortedSet<String> singles = new TreeSet<>();
    for (String file : files.keySet()) {
      ShardName.parse(file)
          .ifPresentOrElse(
              shard -> bases.add(shard.base()),
              () -> {
                if (isNamed(file)) {
                  singles.add(file);
                }
              });
    }
    if (singles.size() == 1) {
      checkNotStale(folder, files, singles.first());
    }
    List<String> found = new ArrayList<>(singles);
    bases.forEach(base -> found.add(base + ".shard*" + ShardName.SUFFIX));
    ContainerError.NO_CONTAINER.check(
        !found.isEmpty(), folder.path(), "contains no container (expected *.sdnb or *.sdz)");
    ContainerError.AMBIGUOUS_FILES.check(
        found.size() == 1,
        folder.path(),
        "contains %d containers, %s (expected one, or the path of one)",
        found.size(),
        show(found));
    if (!bases.isEmpty()) {
      return shards(folder, files, bases.first());
    }
    return singles.first().endsWith(SDZ_SUFFIX)
        ? inZip(folder, singles.first())
        : single(folder, files, singles.first());
  }

  private static List<ContainerPart> single(
      Folder folder, SortedMap<String, Long> files, String file) throws FormatException {
    checkNotStale(folder, files, file);
    long bytes = Objects.requireNonNull(files.get(file), file);
    return List.of(new ContainerPart(file, file, 0, bytes, null));
  }

  private static void checkNotStale(Folder folder, SortedMap<String, Long> files, String file)
      throws FormatException {
    String base = ShardName.baseOf(file);
    List<String> shards =
        files.keySet().stream()
            .filter(
                name ->
                    ShardName.parse(name).filter(shard -> shard.base().equals(base)).isPresent())
            .toList();
    ContainerError.STALE_SHARDS.check(
        shards.isEmpty() || file.endsWith(SDZ_SUFFIX),
        folder.path(file),
        "is next to shards with the same base name, %s, which SameDiff would open instead (expected"
            + " one or the other; delete the stale files)",
        show(shards));
  }

  private static List<ContainerPart> shards(
      Folder folder, SortedMap<String, Long> files, String base) throws FormatException {
    if (files.containsKey(base + ShardName.SUFFIX)) {
      checkNotStale(folder, files, base + ShardName.SUFFIX);
    }
    List<ContainerPart> parts = new ArrayList<>();
    files.forEach(
        (file, bytes) ->
            ShardName.parse(file)
                .filter(shard -> shard.base().equals(base))
                .ifPresent(shard -> parts.add(new ContainerPart(file, file, 0, bytes, null))));
    return complete(folder.path(), folder::path, parts);
  }

  /**
   * Returns the shards in their order.
   *
   * @param pathOf a function that returns the path by which errors name a shard
   * @param found the files that have shard names with the same base name
   * @throws FormatException if the names contain different counts, or a shard is missing
   */
  private static List<ContainerPart> complete(
      String path, UnaryOperator<String> pathOf, List<ContainerPart> found) throws FormatException {
    SortedSet<Integer> counts = new TreeSet<>();
    SortedMap<Integer, ContainerPart> parts = new TreeMap<>();
    for (ContainerPart part : found) {
      ShardName name = ShardName.parse(part.name()).orElseThrow();
      counts.add(name.count());
      if (ShardName.isShard(part.name())) {
        parts.put(name.index(), part);
      }
    }
    ContainerError.SHARDS_DISAGREE.check(
        counts.size() == 1,
        path,
        "has shards of containers with different numbers of shards, %s (expected one number; delete"
            + " the stale shards)",
        counts);
    int count = counts.first();
    String base = ShardName.parse(found.get(0).name()).orElseThrow().base();
    List<String> missing =
        IntStream.range(0, count)
            .filter(index -> !parts.containsKey(index))
            .limit(MAX_SHOWN + 1L)
            .mapToObj(index -> new ShardName(base, index, count).toString())
            .toList();
    ContainerError.MISSING_SHARD.check(
        missing.isEmpty(),
        missing.isEmpty() ? path : pathOf.apply(missing.get(0)),
        "the container lacks %s (expected all %d)",
        show(missing),
        count);
    ContainerError.SHARDS_DISAGREE.check(
        count > 0 && parts.size() == count,
        path,
        "has %d shards (expected %d, as in their names)",
        parts.size(),
        Math.max(1, count));
    return List.copyOf(parts.values());
  }

  private static List<ContainerPart> inZip(Folder folder, String file) throws IOException {
    try (Input in = folder.open(file)) {
      return inZip(in, file);
    }
  }

  /**
   * Returns the SDNB entries of an SDZ file; if there are several, the first one is the graph.
   *
   * @param in the open file
   * @param file the name of the file
   */
  static List<ContainerPart> inZip(Input in, String file) throws IOException {
    List<ContainerPart> found = new ArrayList<>();
    ZipArchive zip = SdzFile.open(in); // closing it would close the file of the caller
    for (ArchiveEntry entry : SdzFile.models(zip)) {
      if (isSdnb(in, zip, entry)) {
        long offset = entry.stored() ? entry.dataOffset() : 0;
        found.add(new ContainerPart(entry.name(), file, offset, entry.size(), entry));
      }
    }
    String path = in.path();
    ContainerError.NO_CONTAINER.check(
        !found.isEmpty(), path, "has no SDNB entry (expected model.sdnb, model or its shards)");
    if (found.size() == 1) {
      return found;
    }
    Set<Optional<String>> bases =
        found.stream()
            .map(part -> ShardName.parse(part.name()).map(ShardName::base))
            .collect(Collectors.toSet());
    ContainerError.AMBIGUOUS_FILES.check(
        bases.size() == 1 && !bases.contains(Optional.<String>empty()),
        path,
        "has %d SDNB entries, %s (expected one, or shards of one base name)",
        found.size(),
        show(found.stream().map(ContainerPart::name).toList()));
    return complete(path, name -> path, found);
  }

  private static boolean isSdnb(Input file, ZipArchive zip, ArchiveEntry entry) throws IOException {
    if (entry.size() < SdnbFile.MAGIC_BYTES) {
      return false;
    }
    ByteBuffer first = ByteBuffer.allocate(SdnbFile.MAGIC_BYTES);
    if (entry.stored()) {
      file.readFully(entry.dataOffset(), first);
    } else {
      try (ByteSource bytes = zip.read(entry)) {
        while (first.hasRemaining() && bytes.read(first) >= 0) {
          // until the buffer has four bytes
        }
      }
    }
    return SdnbFile.isAt(first.flip());
  }

  private static String show(List<String> names) {
    String some =
        names.stream()
            .limit(MAX_SHOWN)
            .map(name -> Quote.show(name))
            .collect(Collectors.joining(", "));
    return names.size() > MAX_SHOWN ? some + ", ..." : some;
  }
}
