package org.saevhadoop.format.dataset.write;

/**
 * A file of a merged dataset that is the copy of a file of a source, from a byte on. A format may
 * replace the bytes before it, and append zeros.
 *
 * @param source the index of the source
 * @param from the path of the file relative to the folder of the source, with slashes
 * @param to the name of the copy
 * @param head the data that the format needs to replace the beginning; empty if it is copied
 * @param skip the number of bytes at the beginning that are not copied
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
