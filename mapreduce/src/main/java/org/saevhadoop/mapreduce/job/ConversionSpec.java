package org.saevhadoop.mapreduce.job;

import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.mapreduce.conf.SettingKey;

/**
 * A conversion, worked out before there is a job.
 *
 * @param input what is read
 * @param output what is written
 */
public record ConversionSpec(InputSpec input, OutputSpec output) {
  /**
   * Reads the conversion that a job's configuration describes.
   *
   * @param readingKeys those of the format that is read
   * @param writingKeys those of the format that is written
   */
  public static ConversionSpec fromConf(
      Configuration conf,
      Collection<? extends SettingKey<?>> readingKeys,
      Collection<? extends SettingKey<?>> writingKeys) {
    return new ConversionSpec(
        InputSpec.fromConf(conf, readingKeys), OutputSpec.fromConf(conf, writingKeys));
  }

  /** Writes this to a job's configuration. */
  public void toConf(Configuration conf) {
    input.toConf(conf);
    output.toConf(conf);
  }

  /** Returns the same with other input. */
  public ConversionSpec with(InputSpec other) {
    return new ConversionSpec(other, output);
  }
}
