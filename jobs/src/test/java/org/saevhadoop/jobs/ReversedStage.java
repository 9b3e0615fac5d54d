package org.saevhadoop.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.shuffle.RowFormat;
import org.saevhadoop.format.shuffle.RowOrder;
import org.saevhadoop.format.shuffle.RowScatter;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.shuffle.SideRow;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.staged.StagedRecord;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.check.SumRows;
import org.saevhadoop.jobs.check.SummedRows;
import org.saevhadoop.jobs.convert.ExampleParts;
import org.saevhadoop.jobs.convert.Stage;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.LostMasters;
import org.saevhadoop.jobs.run.StagedFiles;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ExampleRange;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

/** The values of a dataset with its examples in reverse order, as rows that wait in files. */
record ReversedStage(OpenedSource source, JobRunner runner) implements Stage {
  /** The name of the job that writes the rows. */
  static final String STEP = "reverse";

  private static final SettingKey<String> PLAN =
      SettingKey.internalName("saev.reverse.plan", "The plan of the rows.");

  private static final RecordRequest EXAMPLES =
      new RecordRequest(RecordSelection.Unit.EXAMPLE, false, List.of(), 1);

  private static final long MEMORY = 1 << 20;

  /** Writes the examples of a split under their new numbers. */
  private static final class Rows implements Task {
    @Override
    public void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException {
      byte[] text = input.get(PLAN).getBytes(StandardCharsets.UTF_8);
      ShufflePlan plan = ShufflePlan.parse(PLAN.name(), text);
      String part = ExampleParts.range(input.first(), input.count());
      StagedFolder target = StagedFolder.ofTask(output.folder(), true);
      long last = last(input);
      try (RowScatter rows =
          new RowScatter(plan.format(), target.create(ShuffledDataset.PREFIX + part))) {
        while (input.next()) {
          rows.add(last - input.example(), input.values());
        }
      }
      target.commit(part, "rows");
    }
  }

  /** Hands over the sums of the rows of the source under their new numbers. */
  private static final class Sums extends SumRows {
    @Override
    protected void read(TaskInput input, Sink sink) throws IOException, InterruptedException {
      long last = last(input);
      while (input.next()) {
        sink.add(last - input.example(), input.values(), ByteBuffer.allocate(0));
      }
    }
  }

  private static long last(TaskInput input) throws IOException {
    return input.dataset().table().examples() - 1;
  }

  private ActivationDataset part() throws FormatException {
    return source.dataset().requireActivations();
  }

  private ShufflePlan plan() throws FormatException {
    Geometry geometry = part().geometry();
    int rowBytes = Math.toIntExact(geometry.exampleBytes());
    return new ShufflePlan(
        RowOrder.of(RowOrder.Unit.EXAMPLE, 0, STEP, geometry.layers(), source.part()),
        new Activations(geometry, part().activations().clsTokens(), Provenance.NONE),
        1,
        RowFormat.of(geometry.examples(), rowBytes, Long.MAX_VALUE, MEMORY),
        SideRow.NONE);
  }

  @Override
  public Optional<OpenedSource> planned(StoragePath folder) throws IOException {
    return Optional.of(source.made(ShuffledDataset.planned(plan(), source.dataset()), folder));
  }

  @Override
  public Settings recorded() throws IOException {
    return source.request().spec().toSettings().with(PLAN, plan().text());
  }

  @Override
  public OpenedSource make(@Nullable WritePlan files, RunFolder run)
      throws IOException, InterruptedException {
    StoragePath folder = run.data();
    runner.storage(folder).createPrivate(folder, false);
    StagedFolder staged = StagedFolder.of(folder.folder());
    if (!staged.keepComplete(runner::warning).containsKey(ShuffledDataset.PLAN)) {
      try (Output out = staged.create(ShufflePlan.FILE)) {
        out.write(ByteBuffer.wrap(plan().text().getBytes(StandardCharsets.UTF_8)));
      }
      staged.commit(ShuffledDataset.PLAN, ShuffledDataset.PLAN);
    }
    new LostMasters(runner.listener())
        .repeat(() -> makeMissing(folder, run), () -> complete(folder).size(), "examples");
    return source.made(ShuffledDataset.open(folder.folder()), folder);
  }

  private int makeMissing(StoragePath folder, RunFolder run)
      throws IOException, InterruptedException {
    List<ExampleRange> missing = missing(complete(folder).keySet());
    if (!missing.isEmpty()) {
      runner.run(job(missing, folder, run));
    }
    return missing.size();
  }

  private List<ExampleRange> missing(Set<String> parts) throws IOException {
    return ExampleParts.missing(parts, part().geometry().examples());
  }

  private static Map<String, StagedRecord> complete(StoragePath folder) throws IOException {
    return folder.kind() == StoragePath.Kind.FOLDER
        ? StagedFolder.of(folder.folder()).complete()
        : Map.of();
  }

  private DatasetJob<FinishedJob> job(
      List<ExampleRange> missing, StoragePath folder, @Nullable RunFolder run)
      throws FormatException {
    long examples = missing.stream().mapToLong(ExampleRange::count).sum();
    return DatasetJob.step(STEP, source.request().source())
        .reading(
            source.input(
                source.spec().with(source.spec().dtypes().unconverted()).with(Numbering.SELECTION),
                EXAMPLES))
        .with(Settings.NONE.with(PLAN, plan().text()).with(ConversionKeys.MISSING, missing))
        .bytes(examples * part().geometry().exampleBytes())
        .task(Rows.class)
        .recordedIn(run)
        .into(new StagedFiles(folder, runner.storage(folder), false));
  }

  @Override
  public JobPlan plan(@Nullable WritePlan files, StoragePath folder, boolean resumed)
      throws IOException, InterruptedException {
    Set<String> parts = resumed ? complete(folder).keySet() : Set.of();
    return runner.plan(job(missing(parts), folder, null));
  }

  @Override
  public Long temporaryBytes(@Nullable WritePlan files, StoragePath folder, boolean resumed)
      throws IOException {
    Map<String, StagedRecord> written = resumed ? complete(folder) : Map.of();
    long bytes = written.values().stream().mapToLong(StagedRecord::bytes).sum();
    return Math.max(0, plan().stagedBytes() - bytes);
  }

  @Override
  public void compare(OpenedSource made, SourceRequest written, String path)
      throws IOException, InterruptedException {
    try (OpenedSource opened = SummedRows.open(written, runner)) {
      OpenedSource found = opened == null ? made : opened;
      Geometry rows = found.dataset().requireActivations().geometry();
      new SummedRows(
              source,
              rows.examples(),
              SummedRows.input(source, rows.dtype()),
              EXAMPLES,
              Sums.class,
              Settings.NONE)
          .check(
              SummedRows.examples(found, part().geometry().layers(), rows.dtype(), 0),
              path,
              runner);
    }
  }
}
