package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.staged.StagedRecord;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.LostMasters;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.StagedFiles;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.mapreduce.job.OutputKeys;

/**
 * The parts of a stage, named after their examples.
 *
 * @param source the shape of the source
 * @param folder the folder of the parts, which does not have to exist before they are made
 */
public record ExampleParts(Geometry source, StoragePath folder, JobRunner runner) {
  private static final Pattern NAME = Pattern.compile("(\\d+)-(\\d+)");

  /** Returns the name of the part that contains a range of examples. */
  public static String range(long first, long count) {
    return "%012d-%d".formatted(first, count);
  }

  /**
   * Returns the examples that no part contains.
   *
   * @param names the names of the parts, which must not share examples
   */
  public static List<ExampleRange> missing(Collection<String> names, long examples) {
    List<ExampleRange> found = new ArrayList<>();
    for (String name : names) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        found.add(
            new ExampleRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))));
      }
    }
    found.sort((a, b) -> Long.compare(a.first(), b.first()));
    List<ExampleRange> missing = new ArrayList<>();
    long next = 0;
    for (ExampleRange range : found) {
      if (range.first() > next) {
        missing.add(new ExampleRange(next, range.first() - next));
      }
      next = range.first() + range.count();
    }
    if (next < examples) {
      missing.add(new ExampleRange(next, examples - next));
    }
    return missing;
  }

  /** Opens the folder, in which files are forced to the disk if the user requests this. */
  public StagedFolder open() throws IOException {
    return StagedFolder.of(folder.folder(isForced(), false));
  }

  private boolean isForced() {
    return runner.shared(OutputKeys.SYNC).forces(folder.isLocal());
  }

  private Map<String, StagedRecord> complete() throws IOException {
    return folder.kind() == StoragePath.Kind.FOLDER ? open().complete() : Map.of();
  }

  /**
   * Makes the missing parts; several jobs are run if the cluster loses application masters.
   *
   * @param step the name of the job
   * @param jobs returns the job, still without its output, for the setting that specifies the
   *     examples
   * @param run the folder of the run, which records the job
   */
  public void make(String step, Io.Function<Settings, DatasetJob.Parts> jobs, RunFolder run)
      throws IOException, InterruptedException {
    new LostMasters(runner.listener())
        .repeat(() -> makeMissing(step, jobs, run), () -> complete().size(), "examples");
  }

  /** Makes parts, and returns the number of ranges of examples that were missing. */
  private int makeMissing(String step, Io.Function<Settings, DatasetJob.Parts> jobs, RunFolder run)
      throws IOException, InterruptedException {
    List<ExampleRange> missing =
        missing(open().keepComplete(line -> {}).keySet(), source.examples());
    if (!missing.isEmpty()) {
      RunListener listener = runner.listener();
      listener.message(
          "%s: %s; the rows wait in %s"
              .formatted(step, ByteSizes.show(bytes(missing)), folder.shown()));
      FinishedJob job = runner.run(job(jobs, missing, run));
      job.changes().ifPresent(line -> listener.message(step + ": " + line));
      runner.storage(folder).force(folder);
    }
    return missing.size();
  }

  /**
   * Returns the plan of the first job of {@link #make}.
   *
   * @param resumed whether an interrupted run is continued
   */
  public JobPlan plan(Io.Function<Settings, DatasetJob.Parts> jobs, boolean resumed)
      throws IOException, InterruptedException {
    Set<String> parts = resumed ? complete().keySet() : Set.of();
    return runner.plan(job(jobs, missing(parts, source.examples()), null));
  }

  /**
   * Returns the total length in bytes of the files that {@link #make} would write.
   *
   * @param all the total length in bytes of the files of all parts
   * @param resumed whether an interrupted run is continued
   */
  public long bytesLeft(long all, boolean resumed) throws IOException {
    Map<String, StagedRecord> written = resumed ? complete() : Map.of();
    return Math.max(0, all - written.values().stream().mapToLong(StagedRecord::bytes).sum());
  }

  private long bytes(List<ExampleRange> missing) {
    return missing.stream().mapToLong(ExampleRange::count).sum() * source.exampleBytes();
  }

  private DatasetJob<FinishedJob> job(
      Io.Function<Settings, DatasetJob.Parts> jobs,
      List<ExampleRange> missing,
      @Nullable RunFolder run)
      throws IOException {
    return jobs.apply(Settings.NONE.with(ConversionKeys.MISSING, missing))
        .bytes(bytes(missing))
        .recordedIn(run)
        .into(new StagedFiles(folder, runner.storage(folder), isForced()));
  }
}
