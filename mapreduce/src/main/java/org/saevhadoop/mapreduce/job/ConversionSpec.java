package org.saevhadoop.mapreduce.job;

import org.apache.hadoop.conf.Configuration;

/** A conversion, defined before the job exists. */
public record ConversionSpec(InputSpec input, OutputSpec output) {
  /** Writes this conversion to a job's configuration. */
  public void toConf(Configuration conf) {
    input.toConf(conf);
    output.toConf(conf);
  }
}
