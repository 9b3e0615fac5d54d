package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.format.tokens.TokenArrays;

/**
 * Activations in arrays of any files. Blocks that are contiguous in one file are read in place;
 * others are read through a {@code GatheredInput}.
 */
public final class ArrayDataset implements ActivationDataset {
  /** Files of at most this many bytes are in one block of a storage. */
  private static final long SMALL_BYTES = 1 << 20;

  /** Maximum number of tokens of an example whose integers are read. */
  private static final int MAX_TOKENS = 1 << 22;

  private final Folder folder;
  private final String path;
  private final Activations activations;
  private final SurveyedGroups groups;
  private final Shards shards;
  private final ArrayOptions options;
  private final List<String> warnings;
  private final TokenArrays tokens;
  private final SourceFiles files;

  /** Null until it is needed. */
  private @Nullable Optional<SampleMetadata> samples;

  private ArrayDataset(
      Location location, ArrayOptions options, SurveyedGroups groups, List<String> warnings) {
    ArraySurvey survey = groups.survey();
    this.options = options;
    this.groups = groups;
    this.warnings = List.copyOf(warnings);
    Provenance names = new LayerNames(options.layerNames()).provenance();
    this.activations = new Activations(survey.geometry(), OptionalInt.empty(), names);
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
    this.path = location.path();
    this.folder = new GatheredFolder(location.folder(), gathered, groups, options.ragged());
    this.tokens = tokens(location.folder());
    this.files = new SourceFiles(shards, groups, options.ragged(), location.isFile());
  }

  private TokenArrays tokens(Folder stored) {
    List<String> names = survey().integers();
    return names.isEmpty() || geometry().tokens() > MAX_TOKENS
        ? TokenArrays.NONE
        : new ArrayTokens(stored, names, geometry().tokens(), shards, groups, options.ragged());
  }

  /**
   * Opens the arrays in files as a dataset. Reads the headers of all files.
   *
   * @throws FormatException if the arrays are not activations, or if it is ambiguous how they are
   */
  public static ArrayDataset open(Location location, ArrayReader reader, ArrayOptions options)
      throws IOException {
    return open(location, reader, options, null);
  }

  /**
   * Opens files whose shapes are of interest. The token ids of layers that are joined are not
   * compared.
   */
  public static ArrayDataset openSample(Location location, ArrayReader reader, ArrayOptions options)
      throws IOException {
    return assemble(location, reader, options, true);
  }

  /**
   * Opens the arrays in files as a dataset.
   *
   * @param survey what the headers of all files have shown; null to read them
   * @throws FormatException if the arrays are not activations, if it is ambiguous how they are, or
   *     if the files are not those that were surveyed
   */
  public static ArrayDataset open(
      Location location, ArrayReader reader, ArrayOptions options, @Nullable ArraySurvey survey)
      throws IOException {
    if (survey == null) {
      return assemble(location, reader, options, false);
    }
    List<ArrayFiles.Found> files = ArrayFiles.of(location, reader, options.files());
    SurveyedGroups groups = new SurveyedGroups(location, files, reader, options, survey);
    groups.check();
    return new ArrayDataset(location, options, groups, List.of());
  }

  private static ArrayDataset assemble(
      Location location, ArrayReader reader, ArrayOptions options, boolean isSample)
      throws IOException {
    List<ArrayFiles.Found> files = ArrayFiles.of(location, reader, options.files());
    String path = location.path();
    ArrayAssembly.Result found =
        ArrayAssembly.of(location.folder(), path, files, reader, options).result(isSample);
    List<String> notes = new ArrayList<>(found.warnings());
    Geometry geometry = geometry(path, found, options.ragged(), notes::add);
    List<ExampleGroup> some =
        found.groups().stream().filter(group -> group.examples(options.ragged()) > 0).toList();
    ArraySurvey own = ArraySurvey.of(files, some, geometry, options.ragged());
    if (own.integers().contains(PaddingMarks.NAME) && geometry.tokens() > MAX_TOKENS) {
      notes.add(
          "what fills up examples of more than %d tokens is not marked as padding"
              .formatted(MAX_TOKENS));
    }
    SurveyedGroups groups = new SurveyedGroups(location, files, reader, options, own);
    groups.keep(some);
    return new ArrayDataset(location, options, groups, notes);
  }

  private static Geometry geometry(
      String path, ArrayAssembly.Result found, RaggedPolicy ragged, Consumer<String> notes)
      throws FormatException {
    TreeMap<Long, Long> lengths = new TreeMap<>();
    long examples = 0;
    for (ExampleGroup group : found.groups()) {
      group.lengths().forEach((tokens, count) -> lengths.merge(tokens, count, Long::sum));
      examples = Math.addExact(examples, group.examples(ragged));
    }
    if (examples > 0) {
      lengths.values().removeIf(count -> count == 0);
    }
    noteMissingFields(found.groups(), notes);
    int tokens = tokens(path, found.groups(), ragged, lengths, notes);
    ArrayView first = found.groups().get(0).first();
    try {
      int dim = Math.toIntExact(first.size(Axis.DIM));
      Geometry geometry = new Geometry(examples, found.layers(), tokens, dim, first.dtype());
      for (ExampleGroup group : found.groups()) {
        if (group.isFilled(geometry, ragged)) {
          ragged.filling(path, geometry.dtype());
        }
      }
      return geometry;
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw DatasetError.NO_ACTIVATIONS
          .in(path, "its arrays are not activations: %s", e.getMessage())
          .causedBy(e);
    }
  }

  /** Returns what the headers of all files have shown. */
  public ArraySurvey survey() {
    return groups.survey();
  }

  /** Returns the number of tokens of each example. */
  private static int tokens(
      String path,
      List<ExampleGroup> groups,
      RaggedPolicy ragged,
      SortedMap<Long, Long> lengths,
      Consumer<String> notes)
      throws FormatException {
    try {
      return ragged.tokens(path, lengths, notes);
    } catch (FormatException e) {
      if (e.kind() != DatasetError.RAGGED
          || groups.stream().allMatch(group -> group.kept() == null)) {
        throw e;
      }
      throw DatasetError.RAGGED
          .in(
              path,
              "%s, without those that masks leave out (expected %s; --mask NAME=keep keeps them)",
              e.problem(),
              e.expected())
          .causedBy(e);
    }
  }

  private static void noteMissingFields(List<ExampleGroup> groups, Consumer<String> notes) {
    Set<String> names = groups.get(0).fields().kept().keySet();
    List<ExampleGroup> others =
        groups.stream().filter(group -> !group.fields().kept().keySet().equals(names)).toList();
    if (!others.isEmpty()) {
      notes.accept(
          "%s has the integers %s of its tokens (expected %s as %s%s); those that are missing are -1"
              .formatted(
                  others.get(0).first().file(),
                  others.get(0).fields().kept().keySet(),
                  names,
                  groups.get(0).first().file(),
                  others.size() == 1
                      ? ""
                      : ", also in %d other files".formatted(others.size() - 1)));
    }
  }

  @Override
  public Folder folder() {
    return folder;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public Activations activations() {
    return activations;
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
      return List.of(); // reported where the elements are read
    }
  }

  @Override
  public TokenArrays tokenArrays() {
    return tokens;
  }

  /**
   * {@inheritDoc} Without stored metadata, it is the names of files that are an example each. The
   * folder, which may contain many files, is listed by the first call only.
   */
  @Override
  public synchronized Optional<SampleMetadata> sampleMetadata() throws IOException {
    if (samples == null) {
      Optional<SampleMetadata> stored = ActivationDataset.super.sampleMetadata();
      samples =
          stored.isPresent() || shards.size() == 0 || !files.isExample(0)
              ? stored
              : Optional.of(files);
    }
    return samples;
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }
}
