package org.saevhadoop.jobs.source;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.normalize.Normalization;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.storage.Uninterrupted;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.LostMasters;
import org.saevhadoop.jobs.run.StagedFiles;
import org.saevhadoop.jobs.task.JobInput;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.OutputKeys.Sync;
import org.saevhadoop.mapreduce.staging.StagingJob;
import org.saevhadoop.mapreduce.staging.StreamStaging;

/**
 * An open dataset that a command reads at any offset. A stream is first staged in a folder, which
 * belongs to a run or to this object.
 *
 * @param spec the input, with the location from which jobs read it
 * @param part the part that was requested
 * @param staged the folder in which a stream is staged; null if there is none
 * @param temporary whether that folder is deleted when this object is closed
 * @param runner provides the configuration of the file systems
 */
public record OpenedSource(
    SourceRequest request,
    InputSpec spec,
    TableDataset whole,
    Projection part,
    TableDataset dataset,
    @Nullable StoragePath staged,
    boolean temporary,
    JobRunner runner)
    implements AutoCloseable {
  /** Opens a dataset. A stream is staged in a folder for temporary files. */
  public static OpenedSource open(SourceRequest request, JobRunner runner)
      throws IOException, InterruptedException {
    DatasetFormat format = request.format();
    if (isStream(request)) {
      return stage(
          request, request.spec().projection(), runner.temporaryFolder("staged"), null, runner);
    }
    SeveralRequests several = request.several();
    TableDataset whole = several == null ? request.open(runner) : several.combine(Map.of(), runner);
    return of(request, request.source(), whole, null, false, runner);
  }

  /** Returns whether a dataset, or any of several, is a stream, which must be staged. */
  public static boolean isStream(SourceRequest request) throws IOException {
    for (SourceRequest member : request.members()) {
      if (member.format().stream(member.location(), member.spec().format()).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the plan of the first job that stages a stream in a folder for temporary files. */
  public static JobPlan planStaging(SourceRequest request, JobRunner runner)
      throws IOException, InterruptedException {
    StoragePath folder = runner.checkTemporaryRoot();
    JobPlan plan = planStaging(request, request.spec().projection(), folder, false, runner);
    return new JobPlan(plan.maps(), plan.reduces(), plan.bytes(), folder);
  }

  /**
   * Returns the plan of the first job that stages a stream.
   *
   * @param staged the part that is staged
   * @param folder the folder in which it is staged
   * @param resumed whether an interrupted run has left staged parts in the folder
   */
  public static JobPlan planStaging(
      SourceRequest request,
      ProjectionRequest staged,
      StoragePath folder,
      boolean resumed,
      JobRunner runner)
      throws IOException, InterruptedException {
    if (request.several() != null) {
      return request.several().planStaging(folder, resumed, runner);
    }
    StreamStaging staging = staging(request, folder, null, runner);
    return runner.plan(job(staging.first(request.spec().format(), staged, resumed), null, runner));
  }

  static StreamStaging staging(
      SourceRequest request, StoragePath folder, @Nullable RunFolder run, JobRunner runner) {
    return new StreamStaging(
        request.format(),
        request.source(),
        folder,
        runner.storage(folder),
        // only files in the folder of a run outlive this process
        run == null ? Sync.NEVER : runner.shared(OutputKeys.SYNC),
        job -> runner.run(job(job, run, runner)),
        runner.listener()::message,
        runner::warning);
  }

  /**
   * Stages a stream and opens it.
   *
   * @param whole whether the whole stream is staged, and not only the part that is opened
   * @param run the folder of a run, in which the stream is staged
   */
  public static OpenedSource stage(
      SourceRequest request, boolean whole, RunFolder run, JobRunner runner)
      throws IOException, InterruptedException {
    ProjectionRequest staged = whole ? ProjectionRequest.EVERYTHING : request.spec().projection();
    return stage(request, staged, run.data(), run, runner);
  }

  private static OpenedSource stage(
      SourceRequest request,
      ProjectionRequest staged,
      StoragePath folder,
      @Nullable RunFolder run,
      JobRunner runner)
      throws IOException, InterruptedException {
    RunStorage storage = runner.storage(folder);
    // a copy of the source, which others may not be allowed to read
    storage.createPrivate(folder, run == null);
    try {
      SeveralRequests several = request.several();
      TableDataset whole =
          several == null
              ? stageAll(request, staged, folder, run, runner)
              : several.stage(folder, run, runner);
      return of(request, folder, whole, folder, run == null, runner);
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (run == null) {
        deleteAfter(e, storage, folder);
      }
      throw e;
    }
  }

  /**
   * Reads a stream again and compares it with the staged data.
   *
   * @param stagedPart the part that is staged
   * @param run the folder of a run, in which the stream is staged; null if there is none
   * @throws FormatException if a staged file differs
   */
  public void compareStaged(ProjectionRequest stagedPart, @Nullable RunFolder run)
      throws IOException, InterruptedException {
    if (staged != null && request.several() != null) {
      request.several().compareStaged(staged, run, runner);
    } else if (staged != null) {
      staging(request, staged, run, runner).compare(request.spec().format(), stagedPart);
    }
  }

  /** Stages a stream, with several jobs if the cluster loses application masters. */
  static TableDataset stageAll(
      SourceRequest request,
      ProjectionRequest staged,
      StoragePath folder,
      @Nullable RunFolder run,
      JobRunner runner)
      throws IOException, InterruptedException {
    RunStorage storage = runner.storage(folder);
    return new LostMasters(runner.listener())
        .repeat(
            () -> staging(request, folder, run, runner).stage(request.spec().format(), staged),
            () -> storage.list(folder).size(),
            "shards");
  }

  private static DatasetJob<FinishedJob> job(
      StagingJob staging, @Nullable RunFolder run, JobRunner runner) {
    StoragePath folder = staging.folder();
    boolean forced = staging.settings().get(OutputKeys.SYNC).forces(folder.isLocal());
    return DatasetJob.step(staging.step(), staging.source())
        .reading(new JobInput(staging::inputFormat, staging.input(), null))
        .with(staging.settings())
        .bytes(staging.bytes())
        .map(staging::mapper)
        .items(() -> StagedPart.of(staging, runner))
        .recordedIn(run)
        .into(new StagedFiles(folder, runner.storage(folder), forced));
  }

  /**
   * Deletes a folder. If the deletion fails, its error is added to the failure of the job, which
   * the user needs to see.
   */
  private static void deleteAfter(Exception failure, RunStorage storage, StoragePath folder) {
    try {
      Uninterrupted.run(() -> storage.delete(folder));
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static OpenedSource of(
      SourceRequest request,
      StoragePath path,
      TableDataset whole,
      @Nullable StoragePath staged,
      boolean temporary,
      JobRunner runner)
      throws IOException {
    Projection part = request.spec().projection().resolve(whole);
    SeveralRequests several = request.several();
    InputSpec spec =
        several == null
            ? request
                .spec()
                .with(request.reference(path, staged != null))
                .withFormat(request.format().forTasks(whole, request.spec().format()))
            : request.spec().with(several.references(staged));
    return new OpenedSource(request, spec, whole, part, part.of(whole), staged, temporary, runner);
  }

  /** Returns a copy that is restricted to the first examples. */
  public OpenedSource first(long examples) throws IOException {
    return examples == dataset.table().examples() ? this : with(spec.projection().first(examples));
  }

  public OpenedSource with(ProjectionRequest projection) throws IOException {
    Projection other = projection.resolve(whole);
    return new OpenedSource(
        request, spec.with(projection), whole, other, other.of(whole), staged, temporary, runner);
  }

  /**
   * Returns a dataset that is made from this one, as the source of a conversion.
   *
   * @param folder the folder for its staged data, which does not have to exist yet
   */
  public OpenedSource made(TableDataset other, StoragePath folder) throws IOException {
    SourceReference reference = request.reference(folder, true);
    return new OpenedSource(
        request.with(ProjectionRequest.EVERYTHING),
        spec.with(ProjectionRequest.EVERYTHING)
            .with(spec.dtypes().of(other.table()).with((Normalization) null)) // only for the source
            .with(reference),
        other,
        Projection.everything(other),
        other,
        folder,
        false,
        runner);
  }

  /** Returns a copy that jobs read at another path. */
  public OpenedSource at(StoragePath path) {
    SourceReference reference =
        new SourceReference(path.qualified(), request.format().getClass().getName(), true);
    return new OpenedSource(
        request, spec.with(reference), whole, part, dataset, staged, temporary, runner);
  }

  /** Returns whether the whole dataset is read, in the order in which it is stored. */
  public boolean isWhole() {
    return part.isEverything(whole);
  }

  /**
   * Returns the input of a job that reads the dataset.
   *
   * @param input the part that is read, and the types of values
   * @param records the content and the order of records
   */
  public JobInput input(InputSpec input, RecordRequest records) {
    return new JobInput(() -> DatasetInputFormat.class, input.with(records), whole);
  }

  @Override
  public void close() throws IOException {
    if (temporary && staged != null) {
      Uninterrupted.run(() -> runner.storage(staged).delete(staged));
    }
  }
}
