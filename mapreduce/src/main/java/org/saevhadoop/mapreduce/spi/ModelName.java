package org.saevhadoop.mapreduce.spi;

/**
 * The model that activations were taken from.
 *
 * @param family its family or architecture; null if it is not known
 * @param checkpoint its checkpoint; null if it is not known
 */
public record ModelName(String family, String checkpoint) {
  /** Nothing is known. */
  public static final ModelName UNKNOWN = new ModelName(null, null);

  /** Returns this, with what is not known taken from another one. */
  public ModelName or(ModelName other) {
    return new ModelName(
        family == null ? other.family : family, checkpoint == null ? other.checkpoint : checkpoint);
  }
}
