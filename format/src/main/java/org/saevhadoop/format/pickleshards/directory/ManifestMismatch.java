package org.saevhadoop.format.pickleshards.directory;

import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;

/**
 * A value in a metadata.json that does not match the shards.
 *
 * @param kind the kind of error if the mismatch is treated as an error
 * @param text the claim and the actual value, on one line
 * @param losesData whether a conversion would lose declared samples or invent undeclared ones;
 *     otherwise the mismatch is a warning
 */
public record ManifestMismatch(PickleError kind, String path, String text, boolean losesData) {
  public FormatException exception() {
    return kind.of(path, null, text, null);
  }
}
