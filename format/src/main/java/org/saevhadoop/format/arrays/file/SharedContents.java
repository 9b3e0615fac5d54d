package org.saevhadoop.format.arrays.file;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The contents of files by their headers. Files of equal headers, which differ in values only, have
 * one object as their content: many thousands of files have few different headers. Several threads
 * may use it concurrently.
 */
public final class SharedContents {
  /** The maximum number of contents that are shared. */
  public static final int MAX_CONTENTS = 1 << 10;

  /** The maximum number of arrays of content that counts as small. */
  public static final int MAX_ARRAYS = 64;

  /** The length of the longest header whose content is shared; in bytes. */
  private static final int MAX_BYTES = 1 << 10;

  /** Parses a header. */
  public interface Parser {
    /** Returns the content of a file, which must follow from its header and its length alone. */
    ArrayFile parse() throws IOException;
  }

  private record Header(byte[] bytes, long length) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Header header
          && header.length == length
          && Arrays.equals(header.bytes, bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes) * 31 + Long.hashCode(length);
    }
  }

  private final Map<Header, ArrayFile> known = new ConcurrentHashMap<>();

  /**
   * Returns the content of a file.
   *
   * @param bytes the header, which must not change
   * @param length the length of the file
   * @param parser called if the content is not known
   */
  public ArrayFile get(byte[] bytes, long length, Parser parser) throws IOException {
    if (bytes.length > MAX_BYTES) {
      return parser.parse();
    }
    Header header = new Header(bytes, length);
    ArrayFile content = known.get(header);
    if (content == null) {
      content = parser.parse();
      if (known.size() < MAX_CONTENTS) {
        known.put(header, content);
      }
    }
    return content;
  }
}
