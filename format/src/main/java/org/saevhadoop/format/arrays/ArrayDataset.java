package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;
import org.saevhadoop.format.tokens.TokenArrays;

/**
 * Activations that are arrays in any number of files. Blocks that are contiguous in one file are
 * read in place; other blocks are read through a {@code GatheredInput}.
 */
public final class ArrayDataset implements ActivationDataset {
  /** Files of up to this size in bytes fit into one storage block. */
  private static final long SMALL_BYTES = 1 << 20;

  private final Location location;
  private final Folder folder;
  private final Activations activations;
  private final SurveyedGroups groups;
  private final Shards shards;
  private final ArrayOptions options;
  private final boolean hasLabels;
  private final TokenArrays tokens;
  private final SourceFiles files;
  private final List<String> warnings;

  /** The sample metadata; null until it is needed. */
  private @Nullable Optional<SampleMetadata> samples;

  private ArrayDataset(
      Location location, ArrayOptions options, SurveyedGroups groups, List<String> warnings) {
    this.warnings = List.copyOf(warnings);
    ArraySurvey survey = groups.survey();
    this.options = options;
    this.groups = groups;
    Provenance names = new LayerNames(options.layerNames()).provenance();
    this.hasLabels = survey.integers().contains(Column.LABELS);
    OptionalInt clsTokens = hasLabels ? OptionalInt.of(0) : OptionalInt.empty();
    this.activations = new Activations(survey.geometry(), clsTokens, names);
    List<Shard> list = new ArrayList<>();
    Map<String, Integer> gathered = new HashMap<>();
    long next = 0;
    for (ArraySurvey.Group group : survey.groups()) {
      int index = list.size();
      String name = groups.firstFile(index) + (group.isDirect() ? "" : "#" + index);
      if (!group.isDirect()) {
        gathered.put(name, index);
      }
      long bytes = group.examples() * survey.geometry().exampleBytes();
      list.add(new Shard(name, next, group.examples(), bytes));
      next += group.examples();
    }
    this.shards = new Shards(list);
    this.tokens = tokens(location.folder());
    this.files = new SourceFiles(shards, groups, options.ragged(), location.isFile());
    this.folder = new GatheredFolder(location.folder(), gathered, groups, options.ragged());
    this.location = location;
  }

  private TokenArrays tokens(Folder stored) {
    List<String> names =
        survey().integers().stream().filter(name -> !name.equals(Column.LABELS)).toList();
    return names.isEmpty() || geometry().tokens() > ArrayTokens.MAX_TOKENS
        ? TokenArrays.NONE
        : new ArrayTokens(stored, names, geometry().tokens(), shards, groups, options.ragged());
  }

  @Override
  public boolean hasLabels() {
    return hasLabels;
  }

  @Override
  public PatchLabels openLabels() throws IOException {
    if (!hasLabels) {
      return ActivationDataset.super.openLabels();
    }
    List<String> names = List.of(Column.LABELS);
    int each = geometry().tokens();
    return new ArrayTokens.Labels(
        path(),
        options.labels().orElse(Column.LABELS),
        each,
        new ArrayTokens(location.folder(), names, each, shards, groups, options.ragged()).open());
  }

  /**
   * Opens the arrays in files as a dataset. Reads the headers of all files.
   *
   * @throws FormatException if the arrays are not activations, or if their dimensions are ambiguous
   */
  public static ArrayDataset open(Location location, ArrayReader reader, ArrayOptions options)
      throws IOException {
    return open(location, reader, options, null);
  }

  /**
   * Opens files only to determine their shapes, without comparing the token ids of joined layers.
   */
  public static ArrayDataset openSample(Location location, ArrayReader reader, ArrayOptions options)
      throws IOException {
    SurveyedGroups groups = SurveyedGroups.of(location, reader, options, true);
    return new ArrayDataset(location, options, groups, groups.warnings());
  }

  /**
   * Opens the arrays in files as a dataset.
   *
   * @param survey the survey of the headers of all files; null to read the headers
   * @throws FormatException if the arrays are not activations, if their dimensions are ambiguous,
   *     or if the files differ from the survey
   */
  public static ArrayDataset open(
      Location location, ArrayReader reader, ArrayOptions options, @Nullable ArraySurvey survey)
      throws IOException {
    SurveyedGroups groups =
        survey == null
            ? SurveyedGroups.of(location, reader, options, false)
            : SurveyedGroups.of(location, reader, options, survey);
    return new ArrayDataset(location, options, groups, groups.warnings());
  }

  /** Returns the survey of the headers of all files. */
  public ArrayReader reader() {
    return groups.reader();
  }

  public ArraySurvey survey() {
    return groups.survey();
  }

  @Override
  public Folder folder() {
    return folder;
  }

  @Override
  public String path() {
    return location.path();
  }

  @Override
  public String blockPath(long example, int column) throws IOException {
    ExampleGroup group = groups.get(shards.indexOf(example));
    return location.folder().path(group.layers().get(column).view().file());
  }

  @Override
  public Activations activations() {
    return activations;
  }

  @Override
  public boolean isLayerAssumed() {
    return groups.isLayerAssumed();
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public BlockOrder storageOrder() {
    return new BlockOrder(survey().byLayer(), BlockOrder.byExample(table()).columns());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    ArraySurvey.Group group = survey().groups().get(shard);
    return groups.get(shard, group.isDirect() ? file : null).offsets(geometry(), options.ragged());
  }

  /** Reads the headers of large files only. */
  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    if (!survey().groups().get(shard).isDirect() || examples == 0) {
      return List.of();
    }
    long bytes = shards.get(shard).bytes();
    if (bytes <= SMALL_BYTES) {
      return List.of(new ByteRange(0, bytes));
    }
    try {
      BlockOffsets offsets = groups.get(shard).offsets(geometry(), options.ragged());
      List<ByteRange> ranges = new ArrayList<>();
      for (int column : columns) {
        long begin = offsets.offset(indexInShard, column);
        long end = offsets.offset(indexInShard + examples - 1, column) + geometry().blockBytes();
        ranges.add(new ByteRange(begin, end - begin));
      }
      return ranges;
    } catch (IOException e) {
      return List.of(); // reported when the elements are read
    }
  }

  @Override
  public TokenArrays tokenArrays() {
    return tokens;
  }

  /**
   * {@inheritDoc} Without sidecars, sample metadata is taken from the files, or from their names if
   * each file is an example.
   */
  @Override
  public synchronized Optional<SampleMetadata> sampleMetadata() throws IOException {
    if (samples == null) {
      Optional<SampleMetadata> stored = Sidecars.of(folder, location.listing(), shards.dataFiles());
      if (stored.isPresent() || shards.size() == 0) {
        samples = stored;
      } else if (groups.samples(0).isPresent()) {
        samples = Optional.of(new SourceFiles.OfExamples(shards, groups, options.ragged()));
      } else {
        samples = files.isExample(0) ? Optional.of(files) : Optional.empty();
      }
    }
    return samples;
  }

  /** Returns the field names of the sample metadata in the files. */
  public List<String> sampleFields() throws IOException {
    return sampleMetadata().orElse(null) instanceof SourceFiles.OfExamples
        ? groups.sampleFields(0)
        : List.of();
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }

  /** Returns this dataset with further warnings. */
  public ArrayDataset with(List<String> further) {
    List<String> all = new ArrayList<>(warnings);
    all.addAll(further);
    return further.isEmpty() ? this : new ArrayDataset(location, options, groups, all);
  }
}
