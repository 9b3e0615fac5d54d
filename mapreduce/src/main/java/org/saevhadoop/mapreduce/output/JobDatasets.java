package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ReflectionUtils;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;

/**
 * The datasets from which a job copies labels, sample metadata and ids.
 *
 * @param checked whether the job's client has checked them
 */
public record JobDatasets(boolean checked, Configuration conf) {
  /** Opens the source of the conversion, as the configuration defines it. */
  TableDataset source() throws IOException {
    SourceReference reference = DatasetInputFormat.source(conf);
    DatasetFormat format = DatasetInputFormat.format(reference, conf);
    InputSpec input = InputSpec.fromConf(conf, format.readingKeys());
    HadoopStorage storage = new HadoopStorage(conf);
    DatasetFormats formats = DatasetFormats.registry();
    Location location = storage.locate(reference.path());
    TableDataset all;
    if (reference.staged() && ShuffledDataset.existsAt(location)) {
      all = ShuffledDataset.open(location);
    } else if (reference.staged()) {
      all = format.stream().orElseThrow().openStaged(location.folder(), storage, formats);
    } else {
      all = format.open(checked ? location.checked() : location, input.format(), formats);
    }
    return input.projection().resolve(all).of(all);
  }

  /**
   * Opens another dataset.
   *
   * @param format the name of the class of the input format that reads it
   * @throws ClassCastException if the class is no input format of this project
   */
  public TableDataset other(String path, String format) throws IOException, ClassNotFoundException {
    ActivationInputFormat input =
        ReflectionUtils.newInstance(
            conf.getClassByName(format).asSubclass(ActivationInputFormat.class), conf);
    Path parsed = PathArgument.parse(path, conf);
    return checked ? input.openChecked(parsed, conf) : input.open(parsed, conf);
  }
}
