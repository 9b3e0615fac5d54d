package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ReflectionUtils;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.JobSource;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * The datasets from which a job copies labels, sample metadata and ids.
 *
 * @param checked whether the job's client has checked the datasets
 */
public record JobDatasets(boolean checked, Configuration conf) {
  /** Opens the source of the conversion, as the configuration defines it. */
  TableDataset source() throws IOException {
    TableDataset all = JobSource.of(checked, conf).open();
    InputSpec input = InputSpec.fromConf(conf, List.of());
    return input.projection().resolve(all).of(all);
  }

  /**
   * Opens another dataset.
   *
   * @param format the class name of the input format that reads the dataset
   * @throws ClassCastException if the class is not an input format of this project
   */
  public TableDataset other(String path, String format) throws IOException, ClassNotFoundException {
    ActivationInputFormat input =
        ReflectionUtils.newInstance(
            conf.getClassByName(format).asSubclass(ActivationInputFormat.class), conf);
    Path parsed = PathArgument.parse(path, conf);
    return checked ? input.openChecked(parsed, conf) : input.open(parsed, conf);
  }
}
