package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.publish.run.InterruptedRuns;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.PreparedWrite;
import org.saevhadoop.format.spi.WholeSource;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/**
 * Determines the output of a conversion, including the file sizes that the user has not specified;
 * if an interrupted run is continued, its decisions are used.
 *
 * @param asked the writing keys that the user has set
 * @param target the path that the user named
 */
record WritePreparation(DatasetFormat to, Settings asked, StoragePath target, JobRunner runner) {
  /** Returns the default size of a file; 0 if the user has given a size. */
  long fileBytes(TableShape table) {
    boolean given = to.requireWriting().fileSizeKeys().stream().anyMatch(asked::isSet);
    return given ? 0 : ConversionSource.defaultFileBytes(table);
  }

  /**
   * Determines the output, which continues an interrupted run if this is requested and such a run
   * is found.
   *
   * @param sources the paths of the datasets that are read
   */
  PreparedWrite prepare(
      ConversionSource source,
      @Nullable WholeSource whole,
      List<StoragePath> sources,
      boolean resume)
      throws IOException {
    PreparedWrite prepared = to.requireWriting().prepare(source, asked, whole);
    Optional<RunRecord> earlier = resume ? earlier(prepared, sources) : Optional.empty();
    if (earlier.isPresent()) {
      Set<SettingKey<?>> keys = new LinkedHashSet<>(decided(prepared));
      keys.addAll(to.requireWriting().fileSizeKeys());
      keys.removeIf(asked::isSet);
      Settings decided = ConfSettings.read(earlier.get().settings(), keys);
      // older builds began runs without a size, with files of the format's maximum size
      return to.requireWriting().prepare(source.withoutFileBytes(), asked.and(decided), whole);
    }
    return prepared;
  }

  private Optional<RunRecord> earlier(PreparedWrite prepared, List<StoragePath> sources)
      throws IOException {
    return InterruptedRuns.find(
        DatasetDestination.below(target, prepared.directory()),
        RunRecord.source(sources),
        to.requireWriting().writesBelow(),
        runner.storage(target));
  }

  /** Returns the keys that the format has set and the user has not. */
  private List<SettingKey<?>> decided(PreparedWrite prepared) {
    List<SettingKey<?>> decided = new ArrayList<>(prepared.settings().keys());
    decided.removeIf(asked::isSet);
    return decided;
  }
}
