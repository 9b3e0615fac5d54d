package org.saevhadoop.converters.convert;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.saevhadoop.converters.job.YarnApplications;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.publish.DatasetPublication;
import org.saevhadoop.mapreduce.publish.ReplaceableDataset;
import org.saevhadoop.mapreduce.publish.RunFolder;
import org.saevhadoop.mapreduce.publish.RunRecord;
import org.saevhadoop.mapreduce.publish.SourceOverlap;

/**
 * The path at which a conversion publishes its dataset.
 *
 * @param source the path of the dataset that is read
 * @param published the path
 * @param replace whether an existing dataset there may be replaced
 * @param conf the configuration of the file systems
 */
record DatasetDestination(Path source, Path published, boolean replace, Configuration conf) {
  /**
   * Checks that the dataset can be published at the path, as far as that can be known before it is
   * written.
   *
   * @throws FormatException if the path is unusable, overlaps with the source, or contains
   *     something that must not be replaced
   */
  void check() throws IOException {
    PathArgument.checkWritable(published);
    SourceOverlap.check(source, published, conf);
    DatasetPublication.checkFree(published, replace, conf);
  }

  /**
   * Claims the path for a run. What a killed run left behind is cleaned up before the path is
   * checked, as the dataset that it was replacing may have to be put back.
   *
   * @param settings the settings that define what is written
   * @throws FormatException if another run writes there, or if the path cannot be written
   */
  RunFolder claim(Configuration settings) throws IOException {
    PathArgument.checkWritable(published);
    SourceOverlap.check(source, published, conf);
    DatasetPublication.checkFree(published, true, conf); // that it can be accessed
    RunFolder run = claim(RunFolder.of(published), settings);
    try {
      check();
      if (replace && published.getFileSystem(conf).exists(published)) {
        ReplaceableDataset.check(published, DatasetFormats.registry(), conf);
      }
      return run;
    } catch (IOException | RuntimeException e) {
      run.close();
      throw e;
    }
  }

  /** Claims a folder in which the source is staged, beside the path. */
  RunFolder claimStaging() throws IOException {
    return claim(RunFolder.forStaging(source, published), new Configuration(false));
  }

  private RunFolder claim(Path folder, Configuration settings) throws IOException {
    Map<String, String> plan = new TreeMap<>();
    settings.forEach(entry -> plan.put(entry.getKey(), entry.getValue()));
    RunRecord record =
        RunRecord.of(
            published.toString(),
            RunFolder.data(folder).toString(),
            HadoopStorage.show(source.getFileSystem(conf).makeQualified(source)),
            UserGroupInformation.getCurrentUser().getShortUserName(),
            plan);
    return RunFolder.claim(folder, record, new YarnApplications(conf), conf);
  }

  /**
   * Returns the path of a dataset in a subfolder of the path that the user named. Leading
   * components of the subfolder are not repeated if that path already ends with them.
   */
  static Path below(Path place, String directory) {
    if (directory.isEmpty()) {
      return place;
    }
    Path relative = new Path(null, null, directory);
    String above = relative.getParent() == null ? "" : relative.getParent().toString();
    return !above.isEmpty() && place.toUri().getPath().endsWith("/" + above)
        ? PathArgument.child(place, relative.getName())
        : new Path(place, relative);
  }
}
