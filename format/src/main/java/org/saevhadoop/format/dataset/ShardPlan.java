package org.saevhadoop.format.dataset;

/**
 * One data file of a dataset that is to be written.
 *
 * @param name its file name
 * @param first number of its first example
 * @param examples how many examples it holds
 * @param header the bytes before the first block
 * @param length the whole file's length; {@link DatasetTarget#finish} fills what the blocks leave.
 *     {@link #UNKNOWN} where it is known only once the file is written
 * @param scattered where the blocks lie, for a file whose blocks do not just follow one another in
 *     the target's order from the header on; else null
 */
public record ShardPlan(
    String name, long first, long examples, byte[] header, long length, Scattered scattered) {
  /** The length of a file that is compressed. */
  public static final long UNKNOWN = -1;

  /**
   * Blocks in places of their own.
   *
   * @param placement byte of the file at which each begins
   * @param end the byte after the last of them
   */
  public record Scattered(Placement placement, long end) {}

  /** A file whose blocks follow one another. */
  public ShardPlan(String name, long first, long examples, byte[] header, long length) {
    this(name, first, examples, header, length, null);
  }
}
