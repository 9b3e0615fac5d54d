package org.saevhadoop.format.arrays.file;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.saevhadoop.format.io.Io;

/**
 * The contents of files by header. Files with equal headers share one content object: even
 * thousands of files have only a few distinct headers. This class is thread-safe.
 */
public final class SharedContents {
  /** The maximum number of shared contents. */
  public static final int MAX_CONTENTS = 1 << 10;

  /** The maximum number of arrays in a content that is considered small. */
  public static final int MAX_ARRAYS = 64;

  /** The maximum length, in bytes, of a header whose content is shared. */
  private static final int MAX_BYTES = 1 << 10;

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
   * @param parser a function that returns the content, which must depend only on the header and the
   *     length; called only if the content is not known yet
   */
  public ArrayFile get(byte[] bytes, long length, Io.Supplier<ArrayFile> parser)
      throws IOException {
    if (bytes.length > MAX_BYTES) {
      return parser.get();
    }
    Header header = new Header(bytes, length);
    ArrayFile content = known.get(header);
    if (content == null) {
      content = parser.get();
      if (known.size() < MAX_CONTENTS) {
        known.put(header, content);
      }
    }
    return content;
  }
}
