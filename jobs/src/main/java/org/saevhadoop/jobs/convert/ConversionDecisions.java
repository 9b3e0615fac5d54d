package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.combined.CombinedTable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.DatasetWriter;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.normalize.Normalization;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.publish.run.DirectOutput;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.PreparedWrite;
import org.saevhadoop.format.spi.WholeSource;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.jobs.digest.DatasetDigest;
import org.saevhadoop.jobs.digest.DigestJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionKeys.Carried;
import org.saevhadoop.mapreduce.job.ConversionSpec;
import org.saevhadoop.mapreduce.job.DTypeRequest;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.OutputSpec;
import org.saevhadoop.mapreduce.output.JobDatasets;
import org.saevhadoop.mapreduce.output.JobWriteContext;

/**
 * The decisions that a conversion makes once its source is open: types, format settings, path,
 * files, and the data that is carried along.
 *
 * @param target the path that the user named
 * @param settings the writing keys of the format and the keys that apply to any output
 * @param digest whether the digest of the result is requested
 * @param dryRun whether the conversion is only planned
 */
record ConversionDecisions(
    DatasetFormat to,
    StoragePath target,
    Settings settings,
    boolean digest,
    boolean dryRun,
    ConversionNotes notes,
    JobRunner runner) {
  /**
   * The maximum number of files: the names and lengths of all files are held in memory while a job
   * is planned and committed, and the documents that list them must not exceed the limits of their
   * readers.
   */
  private static final long MAX_FILES = 350_000;

  /**
   * The size in bytes above which a note warns about per-token integers written as text next to a
   * data file.
   */
  private static final long MAX_TOKEN_BYTES = 64 << 20;

  /** The length of most token ids as text, with a comma and a space. */
  private static final int BYTES_OF_INTEGER = 7;

  /** The placeholder identity of a dataset whose digest is not computed. */
  private static final String UNKNOWN = DatasetDigest.PREFIX + "0".repeat(64);

  private Configuration conf() {
    return runner.conf();
  }

  private Settings formatSettings() {
    return settings.only(to.requireWriting().writingKeys());
  }

  /** Decides on everything, and writes nothing. */
  PlannedConversion on(OpenedSource opened) throws IOException {
    TableDataset dataset = opened.dataset();
    dataset.warnings().forEach(runner::warning);
    boolean samples = hasSamples(dataset);
    DTypeRequest asked = opened.spec().dtypes();
    boolean stored =
        !asked.isAsked()
            && to.requireWriting()
                .keepsStoredTypes(
                    formatSettings(),
                    dataset.table().columns().stream().map(Column::dtype).distinct().toList(),
                    samples);
    DTypeRequest numbers = stored ? asked.orStored() : asked;
    numbers.check(dataset);
    SourceNormalization.check(opened, settings.get(ConversionKeys.NORMALIZE_AGAIN));
    ConversionSource source = source(opened, numbers, asked.isAsked(), samples);
    PreparedWrite prepared =
        preparation()
            .prepare(
                source,
                wholeSource(opened),
                opened.request().sources(),
                settings.get(ConversionKeys.RESUME));
    prepared.losses().forEach(notes::loss);
    prepared.changes().forEach(notes::change);
    StoragePath published = DatasetDestination.below(target, prepared.directory());
    OutputSpec output = output(source, prepared, published, samples);
    OpenedSource read = opened.first(prepared.examples());
    JobWriteContext context =
        new JobWriteContext(
            runner.formats(), output, published.qualified(), read::dataset, this::openOther);
    Io.Supplier<DatasetWrite> writes = () -> to.requireWriting().write(output.format(), context);
    DatasetWrite write = writes.get();
    context.checkSampleMetadata(write.plan().table());
    checkFiles(published, write.plan());
    noteTokens(source, output, write.plan());
    ConversionSpec spec =
        new ConversionSpec(read.spec().with(numbers).with(Numbering.SELECTION), output);
    // without the facts about files that only tasks need; the record has the state of the files
    Settings reading = read.request().spec().format();
    Settings recorded = new ConversionSpec(spec.input().withFormat(reading), output).toSettings();
    DatasetDestination destination =
        DatasetDestination.of(opened.request(), published, settings, runner);
    return new PlannedConversion(
        spec,
        read,
        to,
        write,
        writes,
        destination,
        recorded,
        destination.isPublished(to, prepared.provenance()),
        notes,
        settings,
        digest,
        runner);
  }

  /** Opens a dataset that a setting names, with the Hadoop configuration. */
  private TableDataset openOther(String path, String format)
      throws IOException, ClassNotFoundException {
    return new JobDatasets(false, conf()).other(path, format);
  }

  private WritePreparation preparation() {
    return new WritePreparation(to, formatSettings(), target, runner);
  }

  private boolean hasSamples(TableDataset dataset) throws IOException {
    boolean named = settings.isSet(OutputKeys.SAMPLE_METADATA);
    boolean any = named || dataset.sampleMetadata().isPresent();
    boolean left = !settings.get(ConversionKeys.SAMPLE_METADATA);
    if (left && (any || hasTokens(dataset))) {
      notes.loss("the sample metadata is left out (--no-sample-metadata)");
    }
    return any && !left;
  }

  private static boolean hasTokens(TableDataset dataset) {
    return dataset instanceof ActivationDataset activations && !activations.tokenArrays().isEmpty();
  }

  private ConversionSource source(
      OpenedSource opened, DTypeRequest numbers, boolean typesAsked, boolean samples)
      throws IOException {
    TableDataset dataset = opened.dataset();
    Provenance provenance = Provenance.NONE;
    if (opened.whole() instanceof ActivationDataset whole) {
      Provenance ofWhole = SourceNormalization.provenance(opened);
      provenance =
          opened.isWhole() ? ofWhole : runner.formats().select(whole, opened.part(), ofWhole);
    }
    return new ConversionSource(
        opened.request().source().shown(),
        opened.request().format().name(),
        dataset,
        numbers.table(dataset),
        typesAsked || opened.whole() instanceof CombinedTable several && several.isOfSeveralTypes(),
        provenance,
        runner
            .formats()
            .model(provenance)
            .or(opened.request().format().assumedModel(opened.request().location())),
        samples,
        opened.spec().format(),
        preparation().fileBytes(numbers.table(dataset)));
  }

  private @Nullable WholeSource wholeSource(OpenedSource opened) throws IOException {
    if (opened.isWhole()) {
      return null;
    }
    return new WholeSource(
        opened.whole(),
        opened.part(),
        SourceNormalization.provenance(opened),
        () -> sourceDigest(opened));
  }

  private String sourceDigest(OpenedSource opened) throws IOException {
    String note = "the source has no hash; computing its digest requires reading all of it";
    if (dryRun) {
      notes.leaveUnnamed(note);
      return UNKNOWN;
    }
    runner.listener().message("convert: " + note);
    InputSpec spec =
        opened
            .spec()
            .with(ProjectionRequest.EVERYTHING)
            .with(opened.spec().dtypes().with((Normalization) null));
    Geometry geometry = opened.whole().requireActivations().geometry();
    try {
      return DigestJob.of(spec, opened, geometry, runner).identity();
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  private OutputSpec output(
      ConversionSource source, PreparedWrite prepared, StoragePath published, boolean samples)
      throws IOException {
    TableShape table = source.table().withExamples(prepared.examples());
    long types = table.columns().stream().map(column -> column.dtype()).distinct().count();
    Geometry geometry = null;
    if (source.dataset() instanceof ActivationDataset activations && types == 1) {
      geometry =
          activations
              .geometry()
              .as(table.columns().get(0).dtype())
              .withExamples(prepared.examples());
    }
    Settings outputs = settings.only(OutputKeys.all());
    return new OutputSpec(
        prepared.settings(),
        carried(source, prepared, samples),
        (samples ? outputs : outputs.without(OutputKeys.SAMPLE_METADATA))
            .and(OutputSpec.shape(table, geometry, prepared.provenance()))
            .with(OutputKeys.SPOOL, DatasetWriter.Spool.FALSE)
            .with(OutputKeys.DIRECT, DirectOutput.isPossible(published, runner.storage(published)))
            .with(OutputKeys.DEFERRED, digest || settings.get(ConversionKeys.VERIFY))
            .with(OutputKeys.PUBLISH, published.qualified()));
  }

  private Set<Carried> carried(ConversionSource source, PreparedWrite prepared, boolean samples)
      throws IOException {
    Set<Carried> carried = EnumSet.noneOf(Carried.class);
    boolean labels =
        source.dataset() instanceof ActivationDataset activations && activations.hasLabels();
    if (labels && !prepared.keepsLabels()) {
      notes.loss("the labels are left out (format " + to.name() + " has none)");
    } else if (labels && !settings.isSet(OutputKeys.LABELS)) {
      carried.add(Carried.LABELS);
    }
    if (samples && !settings.isSet(OutputKeys.SAMPLE_METADATA)) {
      carried.add(Carried.SAMPLE_METADATA);
    }
    boolean arrays = to.requireWriting().keepsTokenArrays(prepared.settings(), source.table());
    if (!settings.get(ConversionKeys.SAMPLE_METADATA)) {
      carryPadding(source.dataset(), arrays, carried);
    } else if (hasTokens(source.dataset())) {
      carried.add(arrays ? Carried.TOKEN_ARRAYS : Carried.TOKEN_METADATA);
    }
    Optional<ExampleIds> ids = source.dataset().ids();
    if (ids.isPresent() && prepared.keepsIds()) {
      carried.add(Carried.IDS);
    } else if (ids.isPresent() && !ids.get().areNumbers()) {
      String hint = to.requireWriting().idsOption().map(" (%s keeps them)"::formatted).orElse("");
      notes.loss("the ids of the examples are not kept" + hint + ": they become numbers");
    }
    return carried;
  }

  /**
   * Carries the padding marks along even without sample metadata, if the format has arrays for
   * them.
   */
  private void carryPadding(TableDataset dataset, boolean arrays, Set<Carried> carried)
      throws IOException {
    if (!(dataset instanceof ActivationDataset activations) || !isPadded(activations)) {
      return;
    }
    if (arrays) {
      carried.add(Carried.PADDING);
    } else {
      notes.loss(
          "the marks of padding are left out (--no-sample-metadata): padding tokens become"
              + " vectors like all others");
    }
  }

  /**
   * Returns whether a dataset marks its padding tokens. A mask counts without being read, because
   * the mask of planned rows does not exist yet. Broken sample metadata is reported as a loss.
   */
  private boolean isPadded(ActivationDataset dataset) throws IOException {
    if (dataset.tokenArrays().names().contains(PaddingMarks.NAME)) {
      return true;
    }
    try {
      return TokenPadding.isIn(dataset);
    } catch (FormatException e) {
      notes.loss("whether tokens are padding is not known: " + e.getMessage());
      return false;
    }
  }

  /** Warns about per-token integers that are written as large amounts of text next to each file. */
  private void noteTokens(ConversionSource source, OutputSpec output, WritePlan plan) {
    if (!output.carried().contains(Carried.TOKEN_METADATA)
        || !(source.dataset() instanceof ActivationDataset activations)) {
      return;
    }
    TokenArrays arrays = activations.tokenArrays();
    double examples = Math.min(plan.examplesPerShard(), plan.table().examples());
    double bytes = examples * arrays.tokens() * arrays.names().size() * BYTES_OF_INTEGER;
    if (bytes > MAX_TOKEN_BYTES) {
      notes.change(
          "the per-token integers %s become about %.0f MiB of sample metadata next to each file"
                  .formatted(arrays.names(), bytes / (1 << 20))
              + " (--no-sample-metadata leaves them out)");
    }
  }

  private static void checkFiles(StoragePath published, WritePlan plan) throws FormatException {
    DatasetError.TOO_LARGE.check(
        plan.shardCount() <= MAX_FILES,
        published.shown(),
        "would have %d files of %d examples (expected at most %d: choose a larger file size)",
        plan.shardCount(),
        plan.examplesPerShard(),
        MAX_FILES);
  }
}
