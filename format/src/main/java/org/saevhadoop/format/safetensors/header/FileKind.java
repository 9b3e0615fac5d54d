package org.saevhadoop.format.safetensors.header;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Files that are mistaken for safetensors files, by their first bytes. The patterns are longer than
 * the formats' own: a small header's length is two bytes of any kind and then zeros.
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

  /** Bytes enough to tell. */
  static final int BYTES = 24;

  private final Pattern start;
  private final String what;

  FileKind(String start, String what) {
    this.start = Pattern.compile(start);
    this.what = what;
  }

  /** A hint to append to an error message, empty where a file's first bytes say nothing. */
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
