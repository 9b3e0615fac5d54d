package org.saevhadoop.format.dataset.write;

/**
 * A file of a merged dataset that is copied from a file of a source. A format may replace the first
 * bytes and append zeros.
 *
 * @param source the index of the source
 * @param from the path of the file relative to the folder of the source, with slashes
 * @param to the name of the copy
 * @param head the data from which the format makes the new first bytes; empty if the first bytes
 *     are copied
 * @param skip the number of bytes at the beginning of the file that are not copied
 * @param bytes the number of bytes that are copied
 * @param length the length of the copy
 */
public record CopiedFile(
    int source, String from, String to, String head, long skip, long bytes, long length) {
  /** Creates a copy of a whole file. */
  public CopiedFile(int source, String from, String to, long bytes) {
    this(source, from, to, "", 0, bytes, bytes);
  }
}
