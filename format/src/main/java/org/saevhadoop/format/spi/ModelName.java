package org.saevhadoop.format.spi;

import org.jspecify.annotations.Nullable;

/**
 * The model from which activations were extracted.
 *
 * @param family the family or architecture; null if unknown
 * @param checkpoint the checkpoint; null if unknown
 */
public record ModelName(@Nullable String family, @Nullable String checkpoint) {
  public static final ModelName UNKNOWN = new ModelName(null, null);

  /** The name that is recorded for an unnamed model if the user does not have to name the model. */
  public static final ModelName ASSUMED = new ModelName("unknown", "unknown");

  /** Returns the name of a model of unknown family. */
  public static ModelName ofCheckpoint(String checkpoint) {
    return new ModelName(ASSUMED.family, checkpoint);
  }

  /** Returns this name, with unknown fields taken from another name. */
  public ModelName or(ModelName other) {
    return new ModelName(
        family == null ? other.family : family, checkpoint == null ? other.checkpoint : checkpoint);
  }

  /** Returns the family and the checkpoint as shown in messages. */
  @Override
  public String toString() {
    ModelName shown = or(ASSUMED);
    return shown.equals(ASSUMED) ? "unknown" : shown.family + " " + shown.checkpoint;
  }
}
