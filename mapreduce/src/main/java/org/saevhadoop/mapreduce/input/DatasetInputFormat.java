package org.saevhadoop.mapreduce.input;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ReflectionUtils;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;

/** Reads a dataset of any format: that of the source that the job's configuration names. */
public final class DatasetInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public DatasetInputFormat() {
    super(conf -> format(source(conf), conf));
  }

  /**
   * Returns the source that a configuration names.
   *
   * @throws SettingException if it names none
   */
  public static SourceReference source(Configuration conf) {
    SourceReference source = InputSpec.fromConf(conf, List.of()).source();
    if (source == null) {
      throw new SettingException(
          "no source is set (expected the configuration of a job of this project)");
    }
    return source;
  }

  /** Returns the format of a source. */
  public static DatasetFormat format(SourceReference source, Configuration conf) {
    return format(source.format(), conf);
  }

  /**
   * Returns the format of a class.
   *
   * @throws SettingException if the class is not on the class path
   */
  public static DatasetFormat format(String name, Configuration conf) {
    Class<?> type = conf.getClassByNameOrNull(name);
    if (type == null) {
      throw new SettingException(name + " is not on the class path (expected a dataset format)");
    }
    return ReflectionUtils.newInstance(type.asSubclass(DatasetFormat.class), conf);
  }
}
