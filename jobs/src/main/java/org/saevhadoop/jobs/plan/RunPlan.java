package org.saevhadoop.jobs.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobPlan;

/**
 * What a verb would do, as far as that is known before its first write. A number that is only known
 * after a stream has been staged, or a file compressed, is null.
 *
 * @param plan the way in which the work is done: {@link #MAP_ONLY}, {@link #SHUFFLE}, {@link
 *     #STAGED}, {@link #COPY}, {@link #TWO_PASSES}, {@link #SECOND_PASS} or {@link #NOTHING}
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

  /** Map tasks write the files from rows that an earlier plan of the same command stages. */
  public static final String SECOND_PASS = "second pass";

  /** Map tasks copy files. */
  public static final String COPY = "copy";

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
    public static TemporaryBytes of(StoragePath folder, @Nullable Long bytes) throws IOException {
      return new TemporaryBytes(folder.shown(), bytes, FreeSpace.of(folder).bytes());
    }
  }

  public RunPlan {
    temporary = List.copyOf(temporary);
    losses = List.copyOf(losses);
    changes = List.copyOf(changes);
  }

  /** Begins a plan that reads and writes nothing. */
  public static Builder of(String plan) {
    return new Builder(plan);
  }

  /** Returns the plan of a verb that runs jobs which only read. */
  public static RunPlan ofReading(String plan, List<JobPlan> jobs) throws IOException {
    Builder found = of(jobs.isEmpty() ? NOTHING : plan);
    jobs.forEach(found::reading);
    Set<StoragePath> folders = new LinkedHashSet<>();
    for (JobPlan job : jobs) {
      if (job.temporary() != null && folders.add(job.temporary())) {
        found.temporary(TemporaryBytes.of(job.temporary(), null));
      }
    }
    return found.build();
  }

  /**
   * Returns the plan of this after a job that stages the rows.
   *
   * @param rows the folder in which they are staged
   */
  public RunPlan after(JobPlan first, TemporaryBytes rows) {
    Builder both = of(TWO_PASSES).reading(first).temporary(rows);
    both.tasks += tasks;
    both.bytesRead += bytesRead;
    temporary.forEach(both::temporary);
    return both.writing(path, files, bytesWritten).losing(losses).changing(changes).build();
  }

  /** Returns the plan of this after a job that stages its rows, which another plan contains. */
  public RunPlan afterAnother() {
    return copy(SECOND_PASS, List.of(), List.of());
  }

  /** Returns a copy that lists more losses and changes before its own. */
  public RunPlan noting(List<String> moreLosses, List<String> moreChanges) {
    return copy(plan, moreLosses, moreChanges);
  }

  private RunPlan copy(String other, List<String> moreLosses, List<String> moreChanges) {
    Builder copy = of(other).losing(moreLosses).changing(moreChanges);
    copy.tasks = tasks;
    copy.bytesRead = bytesRead;
    temporary.forEach(copy::temporary);
    return copy.writing(path, files, bytesWritten).losing(losses).changing(changes).build();
  }

  /** A plan that is being made. */
  public static final class Builder {
    private final String plan;
    private final List<TemporaryBytes> temporary = new ArrayList<>();
    private final List<String> losses = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private @Nullable String path;
    private long tasks;
    private @Nullable Long files = 0L;
    private long bytesRead;
    private @Nullable Long bytesWritten = 0L;

    private Builder(String plan) {
      this.plan = plan;
    }

    /** Adds the map tasks of a job. */
    public Builder reading(JobPlan job) {
      tasks += job.maps();
      bytesRead += job.bytes();
      return this;
    }

    /**
     * Sets the dataset that is written.
     *
     * @param published its path; null if its name is not known yet
     * @param count the number of data files; null if it is not known yet
     * @param bytes their total length; null if it is not known yet
     */
    public Builder writing(@Nullable String published, @Nullable Long count, @Nullable Long bytes) {
      path = published;
      files = count;
      bytesWritten = bytes;
      return this;
    }

    /** Adds a folder for temporary files. */
    public Builder temporary(TemporaryBytes folder) {
      temporary.add(folder);
      return this;
    }

    public Builder losing(List<String> lines) {
      losses.addAll(lines);
      return this;
    }

    public Builder changing(List<String> lines) {
      changes.addAll(lines);
      return this;
    }

    public RunPlan build() {
      return new RunPlan(
          plan, path, tasks, files, bytesRead, bytesWritten, temporary, losses, changes);
    }
  }
}
