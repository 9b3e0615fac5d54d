package org.saevhadoop.mapreduce.job;

import org.saevhadoop.format.settings.Settings;

/** A conversion, defined before the job exists. */
public record ConversionSpec(InputSpec input, OutputSpec output) {
  /** Returns the settings that define this conversion. */
  public Settings toSettings() {
    return input.toSettings().and(output.toSettings());
  }
}
