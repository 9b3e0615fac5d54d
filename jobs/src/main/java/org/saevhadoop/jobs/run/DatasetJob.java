package org.saevhadoop.jobs.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.mapreduce.job.JobName;
import org.saevhadoop.mapreduce.publish.run.RunFolder;

/**
 * A job over datasets, which {@link JobRunner#run} runs.
 *
 * <pre>{@code
 * DatasetJob.step("stats", source.request().path())
 *     .reading(source.input(spec, blocks))
 *     .bytes(table.examples() * table.exampleBytes())
 *     .map(StatsBlocks.class)
 *     .into(new GroupParts(layout));
 * }</pre>
 *
 * @param parts everything but the output
 * @param output the output, and the result for the caller
 */
public record DatasetJob<R>(Parts parts, JobOutput<R> output) {
  /**
   * Begins a map-only job, whose tasks pass records on unless they have a mapper.
   *
   * @param step the step of the verb, such as {@code digest}, for progress and messages
   * @param source the path of the dataset that it reads, for its name and for failures that name
   *     none
   */
  public static Parts step(String step, Path source) {
    return new Parts(step, source);
  }

  String step() {
    return parts.step;
  }

  /** Returns the name under which a cluster lists the job. */
  String name() {
    return parts.name;
  }

  Path source() {
    return parts.source;
  }

  /** Returns the sources: one or more. */
  List<JobInput> inputs() {
    return parts.inputs;
  }

  Settings settings() {
    return parts.settings;
  }

  /** Returns the number of bytes that the maps read. */
  long bytes() {
    return parts.bytes;
  }

  void setTasks(Job job) {
    // otherwise, that of the configuration would be created
    job.setMapperClass(parts.mapper == null ? Mapper.class : parts.mapper);
    job.setNumReduceTasks(0);
    parts.tasks.accept(job);
  }

  /** Returns the folder of the run that records the job while it runs on YARN; null without one. */
  @Nullable RunFolder folder() {
    return parts.folder;
  }

  /** The parts of a job that is being described. */
  public static final class Parts {
    private final String step;
    private final Path source;
    private final List<JobInput> inputs = new ArrayList<>();
    private String name;
    private Settings settings = Settings.NONE;
    private long bytes;
    private @Nullable Class<? extends Mapper<?, ?, ?, ?>> mapper;
    private Consumer<Job> tasks = job -> {};
    private @Nullable RunFolder folder;

    private Parts(String step, Path source) {
      this.step = step;
      this.source = source;
      this.name = JobName.of(step, source);
    }

    /** Sets the name under which a cluster lists the job. */
    public Parts named(String other) {
      name = other;
      return this;
    }

    /**
     * Adds a source. With several, tasks learn the index of the source of a record from {@link
     * org.saevhadoop.mapreduce.input.SourcesInputFormat#source}.
     */
    public Parts reading(JobInput input) {
      inputs.add(input);
      return this;
    }

    /** Sets what tasks need to know. */
    public Parts with(Settings known) {
      settings = known;
      return this;
    }

    /** Sets the number of bytes that the maps read, for the progress. */
    public Parts bytes(long count) {
      bytes = count;
      return this;
    }

    /** Sets the class of the map tasks. */
    public Parts map(Class<? extends Mapper<?, ?, ?, ?>> type) {
      mapper = type;
      return this;
    }

    /** Sets what else Hadoop must know of the tasks, such as reducers. */
    public Parts tasks(Consumer<Job> setting) {
      tasks = setting;
      return this;
    }

    /** Sets the folder of a run, which records the job while it runs on YARN. */
    public Parts recordedIn(@Nullable RunFolder run) {
      folder = run;
      return this;
    }

    /** Returns the job. */
    public <R> DatasetJob<R> into(JobOutput<R> output) {
      return new DatasetJob<>(this, output);
    }
  }
}
