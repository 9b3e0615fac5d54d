package org.saevhadoop.format.arrays.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.ArrayOptions;
import org.saevhadoop.format.arrays.ArraySurvey;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.LayerNames;
import org.saevhadoop.format.arrays.MaskChoice;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.format.settings.Settings;

/** The setting keys of formats whose datasets are arrays in any number of files. */
public final class ArrayKeys {
  /** The maximum number of tokens of an example, above the number of tokens in any model. */
  private static final int MAX_TOKENS = 1 << 24;

  public static final SettingKey<List<String>> TENSORS =
      SettingKey.of(
              "saev.input.tensors",
              SettingTypes.list(
                  SettingTypes.text(
                      "NAME=example,layer,token,dim",
                      "NAME=example,layer,token,dim",
                      ArrayMapping::parse)),
              null,
              "Read NAME as activations with these dimensions. They may be in any order, and all"
                  + " but dim may be left out. layer:13 or layer:10+11 sets the numbers of the"
                  + " layers. Dimensions with the same name form one (token,token for a grid,"
                  + " dim,dim for heads), and hook:0 reads one index of any other dimension. NAME"
                  + " may contain {layer}, {hook}, {shard} and {example}. Given once for each"
                  + " tensor. By default names and shapes decide.")
          .option("--tensor")
          .everyday();

  public static final SettingKey<NamePattern> FILES =
      SettingKey.of(
              "saev.input.files",
              SettingTypes.text(
                  "PATTERN",
                  "a path with {layer}, {hook}, {shard} and {example}",
                  NamePattern::parse,
                  NamePattern::toString),
              null,
              "The files to read, as paths relative to the dataset. {layer} is the number of a"
                  + " layer, {hook} a name that denotes a layer, {shard} the part that orders"
                  + " the files, {example} the id of an example; {{ is a brace. By default all"
                  + " files of the format in the folder.")
          .option("--files")
          .everyday();

  public static final SettingKey<RaggedPolicy> RAGGED =
      SettingKey.of(
              "saev.input.ragged",
              SettingTypes.of(
                  "HOW",
                  "error, flatten, truncate:N, pad:N or pad:N:VALUE",
                  RaggedPolicy::parse,
                  RaggedPolicy::toString),
              "error",
              "How samples of different lengths are handled: error, flatten, truncate:N or pad:N."
                  + " error reports the lengths; flatten makes each token an example of one"
                  + " token; truncate cuts longer samples; pad extends shorter ones.")
          .option("--ragged")
          .everyday();

  public static final SettingKey<List<String>> LAYER_NAMES =
      SettingKey.of(
              "saev.input.layer.names",
              SettingTypes.list(SettingTypes.text("NAME", "the number or the name of a layer")),
              null,
              "The number of a layer along a dimension of an array, or the number or name of a"
                  + " layer that has no number in the names of its array, file and folder. Given"
                  + " once for each layer, in their order; names become the numbers 0, 1, 2, ...")
          .option("--layer-names");

  public static final SettingKey<Long> TOKENS_PER_EXAMPLE =
      SettingKey.of(
              "saev.input.tokens.per.example",
              SettingTypes.whole(1, MAX_TOKENS),
              "1",
              "How many consecutive vectors of arrays [n, dim] are the tokens of one example; must"
                  + " divide the number of vectors.")
          .option("--tokens-per-example");

  /** Set only by this project, so that all files of a dataset are read in the same way. */
  public static final SettingKey<List<String>> SCALARS =
      SettingKey.internal(
          "saev.input.scalar.columns",
          SettingTypes.list(SettingTypes.name("NAME", "the name of a column")),
          null,
          "The columns that cannot be arrays in some of the files, such as integers with a null.");

  /** Set only by this project, so that tasks do not have to read the headers of all files. */
  public static final SettingKey<ArraySurvey> SURVEY =
      SettingKey.internal(
          "saev.input.survey",
          SettingTypes.of("TEXT", "a survey", ArraySurvey::parse, ArraySurvey::toString),
          null,
          "The contents of the headers of all files of arrays.");

  /**
   * Set only by this project, so that tasks do not have to repeat the search that the client has
   * already performed.
   */
  public static final SettingKey<Boolean> ARRAYS =
      SettingKey.internalFlag("saev.input.arrays", "Whether files are arrays of any layout.");

  public static final SettingKey<List<MaskChoice>> MASKS =
      SettingKey.of(
              "saev.input.mask",
              SettingTypes.list(
                  SettingTypes.text(
                      "NAME=drop|keep",
                      "NAME=drop or NAME=keep",
                      MaskChoice::parse,
                      MaskChoice::toString)),
              null,
              "What the mask NAME does: drop leaves out tokens where it is 0, keep keeps all. A"
                  + " mask with keep is written like other per-token integers and marks no padding."
                  + " By default attention_mask drops, or else mask; all others keep.")
          .option("--mask")
          .everyday();

  public static final SettingKey<Boolean> SAMPLE_METADATA =
      SettingKey.of(
              "saev.input.sample.metadata",
              SettingTypes.bool(),
              "true",
              "Whether token ids and masks must match the tokens of the vectors. If not, those"
                  + " that contradict the vectors are left out, with a warning.")
          .flag(
              "--no-sample-metadata",
              "false",
              "Leave out token ids and masks that contradict the vectors, with a warning.");

  /** A key that applies only to formats of tables. */
  public static final SettingKey<String> LABEL_COLUMN =
      SettingKey.of(
              "saev.input.label.column",
              SettingTypes.text("NAME", "the name of a column of integers"),
              null,
              "The column of a table that has the labels: an integer from 0 to 255 for each"
                  + " token, or for each row if a row is a token. By default a table has none,"
                  + " except rows of several layers with a column label.")
          .option("--label-column");

  public static final List<SettingKey<?>> READING =
      List.of(
          TENSORS,
          FILES,
          LAYER_NAMES,
          TOKENS_PER_EXAMPLE,
          MASKS,
          SAMPLE_METADATA,
          RAGGED,
          ARRAYS,
          SURVEY);

  /** Keys that also apply to datasets in the layout of their format. */
  private static final Set<SettingKey<?>> OF_ANY_LAYOUT = Set.of(TENSORS, SAMPLE_METADATA);

  private ArrayKeys() {}

  /**
   * Returns whether settings describe arrays that are not in the layout of a dataset: the settings
   * select files, use name patterns, or specify dimensions in an order that differs from that of
   * blocks.
   */
  public static boolean isLayout(Settings settings) {
    return READING.stream().anyMatch(key -> !OF_ANY_LAYOUT.contains(key) && settings.isSet(key))
        || !mappings(settings).stream().allMatch(ArrayMapping::isInBlockOrder);
  }

  /** Returns the tensors that settings define as activations; empty to detect them by name. */
  public static List<ArrayMapping> mappings(Settings settings) {
    List<String> texts = settings.get(TENSORS);
    return texts == null ? List.of() : texts.stream().map(ArrayMapping::parse).toList();
  }

  /** Returns whether {@code --tensor} may specify the dimensions of a table row. */
  public static boolean mayNameRows(Settings settings) {
    return mappings(settings).stream().anyMatch(own -> !own.axes().contains(Axis.EXAMPLE));
  }

  /**
   * Returns settings in which the dimensions of tensors include the rows: a setting that names one
   * dimension fewer than a table column has describes a row, which is an example.
   *
   * @param ranks the number of dimensions of each column, including the rows
   */
  public static Settings ofRows(Settings settings, Map<String, Integer> ranks) {
    List<String> texts = settings.get(TENSORS);
    if (texts == null) {
      return settings;
    }
    List<String> changed = new ArrayList<>();
    for (String text : texts) {
      ArrayMapping mapping = ArrayMapping.parse(text);
      boolean areOfRow =
          !mapping.axes().contains(Axis.EXAMPLE)
              && ranks.entrySet().stream()
                  .anyMatch(
                      column ->
                          mapping.name().match(column.getKey()).isPresent()
                              && column.getValue() == mapping.dimensions().size() + 1);
      int cut = text.lastIndexOf('=') + 1;
      changed.add(
          areOfRow ? text.substring(0, cut) + Axis.EXAMPLE + "," + text.substring(cut) : text);
    }
    return settings.with(TENSORS, changed);
  }

  /** Returns the options that settings specify. */
  public static ArrayOptions options(Settings settings) {
    RaggedPolicy ragged = settings.get(RAGGED);
    if (settings.isSet(LABEL_COLUMN) && ragged.mode() == RaggedPolicy.Mode.PAD) {
      throw new SettingException(
          "%s %s makes tokens that have no label (expected flatten, truncate:N or error with %s)"
              .formatted(settings.nameOf(RAGGED), ragged, settings.nameOf(LABEL_COLUMN)));
    }
    return new ArrayOptions(
        mappings(settings),
        settings.get(FILES),
        layerNames(settings),
        ragged,
        settings.get(TOKENS_PER_EXAMPLE).intValue(),
        orEmpty(settings.get(MASKS)),
        !settings.get(SAMPLE_METADATA),
        Optional.ofNullable(settings.get(LABEL_COLUMN)));
  }

  private static List<String> layerNames(Settings settings) {
    try {
      List<String> texts = settings.get(LAYER_NAMES);
      return texts == null ? List.of() : LayerNames.of(texts).names();
    } catch (IllegalArgumentException e) {
      throw new SettingException(settings.nameOf(LAYER_NAMES) + " " + e.getMessage(), e);
    }
  }

  /** Opens the arrays in files according to settings. */
  public static ArrayDataset open(Location location, ArrayReader reader, Settings settings)
      throws IOException {
    ArraySurvey survey = settings.isSet(SURVEY) ? settings.get(SURVEY) : null;
    return ArrayDataset.open(location, reader, options(settings), survey);
  }

  /**
   * Returns the settings with which tasks open a dataset that the client has opened with the given
   * settings.
   */
  public static Settings forTasks(TableDataset opened, Settings settings) {
    if (!(opened instanceof ArrayDataset arrays)) {
      return settings;
    }
    Settings known = settings.with(ARRAYS, true);
    return arrays.survey().isShort() ? known.with(SURVEY, arrays.survey()) : known;
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
