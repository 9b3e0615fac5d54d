package org.saevhadoop.converters.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.job.FirstContact;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * A dataset that a command will read, before it is opened.
 *
 * @param path the path
 * @param location the location of the path
 * @param format the format
 * @param spec the input that options and configuration define
 */
public record SourceRequest(
    Path path, Location location, DatasetFormats.Entry format, InputSpec spec) {
  /**
   * Returns the request that the options of a command and the configuration define.
   *
   * @param asked the format; null to detect it from the files
   * @throws FormatException if the path does not exist, or the format is unknown
   */
  public static SourceRequest of(
      String path, DatasetFormats.Entry asked, KeyOptions options, Console console)
      throws IOException {
    Configuration conf = console.conf();
    new FirstContact(console).reach(PathArgument.unqualified(path, conf));
    Path named = PathArgument.parse(path, conf);
    Location location = new HadoopStorage(conf).locate(named);
    boolean base = location.isFile() && !location.file().equals(named.getName());
    Path place = base ? PathArgument.child(named.getParent(), location.file()) : named;
    DatasetFormats.Entry format =
        asked == null ? DatasetFormats.registry().detect(location) : asked;
    List<SettingKey<?>> keys = new ArrayList<>(InputKeys.all());
    keys.addAll(format.format().readingKeys());
    Settings settings = options.settings(conf, keys, console::warn);
    return new SourceRequest(
        place, location, format, InputSpec.of(settings, format.format().readingKeys()));
  }

  /**
   * Returns the request for all of a dataset that a command has written and may not have published.
   */
  public static SourceRequest written(Path path, DatasetFormats.Entry format, Configuration conf)
      throws IOException {
    return new SourceRequest(
        path,
        new HadoopStorage(conf).locateChecked(path),
        format,
        InputSpec.of(Settings.NONE, format.format().readingKeys()));
  }

  /** Returns the groups of keys that control what a command reads. */
  static List<KeyOptions.Group> groups(List<SettingKey<?>> common) {
    return groups(common, false);
  }

  /** Returns the same groups for a conversion, which surveys the dataset first. */
  public static List<KeyOptions.Group> conversionGroups(List<SettingKey<?>> common) {
    return groups(common, true);
  }

  private static List<KeyOptions.Group> groups(List<SettingKey<?>> common, boolean surveys) {
    List<KeyOptions.Group> groups = new ArrayList<>();
    groups.add(new KeyOptions.Group("", common));
    for (DatasetFormats.Entry entry : DatasetFormats.registry().all()) {
      List<SettingKey<?>> keys = new ArrayList<>(entry.format().readingKeys());
      if (!surveys) {
        entry.format().survey().ifPresent(survey -> keys.removeAll(survey.keys()));
      }
      groups.add(new KeyOptions.Group("from " + entry.name(), keys));
    }
    return groups;
  }

  /** Returns a copy with other reading keys of the format. */
  public SourceRequest withFormat(Settings settings) {
    return new SourceRequest(path, location, format, spec.withFormat(settings));
  }

  /** Returns a copy with another projection. */
  public SourceRequest with(ProjectionRequest projection) {
    return new SourceRequest(path, location, format, spec.with(projection));
  }

  /** Warns of options that have no effect with the format of the source. */
  public void warnOfOptionsWithoutEffect(KeyOptions options, Consumer<String> warnings) {
    List<SettingKey<?>> effective = new ArrayList<>(InputKeys.all());
    effective.addAll(format.format().readingKeys());
    for (String name : options.withoutEffect(effective)) {
      warnings.accept("%s has no effect with a source of format %s".formatted(name, format.name()));
    }
  }
}
