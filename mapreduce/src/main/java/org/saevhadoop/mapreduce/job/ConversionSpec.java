package org.saevhadoop.mapreduce.job;

import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.mapreduce.conf.SettingKey;

/**
 * A conversion, defined before the job exists.
 *
 * @param input the data that is read
 * @param output the data that is written
 */
public record ConversionSpec(InputSpec input, OutputSpec output) {
  /**
   * Reads the conversion that a job's configuration defines.
   *
   * @param readingKeys the reading keys of the source's format
   * @param writingKeys the writing keys of all formats
   * @throws org.saevhadoop.mapreduce.conf.SettingException if a value is invalid
   */
  public static ConversionSpec fromConf(
      Configuration conf,
      Collection<? extends SettingKey<?>> readingKeys,
      Collection<? extends SettingKey<?>> writingKeys) {
    return new ConversionSpec(
        InputSpec.fromConf(conf, readingKeys), OutputSpec.fromConf(conf, writingKeys));
  }

  /** Writes this conversion to a job's configuration. */
  public void toConf(Configuration conf) {
    input.toConf(conf);
    output.toConf(conf);
  }

  /** Returns a copy with another input. */
  public ConversionSpec with(InputSpec other) {
    return new ConversionSpec(other, output);
  }
}
