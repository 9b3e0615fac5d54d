package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * An archive entry that is opened only to read its header: the entry is inflated up to the last
 * byte read and stays in memory.
 */
final class EntryHead implements Input {
  private final ArchiveEntry entry;
  private final String path;
  private final ByteSource source;
  private byte[] head = {};

  EntryHead(Input archive, ArchiveEntry entry) {
    this.entry = entry;
    this.path = archive.path() + "/" + Quote.show(entry.name(), ArrayArchive.MAX_SHOWN);
    this.source = entry.read(archive);
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return entry.size();
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    inflateTo(Math.toIntExact(position + dst.remaining()));
    dst.put(head, (int) position, dst.remaining());
  }

  private void inflateTo(int end) throws IOException {
    int from = head.length;
    if (end <= from) {
      return;
    }
    head = Arrays.copyOf(head, end);
    ByteBuffer rest = ByteBuffer.wrap(head).position(from);
    while (rest.hasRemaining()) {
      // the source fails if the entry has fewer bytes than it declares
      FileError.TRUNCATED.check(
          source.read(rest) >= 0, path, "ends at byte %d (expected %d)", rest.position(), end);
    }
  }

  /** Leaves the archive open. */
  @Override
  public void close() throws IOException {
    source.close();
  }
}
