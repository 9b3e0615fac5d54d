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
import org.saevhadoop.format.io.Quote;
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
 * An open dataset that a command reads at any offset. A stream is first staged in a folder that is
 * deleted when this object is closed.
 *
 * @param request the request
 * @param format the format
 * @param spec the input, with the location from which jobs read it
 * @param whole the whole dataset
 * @param part the part that was requested
 * @param dataset the part as a dataset
 * @param staged the folder that is deleted; null if there is none
 * @param conf the configuration of the file systems
 */
public record OpenedSource(
    SourceRequest request,
    DatasetFormats.Entry format,
    InputSpec spec,
    TableDataset whole,
    Projection part,
    TableDataset dataset,
    Path staged,
    Configuration conf)
    implements AutoCloseable {
  /**
   * Opens a dataset. A stream is staged in a folder for temporary files, /tmp of the default file
   * system.
   */
  public static OpenedSource open(SourceRequest request, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    Path folder = new Path("/tmp/saev-hadoop-staged-" + UUID.randomUUID());
    return open(request, FileSystem.get(console.conf()).makeQualified(folder), console);
  }

  /**
   * Opens a dataset.
   *
   * @param folder the folder in which a stream is staged
   */
  public static OpenedSource open(SourceRequest request, Path folder, Console console)
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

  /** Opens a part of a stream, and stages the whole stream so that all of it can be read. */
  public static OpenedSource openStagingAll(SourceRequest request, Path folder, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    return stage(request, ProjectionRequest.EVERYTHING, folder, console);
  }

  private static OpenedSource stage(
      SourceRequest request, ProjectionRequest staged, Path folder, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    Configuration conf = console.conf();
    FileSystem fs = folder.getFileSystem(conf);
    fs.delete(folder, true);
    // removed on exit, also after SIGTERM; after SIGKILL, the next run removes it
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
              line -> console.err().println(Quote.show(line)),
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

  /** Returns a copy that is restricted to the first examples. */
  public OpenedSource first(long examples) throws IOException {
    return examples == dataset.table().examples() ? this : with(spec.projection().first(examples));
  }

  /** Returns a copy with another projection. */
  public OpenedSource with(ProjectionRequest projection) throws IOException {
    Projection other = projection.resolve(whole);
    return new OpenedSource(
        request, format, spec.with(projection), whole, other, other.of(whole), staged, conf);
  }

  /** Returns whether the whole dataset is read, in the order in which it is stored. */
  public boolean isWhole() {
    return part.isEverything(whole);
  }

  /** Returns the input format with which jobs read the dataset. */
  public Class<? extends InputFormat<ActivationKey, ActivationWritable>> inputFormat() {
    return staged == null ? format.input() : StagedInputFormat.class;
  }

  @Override
  public void close() throws IOException {
    if (staged != null) {
      staged.getFileSystem(conf).delete(staged, true);
    }
  }
}
