package org.saevhadoop.format.parquet.file;

/**
 * Limits on the resources that a file may request, far beyond the needs of any real file. Together,
 * the limits keep a lookup and a pass within a heap of 256 MiB, and keep the time for both
 * proportional to the size of the file.
 */
public final class ParquetLimits {
  /** Maximum number of files in an index that is a directory; all of them stay open. */
  public static final int MAX_FILES = 10_000;

  /** Maximum memory, in bytes, for those parts of an index's footers that stay in memory. */
  public static final long MAX_FOOTERS_MEMORY = 48 << 20;

  /** Maximum size of a footer in bytes. */
  public static final int MAX_FOOTER_BYTES = 32 << 20;

  /**
   * Maximum memory, in bytes, for the objects of a footer while it is read. Half of this memory
   * suffices for 10,000 row groups written by this project, which hold 500 million tensors.
   */
  public static final long MAX_FOOTER_MEMORY = 80 << 20;

  /** Maximum size in bytes of the column index or the offset index of a column chunk. */
  public static final int MAX_PAGE_INDEX_BYTES = 8 << 20;

  /** Maximum memory, in bytes, for the objects of a column or offset index while it is read. */
  public static final long MAX_PAGE_INDEX_MEMORY = 16 << 20;

  /** Maximum size in bytes of a page header, which can contain bounds of the page's values. */
  public static final int MAX_PAGE_HEADER_BYTES = 1 << 20;

  /** Maximum size of a page in bytes, compressed or decompressed. Writers aim at one MiB. */
  public static final int MAX_PAGE_BYTES = 16 << 20;

  /** Maximum memory, in bytes, for the current pages and dictionaries of all columns. */
  public static final long MAX_PAGES_MEMORY = 96 << 20;

  /**
   * Maximum number of rows per byte of a file. Rows repeat a key or a file name, but not both, so
   * that even a well-packed index has no more than ten rows per byte.
   */
  public static final int MAX_ROWS_PER_BYTE = 32;

  /** Maximum number of dimensions of a tensor. */
  public static final int MAX_DIMENSIONS = 1 << 16;

  private ParquetLimits() {}

  /** Reports that a limit is exceeded; the reader of a file adds the path. */
  public static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final long limit;

    Exceeded(String problem, long limit) {
      super(problem);
      this.limit = limit;
    }

    public long limit() {
      return limit;
    }
  }

  /**
   * Throws an exception if a value is above a limit.
   *
   * @param what a noun phrase for the value, for messages
   */
  public static void check(long value, long limit, String what) {
    if (value > limit || value < 0) {
      throw new Exceeded("has " + Long.toUnsignedString(value) + " " + what, limit);
    }
  }
}
