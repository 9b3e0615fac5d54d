package org.saevhadoop.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.RowUnit;
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
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.check.SumRows;
import org.saevhadoop.jobs.check.SummedRows;
import org.saevhadoop.jobs.convert.ExampleParts;
import org.saevhadoop.jobs.convert.Stage;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskInput;
import org.saevhadoop.jobs.task.TaskOutput;
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
        0,
        RowOrder.of(RowUnit.EXAMPLE, 0, STEP, geometry.layers(), source.part()),
        new Activations(geometry, part().activations().clsTokens(), Provenance.NONE),
        1,
        RowFormat.of(geometry.examples(), rowBytes, Long.MAX_VALUE, MEMORY),
        SideRow.NONE);
  }

  @Override
  public List<OpenedSource> planned(StoragePath folder) throws IOException {
    return List.of(source.made(ShuffledDataset.planned(plan(), source.dataset()), folder));
  }

  @Override
  public Settings recorded() throws IOException {
    return source.request().spec().toSettings().with(PLAN, plan().text());
  }

  @Override
  public List<OpenedSource> make(List<WritePlan> files, RunFolder run)
      throws IOException, InterruptedException {
    StoragePath folder = run.data();
    runner.storage(folder).createPrivate(folder, false);
    StagedFolder staged = parts(folder).open();
    if (!staged.keepComplete(runner::warning).containsKey(ShuffledDataset.PLAN)) {
      try (Output out = staged.create(ShufflePlan.FILE)) {
        out.write(ByteBuffer.wrap(plan().text().getBytes(StandardCharsets.UTF_8)));
      }
      staged.commit(ShuffledDataset.PLAN, ShuffledDataset.PLAN);
    }
    parts(folder).make(STEP, this::job, run);
    return List.of(source.made(ShuffledDataset.open(folder.folder(), 0), folder));
  }

  private ExampleParts parts(StoragePath folder) throws FormatException {
    return new ExampleParts(part().geometry(), folder, runner);
  }

  private DatasetJob.Parts job(Settings missing) throws FormatException {
    return DatasetJob.step(STEP, source.request().source())
        .reading(
            source.input(
                source.spec().with(source.spec().dtypes().unconverted()).with(Numbering.SELECTION),
                EXAMPLES))
        .with(missing.with(PLAN, plan().text()))
        .task(Rows.class);
  }

  @Override
  public JobPlan plan(List<WritePlan> files, StoragePath folder, boolean resumed)
      throws IOException, InterruptedException {
    return parts(folder).plan(this::job, resumed);
  }

  @Override
  public Long temporaryBytes(List<WritePlan> files, StoragePath folder, boolean resumed)
      throws IOException {
    return parts(folder).bytesLeft(plan().stagedBytes(), resumed);
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
