package org.saevhadoop.jobs.source;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.NestedDatasets;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobRunner;

/**
 * Determines the format of a source: the format that the user names, or the format of its files.
 */
final class SourceFormat {
  private SourceFormat() {}

  /**
   * Returns the format.
   *
   * @param typed the path as the user has written it
   * @param isOnly whether it is the only source, so that a named format must be its format
   * @param conf the configuration with the keys of the source
   */
  static DatasetFormat of(
      String typed,
      StoragePath named,
      Location location,
      boolean isOnly,
      SettingSource source,
      @Nullable Configuration conf,
      JobRunner runner)
      throws IOException {
    SettingKey<DatasetFormat> key = runner.formats().sourceFormat();
    DatasetFormat asked = source.settings(conf, List.of(key)).get(key);
    NamePattern files = source.settings(conf, List.of(ArrayKeys.FILES)).get(ArrayKeys.FILES);
    DatasetFormat decided = asked == null ? decided(source, conf, runner.formats()) : asked;
    boolean isIts = asked != null && (isOnly || asked.detect(location) != FormatEvidence.NONE);
    DatasetFormat its = isIts ? asked : null;
    return files == null || location.isFile()
        ? formatOr(decided, () -> format(typed, named, location, its, runner))
        : format(location, files.toString(), decided, runner.formats());
  }

  /**
   * Returns the format of files that only keys set by the user describe; null if no such key is
   * set.
   */
  private static @Nullable DatasetFormat decided(
      SettingSource source, @Nullable Configuration conf, DatasetFormats formats) {
    for (DatasetFormat format : formats.all()) {
      List<SettingKey<?>> keys = format.decidingKeys();
      if (!keys.isEmpty() && !source.settings(conf, keys).keys().isEmpty()) {
        return format;
      }
    }
    return null;
  }

  /** Returns the format of files, or {@code other} if no format recognizes the files. */
  private static DatasetFormat formatOr(
      @Nullable DatasetFormat other, Io.Supplier<DatasetFormat> detection) throws IOException {
    try {
      return detection.get();
    } catch (NestedDatasetsException e) {
      throw e;
    } catch (FormatException e) {
      if (other == null || e.kind() != DatasetError.UNKNOWN_FORMAT) {
        throw e;
      }
      return other;
    }
  }

  /** Returns the format of files in a folder and below it whose names match a pattern. */
  private static DatasetFormat format(
      Location folder, String files, @Nullable DatasetFormat asked, DatasetFormats formats)
      throws IOException {
    if (asked != null) {
      return asked;
    }
    Optional<DatasetFormat> named =
        formats.all().stream().filter(entry -> entry.isArrayFile(files)).findFirst();
    return named.isPresent() ? named.get() : formats.detect(folder);
  }

  /**
   * Returns the format of a source.
   *
   * @param typed the path as the user has written it
   */
  private static DatasetFormat format(
      String typed,
      StoragePath path,
      Location location,
      @Nullable DatasetFormat asked,
      JobRunner runner)
      throws IOException {
    DatasetFormats formats = runner.formats();
    try {
      if (asked == null) {
        return formats.detect(location);
      }
      if (asked.detect(location) != FormatEvidence.NONE) {
        return asked;
      }
    } catch (FormatException e) {
      if (e.kind() == DatasetError.UNKNOWN_FORMAT) {
        refuse(typed, path, location, null, runner);
      }
      throw e;
    }
    refuse(typed, path, location, asked, runner);
    return asked;
  }

  /** Refuses the path of a part of a dataset, or of a folder that contains datasets. */
  private static void refuse(
      String typed,
      StoragePath path,
      Location location,
      @Nullable DatasetFormat asked,
      JobRunner runner)
      throws IOException {
    StoragePath parent = path.parent();
    if (parent != null) {
      runner.formats().refusePart(parent.folder(), path.name());
    }
    if (!location.isFile()) {
      NestedDatasets found = NestedDatasets.in(location.folder(), runner.formats(), asked);
      if (!found.paths().isEmpty()) {
        throw new NestedDatasetsException(typed, location.path(), found);
      }
    }
  }
}
