package org.saevhadoop.format.pickleshards.directory;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Entry of a shard in a metadata.json; null for each absent field.
 *
 * @param filename the plain name of a file in the same directory
 * @param bytes the length of the file as stored
 * @param samples the number of distinct samples
 * @param arrays the number of arrays: samples times layers
 * @param sha256 the SHA-256 of the file as stored, in 64 lowercase hexadecimal digits
 * @param fileMiB the size of the file in MiB, possibly rounded
 * @param uploadedTo the location of another copy of the file
 */
public record ManifestEntry(
    String filename,
    @Nullable Long bytes,
    @Nullable Long samples,
    @Nullable Long arrays,
    @Nullable List<Integer> layers,
    @Nullable SortedMap<Integer, Long> samplesOfLayer,
    @Nullable IdRange ids,
    @Nullable Boolean compressed,
    @Nullable String sha256,
    @Nullable Double fileMiB,
    @Nullable String uploadedTo) {
  /** Range of sample ids, both ends inclusive. */
  public record IdRange(long least, long greatest) {
    @Override
    public String toString() {
      return "[" + least + ", " + greatest + "]";
    }
  }
}
