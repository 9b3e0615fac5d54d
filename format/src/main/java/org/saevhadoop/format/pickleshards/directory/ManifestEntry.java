package org.saevhadoop.format.pickleshards.directory;

import java.util.List;
import java.util.SortedMap;

/**
 * What a metadata.json says of one shard; null for each thing that it does not say.
 *
 * @param filename a plain name, of a file in the same directory
 * @param bytes of the file as stored
 * @param samples different ones
 * @param arrays samples times layers
 * @param layers in the list's order
 * @param samplesOfLayer lengths of the layers' lists
 * @param ids the least and the greatest sample id
 * @param compressed whether it is gzip
 * @param sha256 64 hexadecimal digits, small, of the file as stored
 * @param fileMiB size of the file in MiB, which some may have rounded
 * @param uploadedTo where else the file was copied to
 */
public record ManifestEntry(
    String filename,
    Long bytes,
    Long samples,
    Long arrays,
    List<Integer> layers,
    SortedMap<Integer, Long> samplesOfLayer,
    IdRange ids,
    Boolean compressed,
    String sha256,
    Double fileMiB,
    String uploadedTo) {
  /** Sample ids, both ends included. */
  public record IdRange(long least, long greatest) {
    @Override
    public String toString() {
      return "[" + least + ", " + greatest + "]";
    }
  }
}
