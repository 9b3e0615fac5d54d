package org.saevhadoop.mapreduce;

import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.safetensors.SafetensorsFormat;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/**
 * Writes a dataset of safetensors files. {@code saev.output.geometry}, {@code saev.output.table} or
 * {@code saev.output.metadata} defines its shape. Job commit writes dataset_manifest.json.
 */
@PublicApi
public final class SafetensorsOutputFormat extends ActivationOutputFormat {
  /** Creates the output format. */
  public SafetensorsOutputFormat() {
    super(new SafetensorsFormat());
  }

  /** Sets the shape of the output if its columns are not activations. */
  public static void setTable(Configuration conf, TableShape table) {
    ConfSettings.set(conf, OutputKeys.TABLE, table);
  }
}
