package org.saevhadoop.format.dataset;

import java.util.OptionalInt;
import org.saevhadoop.format.io.FormatException;

/**
 * Description of activations, whatever format they are stored in.
 *
 * @param geometry the shape
 * @param clsTokens 1 where token 0 is [CLS], 0 where there is no [CLS], empty where that is not
 *     known
 * @param provenance texts that travel with the activations
 */
public record Activations(Geometry geometry, OptionalInt clsTokens, Provenance provenance) {
  /**
   * Returns how many of an example's tokens are not patches: 1 where token 0 is [CLS], else 0.
   *
   * @param path the dataset's path for messages
   * @param advice what to ask for where this is not known
   * @throws FormatException where it is not known
   */
  public int requireClsTokens(String path, String advice) throws FormatException {
    DatasetError.UNKNOWN_CLS_TOKENS.check(
        clsTokens.isPresent(),
        path,
        "whether token 0 is [CLS] is not known (expected a source that records it, or %s)",
        advice);
    return clsTokens.getAsInt();
  }
}
