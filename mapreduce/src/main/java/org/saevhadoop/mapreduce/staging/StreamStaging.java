package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.StreamAccess;
import org.saevhadoop.mapreduce.spi.StreamAccess.Part;

/**
 * Staging of a dataset whose files are streams.
 *
 * @param folder a folder for the blocks
 * @param resumed whether a dead run with the same source, settings and projection has left staged
 *     parts in the folder; otherwise the folder is empty
 * @param messages accepts messages that must be shown to the user immediately
 */
public record StreamStaging(
    DatasetFormat format,
    Path source,
    Path folder,
    boolean resumed,
    StagingJob.Runner runner,
    Consumer<String> messages,
    Configuration conf) {
  /**
   * Stages the dataset and opens it. The returned dataset has the shape and the numbers of the
   * whole dataset, but only the requested blocks can be read.
   *
   * @param asked the reading keys of the format
   * @throws org.saevhadoop.format.io.FormatException if the dataset is malformed, or the requested
   *     examples do not exist
   */
  public TableDataset stage(Settings asked, ProjectionRequest request)
      throws IOException, InterruptedException {
    StreamAccess stream = format.stream().orElseThrow();
    HadoopStorage storage = new HadoopStorage(conf);
    Location location = storage.locate(source);
    Folder staged = new ReplacingFolder(folder, conf);
    StagedParts done = done(staged);
    Settings settings = stream.prepare(location, asked);
    List<Part> parts = stream.parts(location, settings);
    if (request.choosesExamples()) {
      List<Integer> chosen = done.chosen();
      if (chosen == null) {
        List<Part> left = done.notCatalogued(parts);
        messages.accept(read(left, parts) + "to number the examples");
        run(new StagingPass(true, null), settings, request, left);
        chosen = stream.choose(staged, location, settings, request);
        StagedParts.recordChosen(staged, chosen);
      }
      Set<Integer> numbers = Set.copyOf(chosen);
      List<Part> again = parts.stream().filter(part -> numbers.contains(part.number())).toList();
      if (!again.isEmpty()) {
        messages.accept(
            "unpack: %d of %d shards, %s, hold what is asked for; they are read again, the blocks wait"
                    .formatted(again.size(), parts.size(), size(again))
                + " in "
                + show());
        run(new StagingPass(false, chosen), settings, request, done.notStaged(again));
      }
    } else {
      List<Part> left = done.notStaged(parts);
      messages.accept(read(left, parts) + "its blocks wait in " + show());
      run(new StagingPass(false, null), settings, request, left);
    }
    stream.join(staged, location, settings, request);
    return stream.openStaged(HadoopFolder.of(folder, conf), storage, DatasetFormats.registry());
  }

  /**
   * Returns the job that reads the parts for the first time. Nothing is written. If examples are
   * selected, a second job reads some of the parts again.
   *
   * @param asked the reading keys of the format
   * @throws org.saevhadoop.format.io.FormatException if the dataset cannot be staged, as far as
   *     that is known before its files are read
   */
  public StagingJob first(Settings asked, ProjectionRequest request) throws IOException {
    StreamAccess stream = format.stream().orElseThrow();
    Location location = new HadoopStorage(conf).locate(source);
    Settings settings = stream.prepare(location, asked);
    List<Part> parts = stream.parts(location, settings);
    StagedParts done = done(HadoopFolder.of(folder, conf));
    boolean catalogues = request.choosesExamples();
    List<Part> left = catalogues ? done.notCatalogued(parts) : done.notStaged(parts);
    return job(new StagingPass(catalogues, null), settings, request, left);
  }

  private StagedParts done(Folder staged) throws IOException {
    return resumed ? StagedParts.in(staged) : StagedParts.NONE;
  }

  /** Runs a job over the parts that are not done yet, if any are left. */
  private void run(StagingPass pass, Settings settings, ProjectionRequest request, List<Part> left)
      throws IOException, InterruptedException {
    if (!left.isEmpty()) {
      runner.run(job(pass, settings, request, left));
    }
  }

  private StagingJob job(
      StagingPass pass, Settings settings, ProjectionRequest request, List<Part> left)
      throws IOException {
    String path = source.getFileSystem(conf).makeQualified(source).toString();
    InputSpec input =
        InputSpec.of(Settings.NONE, List.of())
            .with(new SourceReference(path, format.name(), false))
            .with(request)
            .withFormat(settings);
    return new StagingJob(source, input, pass.of(left).toSettings(), bytes(left), folder);
  }

  private static String read(List<Part> left, List<Part> parts) {
    String count = left.size() < parts.size() ? left.size() + " of " : "";
    String shards = parts.size() == 1 ? "1 shard" : parts.size() + " shards";
    return "unpack: %s%s, %s; each is read once, ".formatted(count, shards, size(left));
  }

  private static long bytes(List<Part> parts) {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  private static String size(List<Part> parts) {
    return ByteSizes.show(bytes(parts));
  }

  private String show() throws IOException {
    FileSystem fs = folder.getFileSystem(conf);
    return HadoopStorage.show(fs.makeQualified(folder));
  }
}
