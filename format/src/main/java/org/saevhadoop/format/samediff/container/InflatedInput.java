package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.ZipArchive;

/**
 * A compressed entry that is read like a file. Reading forward inflates the bytes that are skipped;
 * reading backward starts again at the beginning, except within the first bytes, which are kept in
 * memory because they contain the graph, whose parts refer to each other in both directions.
 */
final class InflatedInput implements Input {
  private static final int MAX_KEPT_BYTES = 16 << 20;
  private static final int SKIP_BYTES = 1 << 16;

  /**
   * Maximum number of restarts: more than a reader needs if the graph is among the bytes that are
   * kept.
   */
  private static final int MAX_RESTARTS = 64;

  private final Input file;
  private final ZipArchive zip;
  private final ArchiveEntry entry;
  private final ByteBuffer skipped = ByteBuffer.allocate(SKIP_BYTES);
  private byte[] kept = new byte[SKIP_BYTES];
  private int keptLength;
  private @Nullable ByteSource source;
  private long reached;
  private int restarts;

  /** Opens an entry of an SDZ file; closing this input closes the file. */
  InflatedInput(Input file, ArchiveEntry entry) throws IOException {
    this.file = file;
    this.entry = entry;
    this.zip = SdzFile.open(file);
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long length() {
    return entry.size();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    long end = position + dst.remaining();
    FileError.checkRead(this, position, dst);
    if (end > keptLength) {
      inflateTo(position);
      readOn(position, dst, end);
    } else {
      dst.put(kept, (int) position, dst.remaining());
    }
  }

  /** Reads bytes, a prefix of which may already be in memory. */
  private void readOn(long position, ByteBuffer dst, long end) throws IOException {
    if (position < reached) {
      dst.put(kept, (int) position, (int) (reached - position));
    }
    while (reached < end) {
      next(dst);
    }
  }

  /**
   * Inflates until the source has reached the position, unless bytes after the position are kept.
   */
  private void inflateTo(long position) throws IOException {
    boolean keptToReached = reached == keptLength;
    if (source == null || position < reached && !keptToReached) {
      restart();
    }
    while (reached < position) {
      skipped.clear().limit((int) Math.min(SKIP_BYTES, position - reached));
      next(skipped);
    }
  }

  private void restart() throws IOException {
    if (source != null) {
      source.close();
    }
    ContainerError.COMPRESSED.check(
        restarts++ < MAX_RESTARTS,
        path(),
        "entry %s has more than %d bytes of variables, which cannot be read compressed (expected"
            + " stored entries; convert can unpack them)",
        Quote.show(entry.name()),
        MAX_KEPT_BYTES);
    source = zip.read(entry);
    reached = 0;
  }

  private void next(ByteBuffer dst) throws IOException {
    int from = dst.position();
    int count = Objects.requireNonNull(source).read(dst);
    FileError.TRUNCATED.check(
        count >= 0, path(), "ends at inflated byte %d (expected %d)", reached, entry.size());
    if (reached == keptLength && keptLength < MAX_KEPT_BYTES) {
      int more = Math.min(count, MAX_KEPT_BYTES - keptLength);
      if (keptLength + more > kept.length) {
        kept = Arrays.copyOf(kept, Math.min(MAX_KEPT_BYTES, 2 * (keptLength + more)));
      }
      dst.duplicate().position(from).get(kept, keptLength, more);
      keptLength += more;
    }
    reached += count;
  }

  @Override
  public void close() throws IOException {
    try (zip) {
      if (source != null) {
        source.close();
      }
    }
  }
}
