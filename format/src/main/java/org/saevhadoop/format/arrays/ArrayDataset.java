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
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tokens.TokenArrays;

/**
 * Activations in arrays of any files. Blocks that are contiguous in one file are read in place;
 * others are read through a {@code GatheredInput}.
 */
public final class ArrayDataset implements ActivationDataset {
  /** Maximum number of tokens of an example whose integers are read. */
  private static final int MAX_TOKENS = 1 << 22;

  private final Folder folder;
  private final Activations activations;
  private final List<ExampleGroup> groups;
  private final Shards shards;
  private final ArrayOptions options;
  private final boolean byLayer;
  private final List<String> warnings;
  private final TokenArrays tokens;
  private final SourceFiles files;
  private final boolean isFile;

  private ArrayDataset(
      Location location, ArrayOptions options, ArrayAssembly.Result found, Geometry geometry) {
    this.options = options;
    this.warnings = List.copyOf(found.warnings());
    this.activations = new Activations(geometry, OptionalInt.empty(), Provenance.NONE);
    this.groups =
        found.groups().stream().filter(group -> group.examples(options.ragged()) > 0).toList();
    this.byLayer =
        found.layers().size() > 1
            && groups.stream().allMatch(group -> !group.layers().get(0).view().hasLayers());
    List<Shard> list = new ArrayList<>();
    Map<String, ExampleGroup> gathered = new HashMap<>();
    long next = 0;
    for (ExampleGroup group : groups) {
      long examples = group.examples(options.ragged());
      boolean direct = group.isDirect(geometry, options.ragged());
      String name = group.first().file() + (direct ? "" : "#" + list.size());
      if (!direct) {
        gathered.put(name, group);
      }
      list.add(new Shard(name, next, examples, examples * geometry.exampleBytes()));
      next += examples;
    }
    this.shards = new Shards(list);
    this.folder = new GatheredFolder(location.folder(), gathered, geometry, options.ragged());
    this.tokens = tokens(location.folder());
    this.files = new SourceFiles(shards, groups::get, options.ragged());
    this.isFile = location.isFile();
  }

  /** The arrays are those of the first group. */
  private TokenArrays tokens(Folder stored) {
    List<String> names =
        groups.isEmpty() || geometry().tokens() > MAX_TOKENS
            ? List.of()
            : List.copyOf(groups.get(0).fields().kept().keySet());
    return names.isEmpty()
        ? TokenArrays.NONE
        : new ArrayTokens(
            stored, names, geometry().tokens(), shards, groups::get, options.ragged());
  }

  /**
   * Opens the arrays in files as a dataset. Reads the headers of all files.
   *
   * @throws FormatException if the arrays are not activations, or if it is ambiguous how they are
   */
  public static ArrayDataset open(Location location, ArrayReader reader, ArrayOptions options)
      throws IOException {
    ArrayAssembly.Result found = ArrayAssembly.of(location, reader, options);
    List<String> notes = new ArrayList<>(found.warnings());
    TreeMap<Long, Long> lengths = new TreeMap<>();
    long examples = 0;
    for (ExampleGroup group : found.groups()) {
      group.lengths().forEach((tokens, count) -> lengths.merge(tokens, count, Long::sum));
      examples = Math.addExact(examples, group.examples(options.ragged()));
    }
    noteMissingFields(found.groups(), notes);
    int tokens = tokens(location.path(), found.groups(), options, lengths, notes);
    ArrayView first = found.groups().get(0).first();
    try {
      Geometry geometry =
          new Geometry(
              examples,
              found.layers(),
              tokens,
              Math.toIntExact(first.size(Axis.DIM)),
              first.dtype());
      return new ArrayDataset(
          location,
          options,
          new ArrayAssembly.Result(found.layers(), found.groups(), notes),
          geometry);
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw DatasetError.NO_ACTIVATIONS
          .in(location.path(), "its arrays are not activations: %s", e.getMessage())
          .causedBy(e);
    }
  }

  /** Returns the number of tokens of each example. */
  private static int tokens(
      String path,
      List<ExampleGroup> groups,
      ArrayOptions options,
      SortedMap<Long, Long> lengths,
      List<String> notes)
      throws FormatException {
    try {
      return options.ragged().tokens(path, lengths, notes::add);
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

  private static void noteMissingFields(List<ExampleGroup> groups, List<String> notes) {
    Set<String> names = groups.get(0).fields().kept().keySet();
    List<ExampleGroup> others =
        groups.stream().filter(group -> !group.fields().kept().keySet().equals(names)).toList();
    if (!others.isEmpty()) {
      notes.add(
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
  public Activations activations() {
    return activations;
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public BlockOrder storageOrder() {
    return new BlockOrder(byLayer, BlockOrder.byExample(table()).columns());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) {
    return groups.get(shard).offsets(geometry(), options.ragged());
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    ExampleGroup group = groups.get(shard);
    if (!group.isDirect(geometry(), options.ragged()) || examples == 0) {
      return List.of();
    }
    BlockOffsets offsets = group.offsets(geometry(), options.ragged());
    List<ByteRange> ranges = new ArrayList<>();
    for (int column : columns) {
      long begin = offsets.offset(indexInShard, column);
      long end = offsets.offset(indexInShard + examples - 1, column) + geometry().blockBytes();
      ranges.add(new ByteRange(begin, end - begin));
    }
    return ranges;
  }

  @Override
  public TokenArrays tokenArrays() {
    return tokens;
  }

  /** Returns the names of files that are an example each, beside what is stored of the examples. */
  @Override
  public Optional<SampleMetadata> sampleMetadata() throws IOException {
    Optional<SampleMetadata> stored = ActivationDataset.super.sampleMetadata();
    return stored.isPresent() || groups.isEmpty() || isFile || !files.isExample(0)
        ? stored
        : Optional.of(files);
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }
}
