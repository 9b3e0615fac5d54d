package org.saevhadoop.format.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.saevhadoop.format.io.Input;

/**
 * Reads a central directory through a window of bounded size. The number of headers and their
 * length must be those of the end record.
 */
final class CentralDirectory {
  /** Length in bytes of the window: any header without its comment. */
  private static final int WINDOW = 1 << 18;

  private final Input file;
  private final EndRecord end;
  private final EntryNames names;
  private final ByteBuffer window;
  private long position;

  private CentralDirectory(Input file, EndRecord end, EntryNames names) {
    this.file = file;
    this.end = end;
    this.names = names;
    position = end.directory();
    window =
        ByteBuffer.allocate((int) Math.min(WINDOW, end.directoryEnd() - position))
            .order(ByteOrder.LITTLE_ENDIAN)
            .limit(0);
  }

  /** Returns the headers in the order of the directory. */
  static List<CentralHeader> read(Input file, EndRecord end, EntryNames names) throws IOException {
    return new CentralDirectory(file, end, names).headers();
  }

  private List<CentralHeader> headers() throws IOException {
    List<CentralHeader> headers = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (int i = 0; i < end.entries(); i++) {
      CentralHeader header = next(i);
      ZipError.DUPLICATE_NAME.check(
          known.add(header.name()),
          file.path(),
          "two entries are named \"%s\", at byte %d",
          header.shown(),
          header.at());
      headers.add(header);
    }
    ZipError.BAD_DIRECTORY.check(
        position == end.directoryEnd(),
        file.path(),
        "%d bytes follow the last of %d headers, at byte %d (expected the end of the directory)",
        end.directoryEnd() - position,
        end.entries(),
        position);
    return headers;
  }

  private CentralHeader next(int index) throws IOException {
    long at = position;
    require(CentralHeader.LENGTH, index);
    int first = window.position();
    ZipError.BAD_DIRECTORY.check(
        window.getInt(first) == CentralHeader.SIGNATURE,
        file.path(),
        "has no header for entry %d of %d, at byte %d",
        index,
        end.entries(),
        at);
    int length =
        CentralHeader.LENGTH
            + Short.toUnsignedInt(window.getShort(first + 28))
            + Short.toUnsignedInt(window.getShort(first + 30));
    int comment = Short.toUnsignedInt(window.getShort(first + 32));
    require(length, index);
    ZipError.BAD_DIRECTORY.check(
        comment <= end.directoryEnd() - position - length,
        file.path(),
        "the comment of entry %d has %d bytes, at byte %d (expected at most %d)",
        index,
        comment,
        at,
        end.directoryEnd() - position - length);
    ByteBuffer header = window.slice(window.position(), length).order(window.order());
    CentralHeader parsed = CentralHeader.parse(header, names, file.path(), at, end);
    skip(length + comment);
    return parsed;
  }

  /** Fills the window with at least this many bytes from the position. */
  private void require(int bytes, int index) throws IOException {
    ZipError.BAD_DIRECTORY.check(
        bytes <= end.directoryEnd() - position,
        file.path(),
        "the header of entry %d of %d is cut, at byte %d (expected %d bytes)",
        index,
        end.entries(),
        position,
        bytes);
    if (window.remaining() < bytes) {
      window.clear().limit((int) Math.min(window.capacity(), end.directoryEnd() - position));
      file.readFully(position, window);
      window.flip();
    }
  }

  private void skip(int bytes) {
    position += bytes;
    window.position(Math.min(window.limit(), window.position() + bytes));
  }
}
