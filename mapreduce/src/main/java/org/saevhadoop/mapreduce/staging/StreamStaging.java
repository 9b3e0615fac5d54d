package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.spi.StreamAccess.Part;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.staged.StagedRecord;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.OutputKeys.Sync;

/**
 * Staging of a dataset whose files are streams. Parts that are complete in the folder, where an
 * interrupted run with the same source, settings and projection may have left them, are not staged
 * again.
 *
 * @param folder a folder for the blocks
 * @param storage the storage of the folder
 * @param sync when staged files are forced to the disk
 * @param messages accepts messages that must be shown to the user immediately
 * @param warnings accepts warnings, likewise
 */
public record StreamStaging(
    DatasetFormat format,
    StoragePath source,
    StoragePath folder,
    RunStorage storage,
    Sync sync,
    StagingJob.Runner runner,
    Consumer<String> messages,
    Consumer<String> warnings) {
  /** The name of the part that {@link StreamAccess#choose} writes. */
  private static final String CHOSEN = "chosen";

  /** The name of the part that {@link StreamAccess#join} writes. */
  private static final String JOINED = "joined";

  private static final int MAX_CHOSEN_BYTES = 1 << 24;

  /**
   * Stages the dataset and opens it. The returned dataset has the shape and the numbering of the
   * whole dataset, but only the requested blocks can be read.
   *
   * @param asked the reading keys of the format
   * @throws org.saevhadoop.format.io.FormatException if the dataset is malformed, or the requested
   *     examples do not exist
   */
  public TableDataset stage(Settings asked, ProjectionRequest request)
      throws IOException, InterruptedException {
    StreamAccess stream = format.stream().orElseThrow();
    Location location = source.locate();
    Settings settings = stream.prepare(location, asked);
    List<Part> parts = stream.parts(location, settings);
    Map<String, StagedRecord> done = open().keepComplete(warnings);
    StagingPass.first(false, parts).check(done.values(), source.shown());
    if (catalogues(stream, request)) {
      stageChosen(parts, done, location, settings, request);
    } else {
      List<Part> left = notStaged(parts, done);
      messages.accept(read(left, parts) + "its blocks wait in " + folder.shown());
      run(StagingPass.first(false, parts), settings, request, left);
    }
    StagedFolder staged = open();
    checkFiles(parts, location, settings);
    stream.join(staged, location, settings, request);
    commit(staged, JOINED);
    // tasks share it, and must not use the queue with which this thread forces files
    StagedFolder read = StagedFolder.of(folder.folder());
    return stream.openStaged(read, source.storage(), DatasetFormats.registry());
  }

  /**
   * Reads all parts again and compares them with the staged data that {@link #stage} has returned.
   *
   * @param request the part of the stream that is staged
   * @throws org.saevhadoop.format.io.FormatException if a file differs; its part is then no longer
   *     recorded as staged. A job that runs on a cluster fails instead
   */
  public void compare(Settings asked, ProjectionRequest request)
      throws IOException, InterruptedException {
    StreamAccess stream = format.stream().orElseThrow();
    Location location = source.locate();
    Settings settings = stream.prepare(location, asked);
    List<Part> parts = stream.parts(location, settings);
    Map<String, StagedRecord> done = open().complete();
    List<Part> catalogued = catalogues(stream, request) ? notStaged(parts, done) : List.of();
    List<Part> staged = new ArrayList<>(parts);
    staged.removeAll(catalogued);
    messages.accept(
        "verify: %s, %s; read again, to be compared with what is staged"
            .formatted(shards(parts), size(parts)));
    run(StagingPass.comparison(true, parts), settings, request, catalogued);
    run(StagingPass.comparison(false, parts), settings, request, staged);
  }

  private void stageChosen(
      List<Part> parts,
      Map<String, StagedRecord> done,
      Location location,
      Settings settings,
      ProjectionRequest request)
      throws IOException, InterruptedException {
    Set<Integer> known = done.containsKey(CHOSEN) ? chosen(open()) : null;
    Map<String, StagedRecord> kept = known == null ? catalogues(done) : done;
    List<Part> left =
        notIn(kept, parts).stream()
            .filter(part -> known == null || !known.contains(part.number()))
            .toList();
    for (Part part : left) {
      open().forget(StagingPass.name(part)); // it may lack the blocks that are chosen now
    }
    if (known == null || !left.isEmpty()) {
      messages.accept(read(left, parts) + "to number the examples");
      run(StagingPass.first(true, parts), settings, request, left);
    }
    Set<Integer> chosen = known == null ? choose(parts, location, settings, request) : known;
    List<Part> again = parts.stream().filter(part -> chosen.contains(part.number())).toList();
    if (!again.isEmpty()) {
      messages.accept(
          "unpack: %d of %s, %s; read again for the requested samples, whose blocks wait in "
                  .formatted(count(again), shards(parts), size(again))
              + folder.shown());
      run(StagingPass.first(false, parts), settings, request, notStaged(again, kept));
    }
  }

  private Set<Integer> choose(
      List<Part> parts, Location location, Settings settings, ProjectionRequest request)
      throws IOException {
    checkFiles(parts, location, settings);
    StagedFolder staged = open();
    List<Integer> chosen =
        format.stream().orElseThrow().choose(staged, location, settings, request);
    try (Output out = staged.create(CHOSEN)) {
      String text = chosen.stream().map(String::valueOf).collect(Collectors.joining(","));
      out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }
    commit(staged, CHOSEN);
    return Set.copyOf(chosen);
  }

  /** Returns the numbers of the parts that contain selected examples. */
  private static Set<Integer> chosen(StagedFolder staged) throws IOException {
    String text = new String(staged.readSmall(CHOSEN, MAX_CHOSEN_BYTES), StandardCharsets.US_ASCII);
    return Stream.of(text.split(","))
        .filter(number -> !number.isEmpty())
        .map(Integer::valueOf)
        .collect(Collectors.toSet());
  }

  /**
   * Checks that the source still has the files that were unpacked, because formats list the files
   * again.
   */
  private void checkFiles(List<Part> parts, Location location, Settings settings)
      throws IOException {
    List<Part> found = format.stream().orElseThrow().parts(location, settings);
    StagingPass.first(false, parts).only(found, part -> part, source.shown());
  }

  private StagedFolder open() throws IOException {
    return StagedFolder.of(folder.folder(sync.forces(folder.isLocal()), false));
  }

  /** Records files that the client has written. */
  private void commit(StagedFolder staged, String part) throws IOException {
    staged.commit(part, part);
    force();
  }

  private void force() throws IOException {
    if (sync != Sync.NEVER) {
      storage.force(folder);
    }
  }

  /**
   * Returns the job that reads the parts for the first time. Nothing is written. If examples are
   * selected, a second job reads some of the parts again.
   *
   * @param asked the reading keys of the format
   * @param resumed whether an interrupted run with the same source, settings and projection has
   *     left staged parts in the folder
   * @throws org.saevhadoop.format.io.FormatException if it is known, before the files of the
   *     dataset are read, that the dataset cannot be staged
   */
  public StagingJob first(Settings asked, ProjectionRequest request, boolean resumed)
      throws IOException {
    StreamAccess stream = format.stream().orElseThrow();
    Location location = source.locate();
    Settings settings = stream.prepare(location, asked);
    List<Part> parts = stream.parts(location, settings);
    Map<String, StagedRecord> done = resumed ? open().complete() : Map.of();
    boolean catalogues = catalogues(stream, request);
    List<Part> left = catalogues ? notIn(done, parts) : notStaged(parts, done);
    return job(StagingPass.first(catalogues, parts), settings, request, left);
  }

  private static boolean catalogues(StreamAccess stream, ProjectionRequest request) {
    return request.choosesExamples() && stream.isCatalogued();
  }

  private static List<Part> notStaged(List<Part> parts, Map<String, StagedRecord> done) {
    return parts.stream()
        .filter(part -> !StagingPass.isStaged(done.get(StagingPass.name(part))))
        .toList();
  }

  private static List<Part> notIn(Map<String, StagedRecord> done, List<Part> parts) {
    return parts.stream().filter(part -> !done.containsKey(StagingPass.name(part))).toList();
  }

  /** Returns the parts that were only catalogued. */
  private static Map<String, StagedRecord> catalogues(Map<String, StagedRecord> done) {
    Map<String, StagedRecord> found = new TreeMap<>(done);
    found.values().removeIf(record -> !StagingPass.isCatalogued(record));
    return found;
  }

  /** Runs a job over the remaining parts, if there are any. */
  private void run(StagingPass pass, Settings settings, ProjectionRequest request, List<Part> left)
      throws IOException, InterruptedException {
    if (!left.isEmpty()) {
      runner.run(job(pass, settings, request, left));
      force();
    }
  }

  private StagingJob job(
      StagingPass pass, Settings settings, ProjectionRequest request, List<Part> left)
      throws IOException {
    InputSpec input =
        InputSpec.of(Settings.NONE, List.of())
            .with(new SourceReference(source.qualified(), format.getClass().getName(), false))
            .with(request)
            .withFormat(settings);
    Settings tasks =
        pass.of(left).toSettings().with(OutputKeys.SYNC, pass.compares() ? Sync.NEVER : sync);
    return new StagingJob(format, source, input, tasks, bytes(left), folder);
  }

  private static String read(List<Part> left, List<Part> parts) {
    String count = left.size() < parts.size() ? count(left) + " of " : "";
    return "unpack: %s%s, %s; each is read once, ".formatted(count, shards(parts), size(left));
  }

  private static String shards(List<Part> parts) {
    long files = count(parts);
    return files == 1 ? "1 shard" : files + " shards";
  }

  /** Returns the number of files; a part may be some of the entries of one. */
  private static long count(List<Part> parts) {
    return parts.stream().flatMap(part -> part.files().stream()).distinct().count();
  }

  private static long bytes(List<Part> parts) {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  private static String size(List<Part> parts) {
    return ByteSizes.show(bytes(parts));
  }
}
