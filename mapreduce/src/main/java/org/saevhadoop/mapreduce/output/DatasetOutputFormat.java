package org.saevhadoop.mapreduce.output;

import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.job.ConversionKeys;

/** Writes a dataset of the format that the job's configuration names. */
public final class DatasetOutputFormat extends ActivationOutputFormat {
  /** Creates the output format. */
  public DatasetOutputFormat() {
    super(conf -> DatasetInputFormat.format(ConfSettings.get(conf, ConversionKeys.WRITTEN), conf));
  }
}
