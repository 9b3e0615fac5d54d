package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.arrays.columns.ColumnActivations;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.parquet.layers.JoinedLayers;
import org.saevhadoop.format.parquet.layers.LayerAgreement;
import org.saevhadoop.format.parquet.layers.LayerColumns;
import org.saevhadoop.format.parquet.layers.LayerGroup;
import org.saevhadoop.format.parquet.layers.LayerJoin;
import org.saevhadoop.format.parquet.layers.LayerRun;
import org.saevhadoop.format.parquet.layers.LayerShape;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * Tables with a column that contains the layer number of each row.
 *
 * @param source the dataset
 * @param files the files of the dataset, in order
 * @param settings the settings, which name the column
 */
record LayerTables(Location source, List<ArrayFiles.Found> files, Settings settings) {
  private static final String VECTORS = "vectors-%05d";
  private static final String NUMBERS = "numbers-%05d";
  private static final String PART = "layers-%05d";

  /** Keys that apply only to arrays whose rows are examples. */
  private static final List<SettingKey<?>> OF_EXAMPLES =
      List.of(
          ArrayKeys.RAGGED, ArrayKeys.TOKENS_PER_EXAMPLE, ArrayKeys.MASKS, ArrayKeys.LAYER_NAMES);

  /**
   * The rows in the row groups of a part.
   *
   * @param isNumbered whether rows contain the numbers of their examples
   */
  private record Part(List<LayerRun> runs, boolean isNumbered) {}

  /** Returns whether settings name the column. */
  static boolean areIn(Settings settings) {
    return settings.isSet(ParquetKeys.LAYER_COLUMN);
  }

  private static LayerColumns columns(Input in, Settings settings) throws IOException {
    String layer = settings.get(ParquetKeys.LAYER_COLUMN);
    if (layer == null) {
      throw new IllegalArgumentException("no column numbers layers");
    }
    return LayerColumns.of(in, layer, label(settings), ArrayKeys.mappings(settings));
  }

  private static Optional<String> label(Settings settings) {
    return Optional.ofNullable(settings.get(ArrayKeys.LABEL_COLUMN));
  }

  /** Reads the columns that number the rows of all files, and derives the shape. */
  LayerShape shape() throws IOException {
    for (SettingKey<?> key : OF_EXAMPLES) {
      if (settings.isSet(key)) {
        throw new SettingException(
            "%s is set (expected to be left out: it applies only if rows are examples, not with %s)"
                .formatted(settings.nameOf(key), settings.nameOf(ParquetKeys.LAYER_COLUMN)));
      }
    }
    LayerShape.Survey survey = new LayerShape.Survey(source.path(), label(settings));
    for (ArrayFiles.Found file : files) {
      try (Input in = ArrayFiles.open(source.folder(), file.path())) {
        survey.add(in, columns(in, settings));
      }
    }
    return survey.shape();
  }

  /** Returns the dataset without its values, which are not staged. */
  ActivationDataset headers() throws IOException {
    return dataset(source, shape(), source.folder());
  }

  /** Reads all pages of the relevant columns of a file. */
  static void readPages(Input in, Settings settings) throws IOException {
    LayerColumns columns = columns(in, settings);
    for (int group = 0; group < columns.footer().rowGroups().size(); group++) {
      columns.readVectors(in, group, elements -> {});
      columns.readNumbers(in, group);
    }
  }

  /** Stages the row groups of a part. */
  static void stage(
      StreamAccess.Part part,
      List<Input> inputs,
      Settings settings,
      Folder target,
      Path localFolder)
      throws IOException {
    String vectors = VECTORS.formatted(part.number());
    String numbers = NUMBERS.formatted(part.number());
    List<LayerRun> runs = new ArrayList<>();
    boolean isNumbered = true;
    try (Output vectorsOut = target.create(vectors);
        Output numbersOut = target.create(numbers)) {
      for (int i = 0; i < inputs.size(); i++) {
        Input in = inputs.get(i);
        LayerColumns columns = columns(in, settings);
        int end = Math.min(part.endEntry(), columns.footer().rowGroups().size());
        for (int group = part.firstEntry(); group < end; group++) {
          if (columns.footer().rowGroups().get(group).rows() > 0) {
            isNumbered &= columns.example().isPresent();
            runs.addAll(
                LayerGroup.read(in, columns, group)
                    .write(
                        part.files().get(i),
                        vectors,
                        vectorsOut,
                        numbers,
                        numbersOut,
                        localFolder));
          }
        }
      }
    }
    Jackson.write(target, PART.formatted(part.number()), new Part(runs, isNumbered));
  }

  /** Joins the parts, which must all be staged. */
  void join(Folder staged, List<StreamAccess.Part> parts) throws IOException {
    List<LayerRun> runs = new ArrayList<>();
    boolean isNumbered = true;
    for (StreamAccess.Part part : parts) {
      Part read = Jackson.read(staged, PART.formatted(part.number()), Part.class);
      runs.addAll(read.runs);
      isNumbered &= read.isNumbered;
    }
    LayerJoin.write(
        staged,
        source.folder(),
        files.get(0).path(),
        shape(),
        runs,
        isNumbered,
        new LayerAgreement(
            label(settings).orElse(LayerColumns.LABEL),
            PaddingMarks::isNamed,
            !settings.get(ArrayKeys.SAMPLE_METADATA)));
  }

  /** Opens the dataset of joined parts. */
  static ActivationDataset open(Folder staged, Location source) throws IOException {
    JoinedLayers joined = JoinedLayers.read(staged);
    return dataset(source, joined.shape(), joined.in(staged, source.folder()));
  }

  private static ActivationDataset dataset(Location source, LayerShape shape, Folder folder)
      throws FormatException {
    RowLayout layout =
        new RowLayout(
            source.path(),
            RowUnit.VECTOR,
            shape.geometry(),
            shape.patches(),
            shape.integers(),
            false,
            Provenance.NONE);
    long examples = shape.geometry().examples();
    long bytes = examples * shape.geometry().exampleBytes();
    Shards shards = new Shards(List.of(new Shard(JoinedLayers.ROWS, 0, examples, bytes)));
    RowTable table =
        new RowTable(
            source.path(),
            folder,
            layout,
            layout.table(examples),
            shape.geometry().layers(),
            shards,
            folder,
            List.of(),
            List.of());
    ActivationColumns columns =
        ActivationColumns.of(source.path(), table.table(), layout.metadata(), List.of());
    int others = shape.geometry().tokens() - shape.patches();
    OptionalInt clsTokens =
        shape.patches() > 0 && others <= 1 ? OptionalInt.of(others) : OptionalInt.empty();
    Activations activations = new Activations(shape.geometry(), clsTokens, Provenance.NONE);
    List<String> warnings = new ArrayList<>(TableArrays.warnings(shape.unread()));
    warnings.addAll(shape.warnings());
    return new ColumnActivations(
        table, columns, activations, () -> columns.storageOrder(true), warnings);
  }
}
