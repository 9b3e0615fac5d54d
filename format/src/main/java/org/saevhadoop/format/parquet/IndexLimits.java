package org.saevhadoop.format.parquet;

/**
 * Limits of what an index may request, far beyond those of real files. Together they keep a lookup
 * and a pass within a heap of 256 MiB, and the time of both proportional to the size of the file.
 */
final class IndexLimits {
  /** Maximum number of files of an index that is a directory; all of them stay open. */
  static final int MAX_FILES = 10_000;

  /** Maximum memory, in bytes, for what stays of the footers of all files of an index. */
  static final long MAX_FOOTERS_MEMORY = 48 << 20;

  /** Maximum size of a footer in bytes. */
  static final int MAX_FOOTER_BYTES = 32 << 20;

  /**
   * Maximum memory, in bytes, for the objects of a footer while it is read. 10,000 row groups as
   * this project writes them, which hold 500 million tensors, need half of it.
   */
  static final long MAX_FOOTER_MEMORY = 80 << 20;

  /** Maximum size in bytes of the column index or the offset index of a column chunk. */
  static final int MAX_PAGE_INDEX_BYTES = 8 << 20;

  /** Maximum memory, in bytes, for the objects of such an index while it is read. */
  static final long MAX_PAGE_INDEX_MEMORY = 16 << 20;

  /** Maximum size in bytes of the header of a page, which may hold bounds of its values. */
  static final int MAX_PAGE_HEADER_BYTES = 1 << 20;

  /** Maximum size of a page in bytes, packed or unpacked. Writers aim at one MiB. */
  static final int MAX_PAGE_BYTES = 16 << 20;

  /** Maximum memory, in bytes, for the current pages and dictionaries of all columns. */
  static final long MAX_PAGES_MEMORY = 96 << 20;

  /**
   * Maximum number of rows per byte of a file. Rows repeat a key or a file name, but not both, so
   * that even a well-packed index has no more than ten.
   */
  static final int MAX_ROWS_PER_BYTE = 32;

  /** Maximum number of dimensions of a tensor. */
  static final int MAX_DIMENSIONS = 1 << 16;

  private IndexLimits() {}

  /** Reports a limit that is exceeded; {@link IndexFile} adds the path. */
  static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final long limit;

    Exceeded(String problem, long limit) {
      super(problem);
      this.limit = limit;
    }

    long limit() {
      return limit;
    }
  }

  /**
   * Throws an exception if a value is above a limit.
   *
   * @param what the noun for the value
   */
  static void check(long value, long limit, String what) {
    if (value > limit || value < 0) {
      throw new Exceeded("has " + Long.toUnsignedString(value) + " " + what, limit);
    }
  }
}
