package org.saevhadoop.jobs.check;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.DatasetWriter;
import org.saevhadoop.format.dataset.write.DatasetWriter.Spool;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.ShardSinks;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobOutput;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.LocalOutput;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskAttempt;
import org.saevhadoop.jobs.task.WritingAttempt;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import org.saevhadoop.mapreduce.job.JobName;
import org.saevhadoop.mapreduce.job.OutputKeys;

/**
 * Verifies a dataset that a conversion has written: a map-only job repeats the conversion, and
 * compares each byte that it would write with the byte in the existing file. The source is read,
 * and its values are converted and written, by the same code as in the conversion, so that all
 * options of the conversion and all files are covered. Messages contain the path at which the
 * conversion publishes the dataset.
 *
 * @param to the format that was written
 * @param write the plan and the documents of the conversion
 * @param writes returns the output, a separate object for each task
 * @param written the folder of the dataset
 * @param published the path at which the dataset is published, for messages
 */
public record ConversionCheck(
    ConversionSpec spec,
    OpenedSource source,
    DatasetFormat to,
    DatasetWrite write,
    Io.Supplier<DatasetWrite> writes,
    StoragePath written,
    StoragePath published,
    JobRunner runner)
    implements JobOutput<StoragePath> {
  /** Returns a dataset as a folder that compares files. */
  static ComparedFolder folder(
      StoragePath written, Folder scratch, DatasetWrite write, Configuration conf)
      throws IOException {
    String published = ConfSettings.get(conf, OutputKeys.PUBLISH);
    StoragePath shown = published == null ? written : written.parse(published);
    return new ComparedFolder(written.folder(), shown.shown(), scratch, write);
  }

  /**
   * Verifies the dataset.
   *
   * @throws org.saevhadoop.format.io.FormatException if a document differs, or the dataset cannot
   *     be opened
   * @throws org.saevhadoop.jobs.run.JobFailedException if another file differs; the cause is a
   *     {@code FormatException} if the job ran in this process
   */
  public void run() throws IOException, InterruptedException {
    TableShape table = source.dataset().table();
    RecordRequest records = RecordRequest.inOrderOf(write.plan(), table);
    runner.run(
        DatasetJob.step("verify", source.request().source())
            .named(JobName.of("verify", source.request().source().name(), to.name()))
            .reading(source.input(spec.input(), records))
            .with(
                Settings.NONE
                    .with(ConversionKeys.VERIFY_WRITTEN, written.qualified())
                    .with(ConversionKeys.WRITTEN, to.getClass().getName())
                    .with(ConversionKeys.RUNS, true))
            .bytes(table.examples() * table.exampleBytes())
            .into(this));
    runner.listener().message("convert: verified: all bytes match the conversion of the source");
  }

  @Override
  public void prepare(Job job, @Nullable Path temporary) {
    Configuration conf = job.getConfiguration();
    spec.output().toConf(conf);
    conf.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    conf.setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    job.setOutputFormatClass(ComparingOutputFormat.class);
    FileOutputFormat.setOutputPath(job, temporary);
    job.setOutputKeyClass(ActivationKey.class);
    job.setOutputValueClass(ActivationWritable.class);
  }

  @Override
  public StoragePath result(Job job, FinishedJob finished, @Nullable Path temporary)
      throws IOException {
    return compareRest(HadoopFolder.of(Objects.requireNonNull(temporary), job.getConfiguration()));
  }

  /**
   * Compares the files that tasks do not write.
   *
   * @param work the work files of the tasks
   */
  private StoragePath compareRest(Folder work) throws IOException {
    ComparedFolder folder = new ComparedFolder(written.folder(), published.shown(), work, write);
    if (write.plan().table().examples() == 0) {
      compareEmptyFiles(folder);
    }
    for (Document document : write.finisher().documents(folder)) {
      try (Output out = folder.create(document.name())) {
        document.content().accept(out);
      }
    }
    checkReopened(folder);
    return written;
  }

  @Override
  public LocalOutput<StoragePath> local(@Nullable Class<? extends Task> task, JobRunner own)
      throws IOException {
    return new Local(new LocalFolder(Files.createTempDirectory(own.scratch(), "verify")));
  }

  /** The comparison performed by threads of this process. */
  private final class Local implements LocalOutput<StoragePath> {
    private final Folder work;

    Local(Folder work) {
      this.work = work;
    }

    @Override
    public TaskAttempt attempt(int task) {
      return new WritingAttempt() {
        @Override
        protected DatasetWriter open(UnaryOperator<Folder> count) throws IOException {
          DatasetWrite own = writes.get();
          Folder compared = new ComparedFolder(written.folder(), published.shown(), work, own);
          return new DatasetWriter(
              () -> {}, count.apply(compared), own, Spool.FALSE, true, runner.scratch());
        }

        @Override
        public void commit() {
          // only work files were written, under their own names
        }
      };
    }

    @Override
    public StoragePath result(FinishedJob finished) throws IOException {
      return compareRest(work);
    }

    @Override
    public DatasetCounter counter() {
      return DatasetCounter.BYTES_COMPARED;
    }
  }

  /** Compares the files of a dataset without examples, which has no records. */
  private void compareEmptyFiles(Folder folder) throws IOException {
    java.nio.file.Path localFolder = runner.scratch();
    try (ShardSinks sinks = write.sinks()) {
      for (long i = 0; i < write.plan().shardCount(); i++) {
        sinks.open(i, false, folder, localFolder).close();
      }
    }
  }

  /** Checks that readers recognize the dataset, and that it has the requested shape. */
  private void checkReopened(Folder folder) throws IOException {
    Location location = Location.of(folder);
    DatasetFormat found = runner.formats().detect(location);
    VerifyError.OTHER_DATASET.check(
        found.name().equals(to.name()),
        folder.path(),
        "is recognized as %s (expected %s)",
        found.name(),
        to.name());
    DatasetFormat format = to;
    if (format.stream(location, Settings.NONE).isPresent()) {
      return; // opening a stream reads all of it, and all of its bytes are compared
    }
    TableShape opened = format.open(location, Settings.NONE, runner.formats()).table();
    TableShape expected = write.plan().table();
    // the order of columns may differ, and labels may be a column
    VerifyError.OTHER_DATASET.check(
        opened.examples() == expected.examples()
            && new HashSet<>(opened.columns()).containsAll(expected.columns()),
        folder.path(),
        "has %d examples of %s (expected %d of %s)",
        opened.examples(),
        opened.columns(),
        expected.examples(),
        expected.columns());
  }
}
