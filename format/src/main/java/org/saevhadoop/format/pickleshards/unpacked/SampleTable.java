package org.saevhadoop.format.pickleshards.unpacked;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.tensor.DType;

/**
 * The samples of all shards, joined by id: the layers of a sample may be in different shards, in
 * any order. Samples are numbered in the order of their first occurrence. The home of a sample is
 * the part with its metadata.
 */
final class SampleTable {
  /** A sample and its arrays, by layer index. */
  static final class Sample {
    private final long id;

    /** The shard with the metadata of the sample. */
    private final int shard;

    /** Line of the metadata in the part of that shard. */
    private final int line;

    /** Block addresses; -1 for a missing block. */
    private final long[] addresses;

    private final long[] checksums;
    private long tokens = -1;

    Sample(long id, int shard, int line, int layers) {
      this.id = id;
      this.shard = shard;
      this.line = line;
      this.addresses = new long[layers];
      this.checksums = new long[layers];
      Arrays.fill(addresses, -1);
      Arrays.fill(checksums, ShardCatalogue.NO_CHECKSUM);
    }

    /** Returns the index of the first layer without a block, or the number of layers. */
    int missing() {
      int column = 0;
      while (column < addresses.length && addresses[column] >= 0) {
        column++;
      }
      return column;
    }
  }

  private final String path;
  private final UnpackOptions options;
  private final List<Integer> layers;
  private final List<String> sources = new ArrayList<>();

  /** The samples of each part, in the order of their lines. */
  private final List<List<Sample>> homes = new ArrayList<>();

  /** The samples by the directory within which their ids are unique, and by id. */
  private final Map<String, Map<Long, Sample>> byId = new HashMap<>();

  private final List<String> notes = new ArrayList<>();

  /**
   * Path of the first shard that has an array; all other arrays must have the same dtype and width.
   */
  private String first = "";

  private DType dtype = DType.F32;
  private long dim = -1;
  private long repeated;
  private int exampleTokens;

  SampleTable(String path, UnpackOptions options, TreeSet<Integer> layers) {
    this.path = path;
    this.options = options;
    this.layers = List.copyOf(layers);
  }

  /**
   * Adds the shards of the next part.
   *
   * @param all the blocks of all parts
   */
  void add(List<ShardCatalogue> part, Input all) throws IOException {
    List<Sample> home = new ArrayList<>();
    homes.add(home);
    int line = 0;
    for (ShardCatalogue shard : part) {
      add(shard, home, line, all);
      line += shard.lines().size();
    }
  }

  private void add(ShardCatalogue shard, List<Sample> home, int firstLine, Input all)
      throws IOException {
    int number = sources.size();
    sources.add(shard.source());
    Map<Long, Sample> known = samples(shard);
    int line = firstLine;
    for (long id : shard.lines()) {
      Sample sample = new Sample(id, number, line++, layers.size());
      if (known.putIfAbsent(id, sample) == null) {
        home.add(sample);
      }
    }
    ArrayComparison comparison = new ArrayComparison(all);
    Map<Integer, Integer> columns = TableShape.positions(layers);
    for (ShardCatalogue.Layer layer : shard.layers()) {
      int column = requireNonNull(columns.get(layer.number()));
      for (ShardCatalogue.Entry array : layer.arrays()) {
        put(requireNonNull(known.get(array.id())), column, array, number, comparison);
      }
    }
  }

  private Map<Long, Sample> samples(ShardCatalogue shard) {
    int slash = shard.source().lastIndexOf('/');
    String directory = options.idsPerDirectory() ? shard.source().substring(0, slash + 1) : "";
    return byId.computeIfAbsent(directory, name -> new HashMap<>());
  }

  private void put(
      Sample sample, int column, ShardCatalogue.Entry array, int shard, ArrayComparison comparison)
      throws IOException {
    checkKind(array, shard, layers.get(column));
    long address = UnpackedFiles.address(path, shard, array.address());
    if (sample.addresses[column] >= 0) {
      checkSame(sample, column, array, address, shard, comparison);
      repeated++;
      return;
    }
    ShardError.MIXED_SHAPES.check(
        sample.tokens < 0 || sample.tokens == array.tokens(),
        where(shard),
        "sample %d has %d tokens in layer %d (expected %d, as in another layer)",
        array.id(),
        array.tokens(),
        layers.get(column),
        sample.tokens);
    sample.tokens = array.tokens();
    sample.addresses[column] = address;
    sample.checksums[column] = array.checksum();
  }

  /** Checks that all arrays have the same dtype and width. */
  private void checkKind(ShardCatalogue.Entry array, int shard, int layer) throws FormatException {
    if (dim < 0) {
      dim = array.dim();
      dtype = array.dtype();
      first = sources.get(shard);
    }
    ShardError.MIXED_SHAPES.check(
        array.dim() == dim && array.dtype() == dtype,
        where(shard),
        "sample %d of layer %d is %s of width %d (expected %s of width %d, as in %s%s)",
        array.id(),
        layer,
        array.dtype().numpyName(),
        array.dim(),
        dtype.numpyName(),
        dim,
        first,
        array.dim() == dim ? "" : ": convert each part separately");
  }

  private void checkSame(
      Sample sample,
      int column,
      ShardCatalogue.Entry array,
      long address,
      int shard,
      ArrayComparison comparison)
      throws IOException {
    long known = sample.addresses[column];
    boolean same =
        sample.tokens == array.tokens()
            && comparison.areEqual(
                array.bytes(), known, sample.checksums[column], address, array.checksum());
    ShardError.AMBIGUOUS_SAMPLES.check(
        same,
        where(shard),
        "sample %d of layer %d has values that differ from those in %s (expected a different"
            + " sample_idx for each sample: --sample-ids directory if each directory numbers its"
            + " own samples, --join-halves if hosts hold halves of the vectors)",
        array.id(),
        layers.get(column),
        sources.get(UnpackedFiles.shard(known)));
  }

  private String where(int shard) {
    return path + "/" + sources.get(shard);
  }

  /** Returns the path of the dataset, or of its only shard, for error messages. */
  private String dataset() {
    return sources.size() == 1 ? where(0) : path;
  }

  /**
   * Checks that the samples form a dataset and leaves out incomplete samples if the options allow
   * it.
   *
   * @throws FormatException if the samples do not form a dataset with the given options
   */
  void join() throws FormatException {
    dropIncomplete();
    TreeMap<Long, Long> lengths = new TreeMap<>();
    homes.forEach(home -> home.forEach(sample -> lengths.merge(sample.tokens, 1L, Long::sum)));
    ShardError.MISSING_LAYER.check(
        !lengths.isEmpty(), dataset(), "contains no sample with all layers");
    if (repeated > 0) {
      notes.add(
          Quote.sentence(
              "%d arrays came twice, with the same numbers: one of each was kept", repeated));
    }
    exampleTokens = options.ragged().tokens(dataset(), lengths, notes::add);
    ShardError.TOO_LARGE.check(
        dim > 0 && dim <= Integer.MAX_VALUE, dataset(), "has vectors of %d values", dim);
  }

  private void dropIncomplete() throws FormatException {
    int count = 0;
    for (List<Sample> home : homes) {
      for (Sample sample : home) {
        int missing = sample.missing();
        if (missing < layers.size()) {
          ShardError.MISSING_LAYER.check(
              options.dropIncomplete(),
              where(sample.shard),
              "sample %d has no layer %d in any shard (expected all of %s, or --incomplete drop)",
              sample.id,
              layers.get(missing),
              layers);
          count++;
        }
      }
      home.removeIf(sample -> sample.missing() < layers.size());
    }
    if (count > 0) {
      notes.add(Quote.sentence("%d samples were left out: a layer is missing", count));
    }
  }

  List<String> notes() {
    return notes;
  }

  Geometry geometry() {
    return new Geometry(examples(), layers, exampleTokens, (int) dim, dtype);
  }

  long examples() {
    return homes.stream().flatMap(List::stream).mapToLong(this::examplesOf).sum();
  }

  private long examplesOf(Sample sample) {
    return options.ragged().isFlattening() ? sample.tokens : 1;
  }

  /** Returns the samples with examples in the given disjoint ranges. */
  Set<Sample> samplesOf(List<IndexRange> ranges) {
    List<IndexRange> ascending =
        ranges.stream().sorted(Comparator.comparingLong(IndexRange::start)).toList();
    Set<Sample> chosen = new HashSet<>();
    long begin = 0;
    int range = 0;
    for (List<Sample> home : homes) {
      for (Sample sample : home) {
        long end = begin + examplesOf(sample);
        while (range < ascending.size() && ascending.get(range).stop() <= begin) {
          range++;
        }
        if (begin < end && range < ascending.size() && ascending.get(range).start() < end) {
          chosen.add(sample);
        }
        begin = end;
      }
    }
    return chosen;
  }

  /** Returns the ids of the given samples that have arrays in a shard. */
  Set<Long> ids(ShardCatalogue shard, Set<Sample> samples) {
    Map<Long, Sample> known = samples(shard);
    return shard.lines().stream()
        .filter(id -> samples.contains(known.get(id)))
        .collect(Collectors.toSet());
  }

  /** Returns the samples whose home is a part. */
  PartAddresses addresses(int part) {
    List<Sample> home = homes.get(part);
    return new PartAddresses(
        home.stream().mapToInt(sample -> sample.line).toArray(),
        home.stream().mapToLong(sample -> sample.tokens).toArray(),
        home.stream().flatMapToLong(sample -> Arrays.stream(sample.addresses)).toArray());
  }
}
