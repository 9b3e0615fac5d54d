package org.saevhadoop.mapreduce.staging;

import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.SettingException;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.spi.DatasetFormat;

/** Looks up the format that the configuration of a staging job names. */
final class StagedFormat {
  private StagedFormat() {}

  static DatasetFormat of(InputSpec spec) {
    if (spec.source() == null) {
      throw new SettingException(
          "no source is set (expected the configuration of a job whose source was staged)");
    }
    return DatasetFormats.registry().named(spec.source().format()).orElseThrow().format();
  }
}
