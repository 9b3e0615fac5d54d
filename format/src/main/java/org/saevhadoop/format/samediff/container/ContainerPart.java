package org.saevhadoop.format.samediff.container;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * An SDNB file of a container: a file, or an entry of an SDZ file.
 *
 * @param name the name of the SDNB file or of the entry
 * @param file the name of the file in its folder
 * @param offset the offset of its first byte in that file
 * @param length its length in bytes
 * @param entry the entry of an SDZ file; null for a file
 */
public record ContainerPart(
    String name, String file, long offset, long length, @Nullable ArchiveEntry entry) {
  /** Returns whether the bytes are compressed, so that arrays cannot be read in place. */
  public boolean isDeflated() {
    return entry != null && !entry.stored();
  }
}
