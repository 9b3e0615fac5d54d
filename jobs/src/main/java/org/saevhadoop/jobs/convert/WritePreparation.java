package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.server.ClusterRoom;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.publish.run.InterruptedRuns;
import org.saevhadoop.mapreduce.publish.run.RunRecord;
import org.saevhadoop.mapreduce.spi.ConversionSource;
import org.saevhadoop.mapreduce.spi.PreparedWrite;
import org.saevhadoop.mapreduce.spi.WholeSource;

/**
 * Determines what a conversion writes, with the values that the user has left open: sizes of files
 * that keep a cluster busy; or, if an interrupted run is continued, all that this run had decided.
 *
 * @param asked the writing keys that the user has set
 * @param target the path that the user named
 */
record WritePreparation(DatasetFormats.Entry to, Settings asked, Path target, JobRunner runner) {
  /**
   * Returns the size of files with which each task that the cluster can run at once has one to
   * write, but at least a storage block; 0 if the user has given a size, if one file is enough, or
   * if jobs run in this process.
   */
  long fileBytes(TableShape table) throws IOException {
    if (runner.isLocal() || to.writing().fileSizeKeys().stream().anyMatch(asked::isSet)) {
      return 0;
    }
    runner.servers().reachResourceManager();
    FileSystem fs = target.getFileSystem(runner.conf());
    long tasks = ClusterRoom.mapTasks(runner.conf());
    long bytes = table.examples() * table.exampleBytes();
    long size = Math.max(fs.getDefaultBlockSize(target), (bytes - 1) / tasks + 1);
    return bytes <= size ? 0 : size;
  }

  /**
   * Determines what is written, by a run that continues an interrupted one if that is asked for and
   * one is found.
   *
   * @param sourcePath the path of the dataset that is read
   */
  PreparedWrite prepare(
      ConversionSource source, @Nullable WholeSource whole, Path sourcePath, boolean resume)
      throws IOException {
    PreparedWrite prepared = to.writing().prepare(source, asked, whole);
    Optional<RunRecord> earlier = resume ? earlier(prepared, sourcePath) : Optional.empty();
    if (earlier.isPresent()) {
      Configuration settings = new Configuration(false);
      earlier.get().settings().forEach(settings::set);
      Set<SettingKey<?>> keys = new LinkedHashSet<>(decided(prepared));
      keys.addAll(to.writing().fileSizeKeys());
      keys.removeIf(asked::isSet);
      Settings decided = ConfSettings.read(settings, keys);
      return to.writing().prepare(source.withoutFileBytes(), asked.and(decided), whole);
    }
    for (SettingKey<?> key : decided(prepared)) {
      if (to.writing().fileSizeKeys().contains(key)) {
        runner
            .listener()
            .message(
                "convert: %s=%s, so that every node of the cluster has files to write"
                    .formatted(key.options().get(0).name(), prepared.settings().get(key)));
      }
    }
    return prepared;
  }

  private Optional<RunRecord> earlier(PreparedWrite prepared, Path source) throws IOException {
    return InterruptedRuns.find(
        DatasetDestination.below(target, prepared.directory()),
        HadoopStorage.show(source.getFileSystem(runner.conf()).makeQualified(source)),
        to.writing().writesBelow(),
        runner.conf());
  }

  /** Returns the keys that the format has set and the user has not. */
  private List<SettingKey<?>> decided(PreparedWrite prepared) {
    List<SettingKey<?>> decided = new ArrayList<>(prepared.settings().keys());
    decided.removeIf(asked::isSet);
    return decided;
  }
}
