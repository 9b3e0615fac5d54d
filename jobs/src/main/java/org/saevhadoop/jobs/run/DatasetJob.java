package org.saevhadoop.jobs.run;

import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.mapreduce.publish.run.RunFolder;

/**
 * A job over datasets. {@link JobRunner#run} runs it.
 *
 * @param step the step of the verb, such as {@code digest}, for progress and messages
 * @param name the name under which a cluster lists it
 * @param source the path of the dataset that it reads, for failures that name none
 * @param inputs the sources: one or more. With several, tasks learn the index of the source of a
 *     record from {@link org.saevhadoop.mapreduce.input.SourcesInputFormat#source}
 * @param settings what tasks need to know
 * @param bytes the number of bytes that its maps read, for the progress
 * @param tasks sets the classes and the number of its tasks; without a mapper, records are passed
 *     on
 * @param folder the folder of a run, which records the job while it runs on YARN; null for a job
 *     that is not part of a run
 */
public record DatasetJob<R>(
    String step,
    String name,
    Path source,
    List<JobInput> inputs,
    Settings settings,
    long bytes,
    Consumer<Job> tasks,
    JobOutput<R> output,
    @Nullable RunFolder folder) {
  public DatasetJob {
    inputs = List.copyOf(inputs);
  }
}
