package org.saevhadoop.format.dataset;

import java.util.OptionalInt;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.FormatException;

/**
 * Description of activations, independent of the format in which they are stored.
 *
 * @param geometry the shape
 * @param clsTokens 1 if token 0 is [CLS], 0 if there is no [CLS] token; empty if this is unknown
 * @param provenance the documents that accompany the activations
 */
@PublicApi
public record Activations(Geometry geometry, OptionalInt clsTokens, Provenance provenance) {
  /**
   * Returns the number of tokens of an example that are not patches: 1 if token 0 is [CLS],
   * otherwise 0.
   *
   * @param advice the remedy that the message suggests if the number is unknown
   * @throws FormatException if the number is unknown
   */
  public int requireClsTokens(String path, String advice) throws FormatException {
    DatasetError.UNKNOWN_CLS_TOKENS.check(
        clsTokens.isPresent(),
        path,
        "it is not known whether token 0 is [CLS] (expected a source that records it, or %s)",
        advice);
    return clsTokens.getAsInt();
  }
}
