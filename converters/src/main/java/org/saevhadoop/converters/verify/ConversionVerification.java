package org.saevhadoop.converters.verify;

import java.io.IOException;
import java.util.HashSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.PathDisplay;
import org.saevhadoop.converters.console.TemporaryFolder;
import org.saevhadoop.converters.job.JobRun;
import org.saevhadoop.converters.source.OpenedSource;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.ShardSinks;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import org.saevhadoop.mapreduce.job.JobName;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.spi.DatasetFormat;

/**
 * Verifies a dataset that a conversion has written: a map-only job repeats the conversion, and
 * compares each byte that it would write with the files. The same reading of the source, the same
 * conversion of values and the same writers are used, so that all options of the conversion and all
 * files are covered.
 */
public final class ConversionVerification {
  private final ConversionSpec spec;
  private final OpenedSource source;
  private final DatasetFormats.Entry to;
  private final DatasetWrite write;
  private final Path written;
  private final Console console;

  private ConversionVerification(
      ConversionSpec spec,
      OpenedSource source,
      DatasetFormats.Entry to,
      DatasetWrite write,
      Path written,
      Console console) {
    this.spec = spec;
    this.source = source;
    this.to = to;
    this.write = write;
    this.written = written;
    this.console = console;
  }

  /**
   * Verifies a dataset. Messages name the path at which the conversion publishes it.
   *
   * @param spec the conversion
   * @param source the source of the conversion
   * @param to the format that was written
   * @param write the plan and the documents of the conversion
   * @param written the folder in which the dataset lies
   * @throws org.saevhadoop.format.io.FormatException if a document differs, or the dataset cannot
   *     be opened
   * @throws JobRun.Failed if another file differs; the cause is a {@code FormatException} if the
   *     job ran in this process
   */
  public static void verify(
      ConversionSpec spec,
      OpenedSource source,
      DatasetFormats.Entry to,
      DatasetWrite write,
      Path written,
      Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    new ConversionVerification(spec, source, to, write, written, console).verify();
  }

  /** Returns a dataset as a folder that compares files. */
  static ComparedFolder folder(Path written, Folder scratch, DatasetWrite write, Configuration conf)
      throws IOException {
    String published = ConfSettings.get(conf, OutputKeys.PUBLISH);
    return new ComparedFolder(
        HadoopFolder.of(written, conf),
        PathDisplay.show(published == null ? written : new Path(published), conf),
        scratch,
        write);
  }

  private void verify() throws IOException, InterruptedException, ClassNotFoundException {
    Path scratch = console.temporaryFolder("verify");
    FileSystem fs = scratch.getFileSystem(console.conf());
    try (TemporaryFolder temporary = new TemporaryFolder(fs, scratch)) {
      Job job = job(temporary.path());
      TableShape table = source.dataset().table();
      JobRun.run(job, "verify", table.examples() * table.exampleBytes(), console);
      Configuration conf = job.getConfiguration();
      ComparedFolder folder = folder(written, HadoopFolder.of(scratch, conf), write, conf);
      if (write.plan().table().examples() == 0) {
        compareEmptyFiles(folder);
      }
      for (Document document : write.finisher().documents(folder)) {
        try (Output out = folder.create(document.name())) {
          document.content().writeTo(out);
        }
      }
      checkReopened(folder);
      console.err().printf("convert: verified: all bytes are those that the source converts to%n");
    }
  }

  private Job job(Path scratch) throws IOException {
    Job job =
        Job.getInstance(console.conf(), JobName.of("verify", source.request().path(), to.name()));
    Configuration conf = job.getConfiguration();
    RecordRequest records = RecordRequest.inOrderOf(write.plan(), source.dataset().table());
    spec.with(spec.input().with(records)).toConf(conf);
    ConfSettings.write(
        Settings.NONE
            .with(ConversionKeys.VERIFY_WRITTEN, written.toString())
            .with(ConversionKeys.VERIFY_FORMAT, to.name()),
        conf);
    conf.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    conf.setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    job.setJarByClass(ConversionVerification.class);
    job.setInputFormatClass(source.inputFormat());
    job.setMapperClass(Mapper.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(ComparingOutputFormat.class);
    FileOutputFormat.setOutputPath(job, scratch);
    job.setOutputKeyClass(ActivationKey.class);
    job.setOutputValueClass(ActivationWritable.class);
    return job;
  }

  /** Compares the files of a dataset without examples, which has no records. */
  private void compareEmptyFiles(Folder folder) throws IOException {
    java.nio.file.Path localFolder = console.scratch();
    try (ShardSinks sinks = write.sinks()) {
      for (long i = 0; i < write.plan().shardCount(); i++) {
        sinks.open(i, false, folder, localFolder).close();
      }
    }
  }

  /** Checks that readers find the dataset, and that it has the shape that was asked for. */
  private void checkReopened(Folder folder) throws IOException {
    Location location = Location.of(folder);
    DatasetFormats.Entry found = DatasetFormats.registry().detect(location);
    VerifyError.OTHER_DATASET.check(
        found.name().equals(to.name()),
        folder.path(),
        "is recognized as %s (expected %s)",
        found.name(),
        to.name());
    DatasetFormat format = to.format();
    if (format.stream(location).isPresent()) {
      return; // opening a stream reads all of it, and all of its bytes are compared
    }
    TableShape opened = format.open(location, Settings.NONE, DatasetFormats.registry()).table();
    TableShape expected = write.plan().table();
    // the order of columns may be another one, and labels may be a column
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
