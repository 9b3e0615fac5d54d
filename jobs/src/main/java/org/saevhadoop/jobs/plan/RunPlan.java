package org.saevhadoop.jobs.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.mapreduce.io.HadoopStorage;

/**
 * What a verb would do, as far as that is known before its first write. A number that is only known
 * after a stream has been staged, or a file compressed, is null.
 *
 * @param plan the way in which the work is done: {@link #MAP_ONLY}, {@link #SHUFFLE}, {@link
 *     #STAGED} or {@link #NOTHING}
 * @param path the path at which a dataset would be published; null if none is written, or if its
 *     name is not known yet
 * @param tasks the number of map tasks; of a verb that must stage a source, those of the first job
 * @param files the number of data files that would be written
 * @param bytesRead the number of bytes that these tasks would read
 * @param bytesWritten the total length of these data files
 * @param temporary the folders for temporary files
 * @param losses what the source has and the result would not have
 * @param changes what else would differ from the source
 */
public record RunPlan(
    String plan,
    @Nullable String path,
    long tasks,
    @JsonInclude @Nullable Long files,
    long bytesRead,
    @JsonInclude @Nullable Long bytesWritten,
    List<TemporaryBytes> temporary,
    List<String> losses,
    List<String> changes) {
  /** Map tasks read the sources. */
  public static final String MAP_ONLY = "map-only";

  /** Map tasks read the source, and reducers do the rest. */
  public static final String SHUFFLE = "shuffle";

  /** A source is staged first, and the rest is planned when that has been done. */
  public static final String STAGED = "staged";

  /** Map tasks stage the rows of the source in buckets, and others write the files. */
  public static final String TWO_PASSES = "two passes";

  /** No job is needed. */
  public static final String NOTHING = "nothing";

  /**
   * Temporary files in a folder.
   *
   * @param bytes their size; null if it is unknown
   * @param free the space that is free in the folder, in bytes; null if the storage does not know
   *     it
   */
  public record TemporaryBytes(
      String path, @JsonInclude @Nullable Long bytes, @JsonInclude @Nullable Long free) {
    /** Returns the temporary files in a folder, which need not exist. */
    public static TemporaryBytes of(Path folder, @Nullable Long bytes, Configuration conf)
        throws IOException {
      return new TemporaryBytes(
          HadoopStorage.show(folder, conf), bytes, FreeSpace.of(folder, conf).bytes());
    }
  }

  public RunPlan {
    temporary = List.copyOf(temporary);
    losses = List.copyOf(losses);
    changes = List.copyOf(changes);
  }

  /**
   * Returns the plan of this after a job that stages the rows.
   *
   * @param rows the folder in which they are staged
   */
  public RunPlan after(JobPlan first, TemporaryBytes rows) {
    List<TemporaryBytes> all = new ArrayList<>();
    all.add(rows);
    all.addAll(temporary);
    return new RunPlan(
        TWO_PASSES,
        path,
        first.maps() + tasks,
        files,
        first.bytes() + bytesRead,
        bytesWritten,
        all,
        losses,
        changes);
  }

  /** Returns a copy with more losses. */
  public RunPlan losing(List<String> more) {
    List<String> all = new ArrayList<>(more);
    all.addAll(losses);
    return new RunPlan(plan, path, tasks, files, bytesRead, bytesWritten, temporary, all, changes);
  }

  /** Returns a copy with more changes. */
  public RunPlan changing(List<String> more) {
    List<String> all = new ArrayList<>(more);
    all.addAll(changes);
    return new RunPlan(plan, path, tasks, files, bytesRead, bytesWritten, temporary, losses, all);
  }

  /** Returns the plan of a verb that runs jobs which only read. */
  public static RunPlan ofReading(String plan, List<JobPlan> jobs, Configuration conf)
      throws IOException {
    Set<Path> folders = new LinkedHashSet<>();
    for (JobPlan job : jobs) {
      if (job.temporary() != null) {
        folders.add(job.temporary());
      }
    }
    List<TemporaryBytes> temporary = new ArrayList<>();
    for (Path folder : folders) {
      temporary.add(TemporaryBytes.of(folder, null, conf));
    }
    return new RunPlan(
        jobs.isEmpty() ? NOTHING : plan,
        null,
        jobs.stream().mapToLong(JobPlan::maps).sum(),
        0L,
        jobs.stream().mapToLong(JobPlan::bytes).sum(),
        0L,
        temporary,
        List.of(),
        List.of());
  }
}
