package org.saevhadoop.converters.source;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputFormat;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.job.JobRun;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.staging.StagedInputFormat;
import org.saevhadoop.mapreduce.staging.StreamStaging;

/**
 * A dataset that a command reads, at any position: a stream is staged first, into a folder that
 * goes when this is closed.
 *
 * @param request what was asked for
 * @param format its format
 * @param spec what is read of it, and where jobs find it
 * @param whole all of it
 * @param part what of it was asked for
 * @param dataset that part
 * @param staged the folder that goes; null if there is none
 */
record OpenedSource(
    SourceRequest request,
    DatasetFormats.Entry format,
    InputSpec spec,
    TableDataset whole,
    Projection part,
    TableDataset dataset,
    Path staged,
    Configuration conf)
    implements AutoCloseable {
  /** Opens a dataset; a stream is staged below Hadoop's folder for temporary files. */
  static OpenedSource open(SourceRequest request, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    Path folder = new Path("/tmp/saev-hadoop-staged-" + UUID.randomUUID());
    return open(request, FileSystem.get(console.conf()).makeQualified(folder), console);
  }

  /**
   * Opens a dataset.
   *
   * @param folder where a stream is staged
   */
  static OpenedSource open(SourceRequest request, Path folder, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    if (request.format().format().stream().isPresent()) {
      return stage(request, request.spec().projection(), folder, console);
    }
    Configuration conf = console.conf();
    TableDataset whole =
        request
            .format()
            .format()
            .open(
                new HadoopStorage(conf).locate(request.path()),
                request.spec().format(),
                DatasetFormats::clsTokens);
    return of(request, request.path(), whole, null, conf);
  }

  /** Opens a part of a stream so that all of it can be read. */
  static OpenedSource openStagingAll(SourceRequest request, Path folder, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    return stage(request, ProjectionRequest.EVERYTHING, folder, console);
  }

  private static OpenedSource stage(
      SourceRequest request, ProjectionRequest staged, Path folder, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    Configuration conf = console.conf();
    FileSystem fs = folder.getFileSystem(conf);
    fs.delete(folder, true);
    // a process that is asked to end removes it; one that is killed leaves it to the next run
    fs.mkdirs(folder);
    fs.deleteOnExit(folder);
    try {
      TableDataset whole =
          StreamStaging.stage(
              request.format().format(),
              request.path(),
              request.spec().format(),
              staged,
              folder,
              (job, name, bytes) -> JobRun.run(job, name, bytes, console.err()),
              console.err()::println,
              conf);
      return of(request, folder, whole, folder, conf);
    } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException e) {
      fs.delete(folder, true);
      throw e;
    }
  }

  private static OpenedSource of(
      SourceRequest request, Path path, TableDataset whole, Path staged, Configuration conf)
      throws IOException {
    Projection part = request.spec().projection().resolve(whole);
    String qualified = path.getFileSystem(conf).makeQualified(path).toString();
    SourceReference reference =
        new SourceReference(qualified, request.format().name(), staged != null);
    return new OpenedSource(
        request,
        request.format(),
        request.spec().with(reference),
        whole,
        part,
        part.of(whole),
        staged,
        conf);
  }

  /** Returns the same with its first examples only. */
  OpenedSource first(long examples) throws IOException {
    return examples == dataset.table().examples() ? this : with(spec.projection().first(examples));
  }

  /** Returns the same with another part of the dataset. */
  OpenedSource with(ProjectionRequest projection) throws IOException {
    Projection other = projection.resolve(whole);
    return new OpenedSource(
        request, format, spec.with(projection), whole, other, other.of(whole), staged, conf);
  }

  /** Returns whether all of the dataset is read, as it is stored. */
  boolean isWhole() {
    return part.isEverything(whole);
  }

  /** Returns the class by which jobs read it. */
  Class<? extends InputFormat<ActivationKey, ActivationWritable>> inputFormat() {
    return staged == null ? format.input() : StagedInputFormat.class;
  }

  @Override
  public void close() throws IOException {
    if (staged != null) {
      staged.getFileSystem(conf).delete(staged, true);
    }
  }
}
