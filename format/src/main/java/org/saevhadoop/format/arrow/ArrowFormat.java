package org.saevhadoop.format.arrow;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.format.ArrayFormat;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrays.format.RunnerDocument;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.arrow.file.ArrowReader;
import org.saevhadoop.format.arrow.file.ArrowReader.Bodies;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.kind.FileKind;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * The format of Arrow files, as written by Hugging Face's {@code datasets}, by SAELens and by
 * pyarrow, including Feather V2. A row is an example unless {@code --tensor} states otherwise.
 */
public final class ArrowFormat extends ArrayFormat {
  @Override
  public String name() {
    return "arrow";
  }

  @Override
  public String expected() {
    return "*.arrow, *.feather";
  }

  /** Reads the first bytes of a file whose name is not conclusive. */
  @Override
  public FormatEvidence detect(Location location) throws IOException {
    FormatEvidence evidence = super.detect(location);
    if (evidence != FormatEvidence.NONE || !location.isFile()) {
      return evidence;
    }
    try (Input file = location.folder().open(location.file())) {
      return FileKind.of(file).equals(Optional.of(FileKind.ARROW))
          ? FormatEvidence.FAIR
          : FormatEvidence.NONE;
    }
  }

  @Override
  protected ArrayReader reader(Settings settings) {
    return reader(settings, Bodies.PACKED);
  }

  @Override
  protected List<SettingKey<?>> ownKeys() {
    return List.of(ArrayKeys.LABEL_COLUMN, ArrayKeys.SCALARS);
  }

  ArrowReader reader(Settings settings, Bodies bodies) {
    Set<String> tokens = new HashSet<>();
    if (settings.get(ArrayKeys.SAMPLE_METADATA)) {
      tokens.addAll(PaddingMarks.TOKEN_IDS);
      tokens.addAll(PaddingMarks.MASKS);
    }
    if (settings.isSet(ArrayKeys.LABEL_COLUMN)) {
      tokens.add(settings.get(ArrayKeys.LABEL_COLUMN));
    }
    List<String> scalars = settings.get(ArrayKeys.SCALARS);
    return new ArrowReader(
        new ArrowReader.Names(
            ArrayKeys.mappings(settings).stream().map(ArrayMapping::name).toList(),
            tokens,
            row(settings),
            scalars == null ? Set.of() : Set.copyOf(scalars)),
        bodies);
  }

  /**
   * Returns the meaning of a row.
   *
   * @param settings the settings, which can name the dimensions of arrays
   */
  private static ArrowReader.Row row(Settings settings) {
    List<ArrayMapping> mappings = ArrayKeys.mappings(settings);
    if (!settings.get(ArrayKeys.SAMPLE_METADATA)
        || settings.get(ArrayKeys.TOKENS_PER_EXAMPLE) > 1
        || !mappings.stream().allMatch(own -> own.axes().indexOf(Axis.EXAMPLE) == 0)) {
      return ArrowReader.Row.OTHER;
    }
    if (mappings.isEmpty()) {
      return ArrowReader.Row.EXAMPLE;
    }
    return mappings.stream().anyMatch(own -> own.axes().contains(Axis.TOKEN))
        ? ArrowReader.Row.TOKENS
        : ArrowReader.Row.TOKEN;
  }

  /** Proposes nothing for a folder whose documents contradict its files. */
  @Override
  public Optional<ArrayProposals> propose(Location location) throws IOException {
    SavedFolder.check(location, false);
    return super.propose(location);
  }

  @Override
  public TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    Settings rows = ofFiles(location, settings);
    return RunnerDocument.compare(
        location, ArrayKeys.open(location, reader(rows, Bodies.IN_PLACE), rows), settings);
  }

  /** Reads compressed record batches, except for the values of vectors. */
  @Override
  protected ActivationDataset headers(
      Location location, Settings settings, ProvenanceReader provenance) throws IOException {
    return headersOf(ofFiles(location, settings), location);
  }

  /**
   * Opens a dataset only for its shape.
   *
   * @param settings the result of {@link #ofFiles}
   */
  ActivationDataset headersOf(Settings settings, Location location) throws IOException {
    return RunnerDocument.compare(
        location,
        ArrayDataset.open(location, reader(settings), ArrayKeys.options(settings)),
        settings);
  }

  @Override
  public ModelName assumedModel(Location location) throws IOException {
    return RunnerDocument.model(location, super.assumedModel(location));
  }

  @Override
  public Optional<StreamAccess> stream() {
    return Optional.of(new ArrowStream(this));
  }

  @Override
  public List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException {
    try {
      Settings rows = ofFiles(location, settings);
      List<FormatException> problems =
          new ArrayList<>(super.check(location, rows, provenance, warnings));
      if (problems.isEmpty()) {
        checkBodies(location, rows, problems);
      }
      return problems;
    } catch (FormatException e) {
      return List.of(e);
    }
  }

  /**
   * Unpacks all compressed record batches, and reads the sample metadata of files without such
   * batches.
   */
  private void checkBodies(Location location, Settings settings, List<FormatException> problems)
      throws IOException {
    ArrowReader reader = reader(settings, Bodies.PACKED);
    for (ArrayFiles.Found file : ArrayFiles.of(location, reader, settings.get(ArrayKeys.FILES))) {
      try (Input in = file.folder().open(file.name())) {
        reader.unpack(in, 0, Integer.MAX_VALUE, bytes -> {});
        if (!ArrowReader.isPacked(in)) {
          reader.checkSamples(file.folder(), file.name());
        }
      } catch (FormatException e) {
        problems.add(e);
      }
    }
  }

  /**
   * Returns settings with which all files are read in the same way: the dimensions of tensors
   * include the rows, and columns that are sample metadata in some files are sample metadata in
   * all.
   */
  Settings ofFiles(Location location, Settings settings) throws IOException {
    SavedFolder.check(location, settings.isSet(ArrayKeys.FILES));
    List<ArrayFiles.Found> files =
        ArrayFiles.of(location, reader(settings), settings.get(ArrayKeys.FILES));
    Settings rows = settings;
    if (ArrayKeys.mayNameRows(settings)) {
      try (Input file = files.get(0).folder().open(files.get(0).name())) {
        rows = ArrayKeys.ofRows(settings, ArrowReader.ranks(file));
      }
    }
    boolean areTasks = settings.isSet(ArrayKeys.SURVEY);
    if (files.size() == 1 || areTasks || settings.isSet(ArrayKeys.SCALARS)) {
      return rows;
    }
    ArrowReader reader = reader(rows, Bodies.PACKED);
    Set<String> scalars = new TreeSet<>();
    for (ArrayFiles.Found file : files) {
      scalars.addAll(reader.sampleFields(file.folder(), file.name()));
    }
    return scalars.isEmpty() ? rows : rows.with(ArrayKeys.SCALARS, List.copyOf(scalars));
  }

  @Override
  public Settings forTasks(TableDataset opened, Settings settings) {
    Settings tasks = super.forTasks(opened, settings);
    return opened instanceof ArrayDataset arrays
            && arrays.reader() instanceof ArrowReader reader
            && !reader.names().scalars().isEmpty()
        ? tasks.with(ArrayKeys.SCALARS, reader.names().scalars().stream().sorted().toList())
        : tasks;
  }
}
