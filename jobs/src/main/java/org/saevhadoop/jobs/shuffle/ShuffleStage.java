package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.RowUnit;
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
import org.saevhadoop.format.shuffle.RowFormat.Files;
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
 * Datasets that are made by shuffling a part of a source. Each dataset contains different examples
 * of that part.
 *
 * @param source the part
 * @param datasets the datasets that are made
 * @param kept the tokens that are not padding
 * @param side the side data for each row
 * @param keepsTypes whether rows are written in the stored types unless others are requested
 * @param recorded the settings that define all datasets of the shuffle, including these
 */
record ShuffleStage(
    OpenedSource source,
    List<Dataset> datasets,
    UnpaddedTokens kept,
    SideRow side,
    boolean keepsTypes,
    Settings recorded,
    JobRunner runner)
    implements Stage {
  private static final SettingKey<String> ORDER =
      SettingKey.internalName("saev.shuffle.order", "The order of the rows, for records of runs.");

  /**
   * A dataset.
   *
   * @param number the number of the dataset among all datasets of the shuffle, which identifies the
   *     dataset in a run
   */
  record Dataset(int number, RowOrder order) {}

  /** Returns a stage of datasets whose orders record how many vectors are left out as padding. */
  static ShuffleStage of(
      OpenedSource source,
      List<RowOrder> orders,
      UnpaddedTokens kept,
      SideRow side,
      boolean keepsTypes,
      JobRunner runner)
      throws IOException {
    List<Dataset> datasets = new ArrayList<>();
    for (RowOrder order : orders) {
      long padding = kept.padding(ExampleChoice.of(order));
      datasets.add(new Dataset(datasets.size(), order.withPadding(padding)));
    }
    String texts =
        datasets.stream().map(each -> each.order().text()).collect(Collectors.joining(" "));
    Settings recorded =
        source.request().recorded().with(ORDER, texts + (side.coordinates() ? " coordinates" : ""));
    return new ShuffleStage(source, datasets, kept, side, keepsTypes, recorded, runner);
  }

  @Override
  public Stage only(List<Integer> indexes) {
    List<Dataset> some = indexes.stream().map(datasets::get).toList();
    return new ShuffleStage(source, some, kept, side, keepsTypes, recorded, runner);
  }

  private ActivationDataset part() throws FormatException {
    return source.dataset().requireActivations();
  }

  /**
   * Returns the types in which the rows are staged: the requested or the stored types. Normalized
   * values are rounded once, to the type that is written.
   */
  private DTypeRequest types() throws FormatException {
    DTypeRequest asked = source.spec().dtypes();
    boolean isWidened = asked.normalization() != null && !keepsTypes;
    return asked.isAsked() || isWidened ? asked.of(part().table()) : asked.unconverted();
  }

  private boolean isVector() {
    return datasets.get(0).order().unit() == RowUnit.VECTOR;
  }

  /** Returns the shuffled dataset that has the given order. */
  private Activations activations(RowOrder order) throws FormatException {
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

  private List<Activations> activations() throws FormatException {
    List<Activations> shuffled = new ArrayList<>();
    for (Dataset dataset : datasets) {
      shuffled.add(activations(dataset.order()));
    }
    return shuffled;
  }

  /** Returns, for each dataset, how its rows will be divided among the files of the conversion. */
  private static List<Files> targets(List<Activations> datasets, List<WritePlan> files) {
    return IntStream.range(0, datasets.size())
        .mapToObj(
            i -> new Files(datasets.get(i).geometry().examples(), files.get(i).examplesPerShard()))
        .toList();
  }

  private static long rowBytes(List<Activations> datasets) {
    return datasets.get(0).geometry().exampleBytes();
  }

  /** Returns the plans of the rows, given the files to which they will be converted. */
  private List<ShufflePlan> plans(List<WritePlan> files) throws IOException {
    List<Activations> shuffled = activations();
    List<RowFormat> formats =
        TaskMemory.of(runner)
            .formats(source.request().source(), targets(shuffled, files), rowBytes(shuffled));
    List<ShufflePlan> plans = new ArrayList<>();
    for (int i = 0; i < datasets.size(); i++) {
      plans.add(plan(datasets.get(i), shuffled.get(i), formats.get(i)));
    }
    return plans;
  }

  private ShufflePlan plan(Dataset dataset, Activations shuffled, RowFormat format)
      throws FormatException {
    int rows = isVector() ? part().geometry().tokens() : 1;
    return new ShufflePlan(dataset.number(), dataset.order(), shuffled, rows, format, side);
  }

  @Override
  public void check() throws IOException {
    types().check(part());
  }

  @Override
  public List<OpenedSource> planned(StoragePath folder) throws IOException {
    List<OpenedSource> planned = new ArrayList<>();
    for (Dataset dataset : datasets) {
      Activations activations = activations(dataset.order());
      Geometry shuffled = activations.geometry();
      RowFormat format =
          TaskMemory.of(runner)
              .format(
                  source.request().source(),
                  shuffled.examples(),
                  shuffled.exampleBytes(),
                  Long.MAX_VALUE);
      ShufflePlan plan = plan(dataset, activations, format);
      planned.add(made(ShuffledDataset.planned(plan, source.dataset()), folder));
    }
    return planned;
  }

  @Override
  public List<List<Integer>> passes(List<WritePlan> files) throws IOException {
    List<Activations> shuffled = activations();
    return TaskMemory.of(runner).passes(targets(shuffled, files), rowBytes(shuffled));
  }

  @Override
  public List<OpenedSource> make(List<WritePlan> files, RunFolder run)
      throws IOException, InterruptedException {
    StoragePath folder = run.data();
    RunStorage storage = runner.storage(folder);
    // a copy of the source, which others may not be allowed to read
    storage.createPrivate(folder, false);
    ExampleParts parts = parts(folder);
    List<ShufflePlan> plans = plans(files);
    List<ShufflePlan> known = plansIn(parts.open(), plans);
    if (known.isEmpty()) {
      storage.delete(folder); // a dead run has left data of unknown form
      storage.createPrivate(folder, false);
    }
    List<ShufflePlan> written = known.isEmpty() ? plans : known;
    write(written, parts.open());
    parts.make("shuffle", missing -> job(written, missing, folder), run);
    List<OpenedSource> made = new ArrayList<>();
    for (Dataset dataset : datasets) {
      made.add(made(ShuffledDataset.open(folder.folder(), dataset.number()), folder));
    }
    return made;
  }

  /**
   * Returns a dataset in a folder; except for dataset 0, the path of a dataset is the path of its
   * document.
   */
  private OpenedSource made(ShuffledDataset dataset, StoragePath folder) throws IOException {
    int number = dataset.plan().number();
    OpenedSource made = source.made(dataset, folder);
    return number == 0 ? made : made.at(folder.child(ShufflePlan.file(number)));
  }

  private static boolean haveRowsOf(List<ShufflePlan> plans, List<ShufflePlan> own) {
    return own.stream().allMatch(plan -> plans.stream().anyMatch(known -> known.hasRowsOf(plan)));
  }

  /** Writes the files that tasks need, even if an interrupted run has written the same files. */
  private void write(List<ShufflePlan> plans, StagedFolder staged) throws IOException {
    if (plans.stream().anyMatch(plan -> plan.order().padding() > 0)) {
      kept.write(staged);
    }
    for (ShufflePlan plan : plans) {
      try (Output out = staged.create(ShufflePlan.file(plan.number()))) {
        out.write(ByteBuffer.wrap(plan.text().getBytes(StandardCharsets.UTF_8)));
      }
    }
    staged.commit(ShuffledDataset.PLAN, ShuffledDataset.PLAN);
  }

  /**
   * Returns the plans of an interrupted run that has begun to write rows, if they include the rows
   * of this shuffle; otherwise an empty list. The records of incomplete parts are removed.
   */
  private List<ShufflePlan> plansIn(StagedFolder staged, List<ShufflePlan> own) throws IOException {
    Set<String> complete = staged.keepComplete(runner::warning).keySet();
    if (!complete.contains(ShuffledDataset.PLAN)) {
      return List.of();
    }
    try {
      List<ShufflePlan> known = ShufflePlan.readAll(staged);
      if (haveRowsOf(known, own)) {
        return known;
      }
      runner.warning(
          "%s: is not what this command plans; all rows are written again"
              .formatted(staged.path(ShufflePlan.FILE)));
    } catch (FormatException e) {
      runner.warning(e.getMessage() + "; all rows are written again");
    }
    return List.of();
  }

  /** Returns whether a folder, which does not have to exist, contains the rows of this shuffle. */
  private boolean isContinued(StoragePath folder, List<ShufflePlan> own) throws IOException {
    if (folder.kind() != StoragePath.Kind.FOLDER) {
      return false;
    }
    try {
      return haveRowsOf(ShufflePlan.readAll(folder.folder()), own);
    } catch (FormatException e) {
      return false; // a run makes all rows again, with a warning
    }
  }

  private ExampleParts parts(StoragePath folder) throws FormatException {
    return new ExampleParts(part().geometry(), folder, runner);
  }

  @Override
  public JobPlan plan(List<WritePlan> files, StoragePath folder, boolean resumed)
      throws IOException, InterruptedException {
    List<ShufflePlan> plans = plans(files);
    boolean continued = resumed && isContinued(folder, plans);
    return parts(folder).plan(missing -> job(plans, missing, folder), continued);
  }

  @Override
  public Long temporaryBytes(List<WritePlan> files, StoragePath folder, boolean resumed)
      throws IOException {
    List<ShufflePlan> plans = plans(files);
    long all = plans.stream().mapToLong(ShufflePlan::stagedBytes).sum();
    return parts(folder).bytesLeft(all, resumed && isContinued(folder, plans));
  }

  /** Returns the records of the source that contain the rows. */
  private RecordRequest records() throws FormatException {
    RecordSelection.Unit unit =
        isVector() ? RecordSelection.Unit.BLOCK : RecordSelection.Unit.EXAMPLE;
    long examples = part().geometry().examples();
    RowOrder order = datasets.get(0).order(); // all have the same sample
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

  private DatasetJob.Parts job(List<ShufflePlan> plans, Settings missing, StoragePath folder)
      throws FormatException {
    long writing = plans.stream().mapToLong(plan -> plan.format().writingBytes()).sum();
    InputSpec input = source.spec().with(types()).with(Numbering.SELECTION);
    return DatasetJob.step("shuffle", source.request().source())
        .reading(source.input(input, records()))
        .with(
            missing
                .with(SplitRows.PLAN, ShufflePlan.text(plans))
                .with(SplitRows.FOLDER, folder.qualified()))
        .task(ScatterRows.class)
        .splitBytes(2 * writing); // rows that fill chunks of all buckets
  }
}
