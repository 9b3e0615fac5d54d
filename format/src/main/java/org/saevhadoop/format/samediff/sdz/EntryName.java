package org.saevhadoop.format.samediff.sdz;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * Rules for the names of entries. An SDZ file has entries in its root only; nd4j, which extracts
 * them to a temporary directory, fails for others. Names are UTF-8 whatever their flags say, as for
 * {@code java.util.zip.ZipFile}.
 */
final class EntryName {
  private static final int MAX_SHOWN = 100;

  private EntryName() {}

  /**
   * Decodes the name of an entry that is read.
   *
   * @param at the position in the file of the header, for error messages
   * @throws FormatException {@link SdzError#BAD_NAME} or {@link SdzError#TOO_LARGE}
   */
  static String decode(ByteBuffer bytes, String path, long at) throws FormatException {
    SdzError.TOO_LARGE.check(
        bytes.remaining() <= SdzLimits.MAX_NAME_BYTES,
        path,
        "an entry has a name of %d bytes, at byte %d (expected at most %d)",
        bytes.remaining(),
        at,
        SdzLimits.MAX_NAME_BYTES);
    String name;
    try {
      name = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
    } catch (CharacterCodingException e) {
      throw SdzError.BAD_NAME
          .in(path, "the name of an entry is not UTF-8, at byte %d", at)
          .causedBy(e);
    }
    String problem = problem(name);
    SdzError.BAD_NAME.check(
        problem == null,
        path,
        "the name of entry \"%s\" %s, at byte %d (expected a file in the root)",
        shown(name),
        problem,
        at);
    return name;
  }

  /**
   * Checks the name of an entry that is to be written.
   *
   * @throws IllegalArgumentException if no reader would accept it
   */
  static void checkWritable(String name) {
    String problem = problem(name);
    if (problem == null && !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      problem = "is not Unicode";
    }
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (problem == null && length > SdzLimits.MAX_NAME_BYTES) {
      problem = "has " + length + " bytes";
    }
    if (problem != null) {
      throw new IllegalArgumentException("the name of entry \"" + shown(name) + "\" " + problem);
    }
  }

  /** Returns a name for an error message. */
  static String shown(String name) {
    return Quote.show(name, MAX_SHOWN);
  }

  private static String problem(String name) {
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
    if (name.endsWith("/")) {
      return "is that of a folder";
    }
    if (name.indexOf('/') >= 0) {
      return "is in a folder";
    }
    return name.equals(".") || name.equals("..") ? "is that of a folder" : null;
  }
}
