package org.saevhadoop.format.zip;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * The rules of a format for entry names. As in {@code java.util.zip.ZipFile}, names are read as
 * UTF-8, regardless of the flags of the entry.
 *
 * @param maxBytes the maximum length of a name in bytes
 * @param inFolders whether entries may be in folders, rather than in the root only
 */
public record EntryNames(int maxBytes, boolean inFolders) {
  private static final int MAX_SHOWN = 100;

  /**
   * Decodes the name of an entry that is read.
   *
   * @param at the position in the file of the header, for error messages
   * @throws FormatException {@link ZipError#BAD_NAME} or {@link ZipError#TOO_LARGE}
   */
  String decode(ByteBuffer bytes, String path, long at) throws FormatException {
    ZipError.TOO_LARGE.check(
        bytes.remaining() <= maxBytes,
        path,
        "an entry has a name of %d bytes, at byte %d (expected at most %d)",
        bytes.remaining(),
        at,
        maxBytes);
    String name;
    try {
      name = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
    } catch (CharacterCodingException e) {
      throw ZipError.BAD_NAME
          .in(path, "the name of an entry is not UTF-8, at byte %d", at)
          .causedBy(e);
    }
    String problem = problem(name);
    if (problem != null) {
      throw ZipError.BAD_NAME.in(
          path,
          "the name of entry \"%s\" %s, at byte %d (expected %s)",
          shown(name),
          problem,
          at,
          inFolders ? "the name of a file" : "a file in the root");
    }
    return name;
  }

  /**
   * Checks the name of an entry that is to be written.
   *
   * @throws IllegalArgumentException if no reader would accept it
   */
  void checkWritable(String name) {
    String problem = problem(name);
    if (problem == null && !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      problem = "is not Unicode";
    }
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (problem == null && length > maxBytes) {
      problem = "has " + length + " bytes";
    }
    if (problem != null) {
      throw new IllegalArgumentException("the name of entry \"" + shown(name) + "\" " + problem);
    }
  }

  /** Returns a name as shown in error messages. */
  static String shown(String name) {
    return Quote.show(name, MAX_SHOWN);
  }

  private @Nullable String problem(String name) {
    if (name.isEmpty()) {
      return "is empty";
    }
    if (name.indexOf('\0') >= 0) {
      return "contains NUL";
    }
    if (name.indexOf('\\') >= 0) {
      return "contains a backslash";
    }
    if (name.startsWith("/")) {
      return "is absolute";
    }
    if (name.endsWith("/") || name.equals(".") || name.equals("..")) {
      return "denotes a folder";
    }
    return !inFolders && name.indexOf('/') >= 0 ? "is in a folder" : null;
  }
}
