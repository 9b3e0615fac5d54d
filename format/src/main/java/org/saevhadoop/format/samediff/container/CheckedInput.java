package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.zip.ReadChecksum;

/**
 * An SDZ file whose stored entries are read in place. When it is closed, the CRC-32 of each entry
 * whose arrays were all read is checked, which requires reading only the bytes outside the arrays.
 * Other entries are not checked.
 */
final class CheckedInput implements Input.Filter {
  /**
   * Number of unread bytes that a check may always read, regardless of how many bytes were read
   * before.
   */
  private static final long MIN_REST = 1 << 20;

  /** Names of labels, which are small and are not read together with activations. */
  private static final Pattern LABELS = Pattern.compile("labels(/shard_\\d+)?");

  /** A stored entry, and the ranges read so far. */
  private record Entry(ContainerPart part, List<ContainerArray> arrays, ReadChecksum read) {
    boolean isWhole() {
      long rest = part.length() - read.bytes();
      return read.bytes() > 0
          && rest <= Math.max(MIN_REST, read.bytes())
          && arrays.stream()
              .filter(array -> !LABELS.matcher(array.name()).matches())
              .allMatch(
                  array ->
                      read.covers(array.fileOffset(), array.fileOffset() + array.array().length()));
    }
  }

  private final Input file;
  private final TreeMap<Long, Entry> entries = new TreeMap<>();

  /**
   * Wraps a file.
   *
   * @param parts the stored entries to check
   */
  CheckedInput(Input file, List<ContainerPart> parts, List<ContainerArray> arrays) {
    this.file = file;
    for (ContainerPart part : parts) {
      List<ContainerArray> own = arrays.stream().filter(a -> a.part().equals(part)).toList();
      entries.put(part.offset(), new Entry(part, own, new ReadChecksum()));
    }
  }

  @Override
  public Input file() {
    return file;
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    ByteBuffer data = dst.duplicate();
    try {
      file.readFully(position, dst);
    } catch (IOException | RuntimeException e) {
      entries.clear(); // it is unknown which bytes were read
      throw e;
    }
    long end = position + data.remaining();
    Long first = entries.floorKey(position);
    for (Entry entry : entries.tailMap(first == null ? position : first).values()) {
      long from = Math.max(position, entry.part().offset());
      long to = Math.min(end, entry.part().offset() + entry.part().length());
      if (entry.part().offset() >= end) {
        break;
      }
      if (from < to) {
        int at = data.position() + (int) (from - position);
        entry.read().add(from, data.slice(at, (int) (to - from)));
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (file) {
      for (Entry entry : entries.values()) {
        if (entry.isWhole()) {
          entry.read().check(file, Objects.requireNonNull(entry.part().entry()));
        }
      }
      entries.clear();
    }
  }
}
