package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ReflectionUtils;
import org.saevhadoop.format.combined.CombinedTable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Storage;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.CombineKeys;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.job.SeveralSources;

/**
 * Reads the source that a job's configuration names: a dataset of any format, a dataset that was
 * staged from a stream or shuffled, or several datasets as one.
 */
public final class DatasetInputFormat extends ActivationInputFormat {
  /** Creates the input format. */
  public DatasetInputFormat() {}

  /**
   * Returns the source that a configuration names.
   *
   * @throws SettingException if the configuration names none
   */
  public static SourceReference source(Configuration conf) {
    SourceReference source = InputSpec.fromConf(conf, List.of()).source();
    if (source == null) {
      throw new SettingException(
          "no source is set (expected the configuration of a job of this project)");
    }
    return source;
  }

  /** Returns the format of the source that a configuration names. */
  public static DatasetFormat format(Configuration conf) {
    return format(source(conf), conf);
  }

  static DatasetFormat format(SourceReference source, Configuration conf) {
    return format(source.format(), conf);
  }

  /**
   * Returns the format with the given class name.
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

  @Override
  public TableDataset open(Path path, Configuration conf) throws IOException {
    return JobSource.of(false, conf).open();
  }

  @Override
  public TableDataset openChecked(Path path, Configuration conf) throws IOException {
    return JobSource.of(true, conf).open();
  }

  @Override
  List<SettingKey<?>> readingKeys(Configuration conf) {
    return format(conf).readingKeys();
  }

  @Override
  Settings forTasks(TableDataset whole, Configuration conf) {
    if (whole instanceof CombinedTable several) {
      return Settings.NONE.with(CombineKeys.FACTS, several.facts());
    }
    return source(conf).staged() ? Settings.NONE : format(conf).forTasks(whole, Settings.NONE);
  }

  /**
   * {@inheritDoc} With Hadoop security, tasks receive tokens for the storage of each source, and
   * for the storage of blocks that were not staged and are read from the stream.
   */
  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException {
    if (UserGroupInformation.isSecurityEnabled()) {
      obtainTokens(job);
    }
    return super.getSplits(job);
  }

  private static void obtainTokens(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    List<SourceReference> references = new ArrayList<>(List.of(source(conf)));
    SeveralSources several = InputSpec.fromConf(conf, List.of()).several();
    if (several != null) {
      several.sources().forEach(source -> references.add(source.reference()));
      for (SourceReference reference : references) {
        StorageTokens.obtain(job, PathArgument.parse(reference.path(), conf));
      }
    }
    if (references.stream().anyMatch(SourceReference::staged)) {
      HadoopStorage storage = new HadoopStorage(conf);
      Storage withTokens =
          path -> {
            StorageTokens.obtain(job, PathArgument.parse(path, conf));
            return storage.locate(path);
          };
      new JobSource(false, withTokens, conf).open();
    }
  }
}
