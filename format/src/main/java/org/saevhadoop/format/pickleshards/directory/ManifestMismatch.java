package org.saevhadoop.format.pickleshards.directory;

import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;

/**
 * Something that a metadata.json says and the shards do not bear out.
 *
 * @param kind of the error that it is where it counts
 * @param path of the metadata.json
 * @param text what is said and what is there, in one line
 * @param losesData whether who converts the shards would lose samples that were promised, or make
 *     up some that were not; else it is a warning
 */
public record ManifestMismatch(PickleError kind, String path, String text, boolean losesData) {
  /** As an error. */
  public FormatException exception() {
    return kind.of(path, null, text, null);
  }
}
