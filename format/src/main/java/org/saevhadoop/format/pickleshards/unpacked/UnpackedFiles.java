package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.pickleshards.directory.ShardError;

/**
 * All files of an unpacked dataset as one address space: any opened file gives access to all the
 * others, because the layers of a sample may be in different shards.
 *
 * @param shards the paths of the shards relative to that folder
 * @param parts for each shard, the index of the part to which it belongs
 */
record UnpackedFiles(Folder unpacked, Folder source, List<String> shards, List<Integer> parts)
    implements Folder {
  static final int OFFSET_BITS = 42;

  private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

  /** Offset of a block that was not kept; it is greater than every offset in a file. */
  private static final long DROPPED_OFFSET = 3L << OFFSET_BITS - 2;

  /** Maximum number of shards that an address can represent. */
  static final int MAX_SHARDS = 1 << 20;

  /**
   * Returns the files of unpacked parts.
   *
   * @param parts the paths of the shards of each part
   */
  static UnpackedFiles of(Folder unpacked, Folder source, List<List<String>> parts) {
    List<String> shards = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      shards.addAll(parts.get(i));
      numbers.addAll(Collections.nCopies(parts.get(i).size(), i));
    }
    return new UnpackedFiles(unpacked, source, List.copyOf(shards), List.copyOf(numbers));
  }

  /** Returns the address of a location in a {@link ShardCatalogue}. */
  static long address(String path, int shard, long location) throws FormatException {
    boolean dropped = location == ShardCatalogue.DROPPED;
    boolean inSource = !dropped && location >= ShardCatalogue.IN_SOURCE;
    long offset = inSource ? location ^ ShardCatalogue.IN_SOURCE : location;
    ShardError.TOO_LARGE.check(
        offset < DROPPED_OFFSET && shard < MAX_SHARDS,
        path,
        "shard %d, byte %d cannot be addressed (expected less than %d shards of less than 3 TiB)",
        shard,
        offset,
        MAX_SHARDS);
    return ((long) shard * 2 + (inSource ? 1 : 0)) << OFFSET_BITS
        | (dropped ? DROPPED_OFFSET : offset);
  }

  static int shard(long address) {
    return (int) (address >>> OFFSET_BITS) / 2;
  }

  /** Returns whether an address is in the shard itself rather than in its spool. */
  static boolean isInSource(long address) {
    return (address >>> OFFSET_BITS) % 2 == 1;
  }

  /**
   * Returns the path of the folder of the shards, or of the only shard, for messages: the spools no
   * longer exist when the user reads a message.
   */
  @Override
  public String path() {
    return shards.size() == 1 ? source.path(shards.get(0)) : source.path();
  }

  @Override
  public String path(String name) {
    return unpacked.path(name);
  }

  @Override
  public SortedMap<String, Long> files() throws IOException {
    return unpacked.files();
  }

  @Override
  public Optional<Folder> folder(String name) {
    return Optional.empty();
  }

  @Override
  public Input open(String name) {
    return new All(path(name));
  }

  @Override
  public Output create(String name) throws IOException {
    return unpacked.create(name);
  }

  /**
   * Opens a file.
   *
   * @param number twice the index of a part for its spool; twice the index of a shard plus 1 for
   *     the shard
   */
  private Input openFile(int number) throws IOException {
    if (number % 2 == 0) {
      return unpacked.open(UnpackedDataset.spoolName(number / 2));
    }
    String shard = shards.get(number / 2);
    Folder folder = source;
    String[] names = shard.split("/");
    for (int i = 0; i < names.length - 1; i++) {
      String path = folder.path(names[i]);
      folder =
          folder
              .folder(names[i])
              .orElseThrow(() -> ShardError.CHANGED.in(path, "no longer exists"));
    }
    return folder.open(names[names.length - 1]);
  }

  /** Input that reads at addresses and keeps the most recently used files open. */
  private final class All implements Input {
    private static final int MAX_OPEN = 16;

    private record Open(int number, Input input) {}

    private final String path;
    private final List<Open> open = new ArrayList<>();

    All(String path) {
      this.path = path;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long length() {
      return Long.MAX_VALUE;
    }

    @Override
    public void readFully(long address, ByteBuffer dst) throws IOException {
      long offset = address & OFFSET_MASK;
      int number = (int) (address >>> OFFSET_BITS);
      Input file = number < shards.size() * 2 ? input(number) : null;
      if (file == null || !isInSource(address) && offset + dst.remaining() > file.length()) {
        throw ShardError.NOT_STAGED.in(
            UnpackedFiles.this.path(),
            "contains blocks that were not staged (only the requested part can be read)");
      }
      file.readFully(offset, dst);
    }

    private Input input(int address) throws IOException {
      int number = address % 2 == 0 ? 2 * parts.get(address / 2) : address;
      for (Open file : open) {
        if (file.number == number) {
          return file.input;
        }
      }
      if (open.size() == MAX_OPEN) {
        open.remove(0).input.close();
      }
      open.add(new Open(number, openFile(number)));
      return open.get(open.size() - 1).input;
    }

    @Override
    public void close() throws IOException {
      for (Open file : open) {
        file.input.close();
      }
      open.clear();
    }
  }
}
