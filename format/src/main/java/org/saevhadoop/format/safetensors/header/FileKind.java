package org.saevhadoop.format.safetensors.header;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Other file types that are mistaken for safetensors, detected by their first bytes. The patterns
 * are longer than the magic numbers of those formats, because the length field of a small header
 * consists of two arbitrary bytes followed by zeros.
 */
enum FileKind {
  ZIP("PK\\x03\\x04", "a zip archive, as torch.save writes"),
  PICKLE("\\x80[\\x02-\\x05][^\\x00]", "a Python pickle"),
  GZIP("\\x1f\\x8b\\x08", "a gzip file"),
  HDF5("\\x89HDF\\r\\n", "an HDF5 file"),
  NPY("\\x93NUMPY", "a numpy .npy file"),
  PARQUET("PAR1", "a Parquet file"),
  LFS("version https://git-lfs", "a git-LFS pointer: the file itself has not been fetched"),
  HTML("(?i)\\s*<(!doctype|html|\\?xml)", "a web page, an error page for one"),
  JSON("\\s*\\{\\s*\"[^\\x00]", "JSON without the 8 bytes of its length before it");

  /** Number of bytes that the patterns need. */
  static final int BYTES = 24;

  private final Pattern start;
  private final String what;

  FileKind(String start, String what) {
    this.start = Pattern.compile(start);
    this.what = what;
  }

  /** Returns a hint to append to an error message; empty if no pattern matches. */
  static String hint(byte[] bytes) {
    int length = Math.min(bytes.length, BYTES);
    String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    for (FileKind kind : values()) {
      if (kind.start.matcher(text).lookingAt()) {
        return "; it looks like " + kind.what;
      }
    }
    return "";
  }
}
