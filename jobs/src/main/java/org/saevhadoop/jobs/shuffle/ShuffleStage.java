package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.shuffle.ExampleChoice;
import org.saevhadoop.format.shuffle.RowFormat;
import org.saevhadoop.format.shuffle.RowOrder;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.shuffle.SideRow;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.check.SummedRows;
import org.saevhadoop.jobs.convert.ExampleParts;
import org.saevhadoop.jobs.convert.SourceNormalization;
import org.saevhadoop.jobs.convert.Stage;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.DTypeRequest;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

/**
 * A dataset that is made by shuffling a part of a source.
 *
 * @param source the part
 * @param kept the tokens that are not padding
 * @param side the data beside each row
 * @param keepsTypes whether rows are written in the stored types unless others are requested
 */
record ShuffleStage(
    OpenedSource source,
    RowOrder order,
    UnpaddedTokens kept,
    SideRow side,
    boolean keepsTypes,
    JobRunner runner)
    implements Stage {
  private static final SettingKey<String> ORDER =
      SettingKey.internalName("saev.shuffle.order", "The order of the rows, for records of runs.");

  /** Returns the dataset, whose order records how many vectors are left out as padding. */
  static ShuffleStage of(
      OpenedSource source,
      RowOrder order,
      UnpaddedTokens kept,
      SideRow side,
      boolean keepsTypes,
      JobRunner runner) {
    ExampleChoice choice = ExampleChoice.of(order);
    return new ShuffleStage(
        source, order.withPadding(kept.padding(choice)), kept, side, keepsTypes, runner);
  }

  private ActivationDataset part() throws FormatException {
    return source.dataset().requireActivations();
  }

  /**
   * Returns the types in which the rows wait: those that are requested, or the stored ones.
   * Normalized values are rounded once, to the type that is written.
   */
  private DTypeRequest types() throws FormatException {
    DTypeRequest asked = source.spec().dtypes();
    boolean isWidened = asked.normalization() != null && !keepsTypes;
    return asked.isAsked() || isWidened ? asked.of(part().table()) : asked.unconverted();
  }

  private boolean isVector() {
    return order.unit() == RowOrder.Unit.VECTOR;
  }

  /** Returns the shuffled dataset. */
  private Activations activations() throws FormatException {
    DType type = types().table(part()).columns().get(0).dtype();
    Geometry geometry = part().geometry().as(type);
    ExampleChoice choice = ExampleChoice.of(order);
    Geometry shuffled =
        isVector()
            ? new Geometry(kept.of(choice), geometry.layers(), 1, geometry.dim(), geometry.dtype())
            : geometry.withExamples(choice.count());
    OptionalInt cls = isVector() ? OptionalInt.of(0) : part().activations().clsTokens();
    Provenance whole = SourceNormalization.provenance(source);
    Provenance provenance = runner.formats().shuffle(shuffled, cls, order.text(), whole);
    return new Activations(shuffled, cls, provenance.with(RowOrder.DOCUMENT, order.text()));
  }

  /** Returns the plan of the rows, given the files to which they will be converted. */
  private ShufflePlan plan(@Nullable WritePlan files) throws IOException {
    return plan(Objects.requireNonNull(files).examplesPerShard());
  }

  private ShufflePlan plan(long fileRows) throws IOException {
    Activations activations = activations();
    Geometry shuffled = activations.geometry();
    long rowBytes = shuffled.exampleBytes();
    RowFormat format =
        TaskMemory.of(runner)
            .format(source.request().source(), shuffled.examples(), rowBytes, fileRows);
    int rows = isVector() ? part().geometry().tokens() : 1;
    return new ShufflePlan(order, activations, rows, format, side);
  }

  @Override
  public void check() throws IOException {
    types().check(part());
  }

  @Override
  public Optional<OpenedSource> planned(StoragePath folder) throws IOException {
    ShufflePlan plan = plan(Long.MAX_VALUE);
    return Optional.of(source.made(ShuffledDataset.planned(plan, source.dataset()), folder));
  }

  @Override
  public Settings recorded() {
    return source
        .request()
        .spec()
        .toSettings()
        .with(ORDER, order.text() + (side.coordinates() ? " coordinates" : ""));
  }

  @Override
  public OpenedSource make(@Nullable WritePlan files, RunFolder run)
      throws IOException, InterruptedException {
    StoragePath folder = run.data();
    RunStorage storage = runner.storage(folder);
    // a copy of the source, which others may not be allowed to read
    storage.createPrivate(folder, false);
    ExampleParts parts = parts(folder);
    ShufflePlan plan = plan(files);
    Optional<ShufflePlan> known = planIn(parts.open(), plan);
    if (known.isPresent()) {
      plan = known.get();
    } else {
      storage.delete(folder); // what a dead run has left is of an unknown form
      storage.createPrivate(folder, false);
    }
    write(plan, parts.open());
    ShufflePlan written = plan;
    parts.make("shuffle", missing -> job(written, missing, folder), run);
    return source.made(ShuffledDataset.open(folder.folder()), folder);
  }

  /** Writes what tasks must know, also where a dead run has written the same. */
  private void write(ShufflePlan plan, StagedFolder staged) throws IOException {
    if (order.padding() > 0) {
      kept.write(ExampleChoice.of(order), staged);
    }
    try (Output out = staged.create(ShufflePlan.FILE)) {
      out.write(ByteBuffer.wrap(plan.text().getBytes(StandardCharsets.UTF_8)));
    }
    staged.commit(ShuffledDataset.PLAN, ShuffledDataset.PLAN);
  }

  /**
   * Returns the plan by which a dead run has written rows, if it has begun to, and if they are the
   * rows of this shuffle. The records of parts that are not complete are removed.
   */
  private Optional<ShufflePlan> planIn(StagedFolder staged, ShufflePlan own) throws IOException {
    Set<String> complete = staged.keepComplete(runner::warning).keySet();
    if (!complete.contains(ShuffledDataset.PLAN)) {
      return Optional.empty();
    }
    try {
      ShufflePlan known = ShufflePlan.read(staged);
      if (known.hasRowsOf(own)) {
        return Optional.of(known);
      }
      runner.warning(
          "%s: is not what this command plans; all rows are made again"
              .formatted(staged.path(ShufflePlan.FILE)));
    } catch (FormatException e) {
      runner.warning(e.getMessage() + "; all rows are made again");
    }
    return Optional.empty();
  }

  private ExampleParts parts(StoragePath folder) throws FormatException {
    return new ExampleParts(part().geometry(), folder, runner);
  }

  @Override
  public JobPlan plan(@Nullable WritePlan files, StoragePath folder, boolean resumed)
      throws IOException, InterruptedException {
    ShufflePlan plan = plan(files);
    return parts(folder).plan(missing -> job(plan, missing, folder), resumed);
  }

  @Override
  public Long temporaryBytes(@Nullable WritePlan files, StoragePath folder, boolean resumed)
      throws IOException {
    return parts(folder).bytesLeft(plan(files).stagedBytes(), resumed);
  }

  /** Returns the records of the source that contain the rows. */
  private RecordRequest records() throws FormatException {
    RecordSelection.Unit unit =
        isVector() ? RecordSelection.Unit.BLOCK : RecordSelection.Unit.EXAMPLE;
    long examples = part().geometry().examples();
    boolean all = order.sample() == examples;
    return new RecordRequest(
        unit,
        false,
        List.of(),
        1,
        all ? null : new ExampleSample(examples, order.sample(), order.seed()));
  }

  @Override
  public void compare(OpenedSource made, SourceRequest written, String path)
      throws IOException, InterruptedException {
    ShufflePlan plan = ((ShuffledDataset) made.whole()).plan();
    Geometry rows = plan.activations().geometry();
    try (OpenedSource opened = SummedRows.open(written, runner)) {
      OpenedSource found = opened == null ? made : opened;
      ActivationDataset dataset = found.dataset().requireActivations();
      DType dtype = dataset.geometry().dtype();
      int labels = dataset.hasLabels() ? plan.side().labels() : 0;
      Settings settings =
          SummedRows.labels(labels)
              .with(SplitRows.PLAN, plan.text())
              .with(SplitRows.FOLDER, Objects.requireNonNull(made.staged()).qualified());
      new SummedRows(
              source,
              rows.examples(),
              SummedRows.input(source, dtype),
              records(),
              SumSourceRows.class,
              settings)
          .check(SummedRows.examples(found, rows.layers(), dtype, labels), path, runner);
    }
    runner.listener().message("shuffle: verified: all rows match the source");
  }

  private DatasetJob.Parts job(ShufflePlan plan, Settings missing, StoragePath folder)
      throws FormatException {
    InputSpec input = source.spec().with(types()).with(Numbering.SELECTION);
    return DatasetJob.step("shuffle", source.request().source())
        .reading(source.input(input, records()))
        .with(missing.with(SplitRows.PLAN, plan.text()).with(SplitRows.FOLDER, folder.qualified()))
        .task(ScatterRows.class)
        .splitBytes(2 * plan.format().writingBytes()); // rows that fill chunks of all buckets
  }
}
