package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.ReadsAhead;
import org.saevhadoop.format.arrays.format.ArrayFormat;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrays.format.RunnerDocument;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.arrays.proposal.ArrayProposals.Variant;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.parquet.write.ParquetWritePlan;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetReport;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.FileMerge;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.ReportSink;
import org.saevhadoop.format.spi.StreamAccess;

/** The format for vector columns in Parquet files, which are staged. */
public final class ParquetFormat extends ArrayFormat {
  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public String expected() {
    return "*.parquet";
  }

  /**
   * A summary file is certain evidence: this project writes one, and so does Spark if it is
   * configured to.
   */
  @Override
  public FormatEvidence detect(Location location) throws IOException {
    return hasSummary(location) ? FormatEvidence.CERTAIN : super.detect(location);
  }

  @Override
  public boolean isPart(String file) {
    return file.equals(ParquetWritePlan.SUMMARY);
  }

  /**
   * Files written by other programs. They have no named arrays, and each folder of them is a
   * dataset.
   */
  private record ForeignTables(ParquetReader tables) implements ArrayReader {
    @Override
    public boolean isNamed(String file) {
      return tables.isNamed(file);
    }

    @Override
    public ArrayFile read(Folder folder, String file) throws IOException {
      try (Input in = folder.open(file)) {
        return RowLayout.describes(TableFooter.read(in))
            ? ArrayFile.of(List.of())
            : tables.read(folder, file);
      }
    }
  }

  @Override
  protected ParquetReader reader(Settings settings) {
    return new ParquetReader(settings);
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    throw ParquetError.NOT_STAGED.in(
        location.path(),
        "is in Parquet, whose pages cannot be read in place (expected staged row groups)");
  }

  @Override
  protected ActivationDataset headers(
      Location location, Settings settings, ProvenanceReader provenance) throws IOException {
    return headersOf(ofFiles(location, settings), location, provenance, (footer, layout) -> {});
  }

  /**
   * Opens a dataset only for its shape.
   *
   * @param settings the result of {@link #ofFiles}
   * @param footers receives the footers of this project's files
   */
  ActivationDataset headersOf(
      Settings settings,
      Location location,
      ProvenanceReader provenance,
      BiConsumer<TableFooter, RowLayout> footers)
      throws IOException {
    if (LayerTables.areIn(settings)) {
      return layers(location, settings).headers();
    }
    Optional<RowLayout> layout = layout(location, settings);
    if (layout.isPresent() && !ArrayKeys.isLayout(settings)) {
      return RowFiles.read(location, files(location, settings), layout.get(), footers)
          .table(location)
          .activations(provenance, ArrayKeys.mappings(settings));
    }
    return RunnerDocument.compare(
        location,
        ArrayDataset.open(location, reader(settings), ArrayKeys.options(settings)),
        settings);
  }

  @Override
  protected List<SettingKey<?>> ownKeys() {
    return List.of(ParquetKeys.LAYER_COLUMN, ArrayKeys.LABEL_COLUMN, ArrayKeys.SCALARS);
  }

  LayerTables layers(Location location, Settings settings) throws IOException {
    return new LayerTables(location, files(location, settings), settings);
  }

  @Override
  public void describe(
      Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException {
    RowReport rows = new RowReport(files(location, settings));
    ActivationDataset dataset = headersOf(ofFiles(location, settings), location, provenance, rows);
    DatasetReport report =
        rows.isEmpty()
            ? report(this, dataset)
            : rows.of(this, dataset, provenance, sink.isForPerson());
    sink.report(report);
  }

  /**
   * Returns settings with which all files are read in the same way: the dimensions of tensors are
   * extended to the dimensions of arrays, and a column that cannot be an array in one file is not
   * an array in any.
   */
  Settings ofFiles(Location location, Settings settings) throws IOException {
    if (settings.isSet(ArrayKeys.SCALARS) || LayerTables.areIn(settings)) {
      return settings;
    }
    List<ArrayFiles.Found> files = files(location, settings);
    TableFooter first;
    try (Input in = ArrayFiles.open(location.folder(), files.get(0).path())) {
      first = TableFooter.read(in);
    }
    Settings ofRows =
        ArrayKeys.mayNameRows(settings) ? ArrayKeys.ofRows(settings, first.ranks()) : settings;
    List<Callable<Set<String>>> reads = new ArrayList<>();
    if (files.size() > 1
        && RowLayout.of(first, ArrayKeys.mappings(settings)).isEmpty()
        && RowMeaning.of(first, ofRows).isOneToken()) {
      files.forEach(file -> reads.add(() -> TableArrays.scalars(file.folder(), file.name())));
    }
    Set<String> scalars = new TreeSet<>();
    try (ReadsAhead<Set<String>> results = new ReadsAhead<>(reads)) {
      for (int i = 0; i < reads.size(); i++) {
        scalars.addAll(results.next());
      }
    }
    return scalars.isEmpty() ? ofRows : ofRows.with(ArrayKeys.SCALARS, List.copyOf(scalars));
  }

  /** Returns nothing for files of this project, whose metadata determines how they are read. */
  @Override
  public Optional<ArrayProposals> propose(Location location) throws IOException {
    return detect(location) != FormatEvidence.NONE && layout(location, Settings.NONE).isPresent()
        ? Optional.empty()
        : super.propose(location);
  }

  @Override
  protected List<Variant> variants() {
    ArrayReader foreign = new ForeignTables(reader(Settings.NONE));
    return List.of(new Variant(foreign, false, Set.of(ParquetWritePlan.SUMMARY)));
  }

  List<ArrayFiles.Found> files(Location location, Settings settings) throws IOException {
    ParquetReader reader = reader(settings);
    DatasetError.INCOMPLETE.check(
        ArrayKeys.options(settings).files() != null
            || !hasSummary(location)
            || location.files().keySet().stream().anyMatch(reader::isNamed),
        location.path(),
        "has a %s file, but no %s file (expected all files of the dataset, in one folder)",
        ParquetWritePlan.SUMMARY,
        expected());
    return ArrayFiles.of(location, reader, ArrayKeys.options(settings).files());
  }

  private static boolean hasSummary(Location location) throws IOException {
    return !location.isFile() && location.files().containsKey(ParquetWritePlan.SUMMARY);
  }

  /**
   * Returns the path of the file whose metadata describes a dataset: the summary of all files if
   * this project wrote it; otherwise, the first file.
   */
  String describing(Location location, Settings settings) throws IOException {
    if (hasSummary(location)) {
      try (Input in = location.folder().open(ParquetWritePlan.SUMMARY)) {
        if (RowLayout.describes(TableFooter.read(in))) {
          return ParquetWritePlan.SUMMARY;
        }
      }
    }
    return files(location, settings).get(0).path();
  }

  /** Returns the layout of a dataset that this project wrote, unless the user names its columns. */
  Optional<RowLayout> layout(Location location, Settings settings) throws IOException {
    if (LayerTables.areIn(settings)) {
      return Optional.empty();
    }
    try (Input in = ArrayFiles.open(location.folder(), describing(location, settings))) {
      Optional<RowLayout> layout = RowLayout.of(TableFooter.read(in), ArrayKeys.mappings(settings));
      if (layout.isPresent() && settings.isSet(ArrayKeys.LABEL_COLUMN)) {
        throw new SettingException(
            "%s is set (expected to be left out, because %s states which columns it has, or with"
                    .formatted(settings.nameOf(ArrayKeys.LABEL_COLUMN), in.path())
                + " --layer-column)");
      }
      return layout;
    }
  }

  @Override
  public ModelName assumedModel(Location location) throws IOException {
    return RunnerDocument.model(location, super.assumedModel(location));
  }

  @Override
  public Optional<StreamAccess> stream() {
    return Optional.of(new ParquetStream(this));
  }

  @Override
  public Optional<FileMerge> merging() {
    return Optional.of(new ParquetMerge(this));
  }

  @Override
  public Optional<DatasetWriting> writing() {
    return Optional.of(new ParquetWriting());
  }

  /** Reads all pages. */
  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    List<FormatException> problems = new ArrayList<>();
    List<StagedGroup> groups = new ArrayList<>();
    try {
      for (ArrayFiles.Found file : files(location, settings)) {
        try (Input in = file.folder().open(file.name())) {
          readPages(file.path(), in, settings, groups);
        } catch (FormatException e) {
          problems.add(e);
        }
      }
      if (problems.isEmpty()) {
        headers(location, settings, provenance).warnings().forEach(warnings);
        Optional<RowLayout> layout = layout(location, settings);
        if (layout.isPresent()) {
          if (!location.isFile() && !hasSummary(location)) {
            warnings.accept(
                "%s has no %s, with which a conversion completes a dataset"
                    .formatted(location.path(), ParquetWritePlan.SUMMARY));
          }
          RowFiles.of(location.path(), layout.get(), RowFiles.runs(layout.get(), groups));
        }
      }
    } catch (FormatException e) {
      problems.add(e);
    }
    return problems;
  }

  /**
   * Reads all pages of a file.
   *
   * @param groups the receiver of the descriptions of the row groups in this project's files
   */
  private void readPages(String path, Input in, Settings settings, List<StagedGroup> groups)
      throws IOException {
    if (LayerTables.areIn(settings)) {
      LayerTables.readPages(in, settings);
      return;
    }
    TableFooter footer = TableFooter.read(in);
    Optional<RowLayout> layout = RowLayout.of(footer, ArrayKeys.mappings(settings));
    TableArrays table = layout.isPresent() ? null : TableArrays.of(in, settings);
    for (int group = 0; group < footer.rowGroups().size(); group++) {
      if (table == null) {
        RowGroupStaging rows =
            new RowGroupStaging(in, footer, group, layout.get(), layout.get().geometry().layers());
        rows.read(elements -> {});
        rows.ids();
        rows.checkSamples();
        groups.add(rows.staged(path, "", 0, "", ""));
        continue;
      }
      for (TableArrays.Array array : table.arrays()) {
        table.read(in, group, array, elements -> {});
      }
      SampleStaging.check(in, footer, group, table.samples());
    }
  }
}
