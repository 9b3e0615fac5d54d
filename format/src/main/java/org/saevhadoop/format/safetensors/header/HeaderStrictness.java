package org.saevhadoop.format.safetensors.header;

/** Which headers are accepted. Both agree on the kind of every error that the reference knows. */
public enum HeaderStrictness {
  /**
   * What the reference accepts, but no name of a tensor twice, no key of the metadata twice, no
   * tensor as an array and no dtype as an object. Such files say two things at once, or something
   * that other readers do not understand; no writer means to make them.
   */
  STRICT,
  /** Exactly what the reference accepts; of what comes twice the last counts. */
  LENIENT
}
