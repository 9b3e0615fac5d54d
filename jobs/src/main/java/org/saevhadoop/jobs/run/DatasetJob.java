package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.task.JobInput;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskMapper;
import org.saevhadoop.jobs.task.TaskRecords;
import org.saevhadoop.jobs.task.WorkItem;
import org.saevhadoop.mapreduce.job.JobName;

/**
 * A job over datasets, which {@link JobRunner#run} runs.
 *
 * <pre>{@code
 * DatasetJob.step("stats", source.request().source())
 *     .reading(source.input(spec, blocks))
 *     .bytes(table.examples() * table.exampleBytes())
 *     .task(StatsBlocks.class)
 *     .collect(new GroupParts(layout));
 * }</pre>
 *
 * @param parts the description of the job, except for its output
 * @param output the output, and the result for the caller
 */
public record DatasetJob<R>(Parts parts, JobOutput<R> output) {
  /**
   * Begins a map-only job whose tasks pass on records unless they have a mapper.
   *
   * @param step the step of the verb, such as {@code digest}, for progress and messages
   * @param source the path of the dataset that the job reads, for the name of the job and for
   *     failures that name no path
   */
  public static Parts step(String step, StoragePath source) {
    return new Parts(step, source);
  }

  String step() {
    return parts.step;
  }

  /** Returns the name under which a cluster lists the job. */
  String name() {
    return parts.name == null ? JobName.of(parts.step, parts.source.name()) : parts.name;
  }

  StoragePath source() {
    return parts.source;
  }

  /** Returns the sources: one or more. */
  JobInput input() {
    return Objects.requireNonNull(parts.input);
  }

  Settings settings() {
    return parts.settings;
  }

  /** Returns the number of bytes that the map tasks read. */
  long bytes() {
    return parts.bytes;
  }

  /** Returns the class of the tasks; null if only Hadoop can run them. */
  @Nullable Class<? extends Task> task() {
    return parts.task;
  }

  /** Returns the dataset that is compared with the source; null if there is none. */
  @Nullable JobInput second() {
    return parts.second;
  }

  /** Returns the work items of the tasks; null if the tasks read ranges of examples. */
  Io.@Nullable Supplier<List<? extends WorkItem>> items() {
    return parts.items;
  }

  /** Returns whether threads of this process can do the work of the job. */
  boolean isPlain() {
    return parts.items != null || parts.mapper == null && parts.tasks == null;
  }

  /** Returns the minimum size of a split in bytes, unless split sizes are configured. */
  long splitBytes() {
    return parts.splitBytes;
  }

  void setTasks(Job job) throws IOException {
    if (parts.splitBytes > 1 && !JobRunner.hasSplitSizes(job.getConfiguration())) {
      FileInputFormat.setMinInputSplitSize(job, parts.splitBytes);
    }
    if (parts.second != null) {
      TaskMapper.setSecond(job, parts.second);
    }
    // otherwise, the class in the configuration would be created
    job.setMapperClass(parts.mapper == null ? Mapper.class : parts.mapper.get());
    job.setNumReduceTasks(0);
    if (parts.task != null) {
      TaskMapper.set(job, parts.task);
    }
    if (parts.tasks != null) {
      parts.tasks.accept(job);
    }
  }

  /**
   * Returns the folder of the run that records the job while it runs on YARN; null if there is
   * none.
   */
  @Nullable RunFolder folder() {
    return parts.folder;
  }

  /** The parts of a job that is being described. */
  public static final class Parts {
    private final String step;
    private final StoragePath source;
    private @Nullable JobInput input;
    private @Nullable String name;
    private Settings settings = Settings.NONE;
    private long bytes;
    private long splitBytes = 1;
    private @Nullable Supplier<Class<? extends Mapper<?, ?, ?, ?>>> mapper;
    private Io.@Nullable Supplier<List<? extends WorkItem>> items;
    private @Nullable Class<? extends Task> task;
    private @Nullable JobInput second;
    private @Nullable Consumer<Job> tasks;
    private @Nullable RunFolder folder;

    private Parts(String step, StoragePath source) {
      this.step = step;
      this.source = source;
    }

    /** Sets the name under which a cluster lists the job. */
    public Parts named(String other) {
      name = other;
      return this;
    }

    /** Sets the source. */
    public Parts reading(JobInput read) {
      input = read;
      return this;
    }

    /** Sets the settings for tasks. */
    public Parts with(Settings known) {
      settings = known;
      return this;
    }

    /** Sets the number of bytes that the map tasks read, for progress reports. */
    public Parts bytes(long count) {
      bytes = count;
      return this;
    }

    /** Sets the minimum size of a split in bytes, unless the user has set split sizes. */
    public Parts splitBytes(long count) {
      splitBytes = count;
      return this;
    }

    /** Sets a dataset that tasks open to compare it with the source. */
    public Parts comparedWith(JobInput other) {
      second = other;
      return this;
    }

    /** Sets the class of the tasks. */
    public Parts task(Class<? extends Task> type) {
      task = type;
      return this;
    }

    /** Sets the supplier of the class of Hadoop's map tasks, if they do not run a {@link Task}. */
    public Parts map(Supplier<Class<? extends Mapper<?, ?, ?, ?>>> type) {
      mapper = type;
      return this;
    }

    /** Sets the work items of tasks that run in this process, in place of a mapper. */
    public Parts items(Io.Supplier<List<? extends WorkItem>> list) {
      items = list;
      return this;
    }

    /** Sets further Hadoop options for the tasks, such as the reducer. */
    public Parts tasks(Consumer<Job> setting) {
      tasks = setting;
      return this;
    }

    /** Sets the folder of a run, which records the job while it runs on YARN. */
    public Parts recordedIn(@Nullable RunFolder run) {
      folder = run;
      return this;
    }

    /** Returns the job, whose result is made from the output of tasks. */
    public <R> DatasetJob<R> collect(TaskRecords.Collector<R> collector) {
      return into(new TaskResults<>(collector));
    }

    public <R> DatasetJob<R> into(JobOutput<R> output) {
      return new DatasetJob<>(this, output);
    }
  }
}
