package org.saevhadoop.format.json;

import java.io.IOException;
import java.io.InputStream;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;

/**
 * Limits on a document, which keep its parser within a heap of 256 MiB. The limits are checked
 * before the parser sees the text, because JSON libraries hold whole strings, and one object per
 * level, in memory.
 *
 * @param bytes the maximum size of the document in bytes
 * @param values the maximum number of values and keys
 * @param textBytes the maximum length of a string in bytes, as stored
 * @param numberBytes the maximum length of a number in bytes; the time to compute a number grows
 *     with the square of its length
 */
public record JsonLimits(int bytes, int values, int textBytes, int numberBytes) {
  /** Maximum depth of lists and objects; each format has a lower limit for its own documents. */
  static final int MAX_LEVELS = 10_000;

  /**
   * Reads a document in a folder.
   *
   * @throws FormatException if the document exceeds a limit, or its encoding is UTF-16 or UTF-32
   */
  public byte[] read(Folder folder, String name) throws IOException {
    byte[] text = folder.readSmall(name, bytes);
    check(folder.path(name), text);
    return text;
  }

  /**
   * Checks a document that has been read.
   *
   * @param path the path of the document for error messages
   */
  public void check(String path, byte[] text) throws FormatException {
    new JsonGuard(path, this).accept(text, 0, text.length);
  }

  /**
   * Returns a stream that checks a document while it is read.
   *
   * @param path the path of the document for error messages
   */
  public InputStream guard(String path, InputStream text) {
    JsonGuard guard = new JsonGuard(path, this);
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int n = text.read(buffer, offset, length);
        if (n > 0) {
          guard.accept(buffer, offset, n);
        }
        return n;
      }
    };
  }
}
