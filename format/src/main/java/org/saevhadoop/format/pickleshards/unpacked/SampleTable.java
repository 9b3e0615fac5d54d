package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.tensor.DType;

/**
 * The samples of all shards, joined by id: the layers of a sample may be in different shards and in
 * any order. Samples are numbered in the order of their first occurrence.
 */
final class SampleTable {
  private final String path;
  private final UnpackOptions options;
  private final int[] layers;
  private final List<String> sources = new ArrayList<>();
  private final Map<String, SampleNumbers> numbers = new HashMap<>();
  private final List<String> notes = new ArrayList<>();

  /** Home of each sample, that is, the shard with its metadata, and its line there. */
  private int[] homes = new int[1];

  private int[] lines = new int[1];
  private long[] ids = new long[1];
  private long[] tokens = new long[1];

  /** Block addresses, {@code [sample, layer]}; -1 for a missing block. */
  private long[] addresses;

  /** Checksums of arrays that were not kept completely; null if there are none. */
  private long[] checksums;

  private int size;
  private DType dtype;
  private long dim = -1;
  private String first;
  private long repeated;

  /**
   * Creates an empty table.
   *
   * @param path the path of the dataset for error messages
   * @param layers the layers of all shards
   */
  SampleTable(String path, UnpackOptions options, TreeSet<Integer> layers) {
    this.path = path;
    this.options = options;
    this.layers = layers.stream().mapToInt(Integer::intValue).toArray();
    this.addresses = new long[this.layers.length];
    Arrays.fill(addresses, -1);
  }

  /**
   * Adds the next shard.
   *
   * @param all the input that reads at addresses
   */
  void add(ShardCatalogue shard, Input all) throws IOException {
    int number = sources.size();
    sources.add(shard.source());
    SampleNumbers known = numbers(shard);
    ArrayComparison comparison = new ArrayComparison(all);
    for (int line = 0; line < shard.lines().length; line++) {
      if (known.get(shard.lines()[line]) < 0) {
        known.put(shard.lines()[line], size);
        begin(shard.lines()[line], number, line);
      }
    }
    for (ShardCatalogue.Layer layer : shard.layers()) {
      int column = Arrays.binarySearch(layers, layer.number());
      for (int i = 0; i < layer.size(); i++) {
        ShardCatalogue.Entry entry = layer.get(i);
        put(known.get(entry.id()), column, entry, number, comparison);
      }
    }
  }

  private SampleNumbers numbers(ShardCatalogue shard) {
    int slash = shard.source().lastIndexOf('/');
    String directory = options.idsPerDirectory() ? shard.source().substring(0, slash + 1) : "";
    return numbers.computeIfAbsent(directory, name -> new SampleNumbers());
  }

  private void begin(long id, int home, int line) throws FormatException {
    ShardError.MISSING_LAYER.check(
        size < Integer.MAX_VALUE / 2 / layers.length,
        path,
        "has more than %d samples of %d layers (expected several datasets)",
        size,
        layers.length);
    if (size == homes.length) {
      homes = Arrays.copyOf(homes, size * 2);
      lines = Arrays.copyOf(lines, size * 2);
      ids = Arrays.copyOf(ids, size * 2);
      tokens = Arrays.copyOf(tokens, size * 2);
      addresses = Arrays.copyOf(addresses, addresses.length * 2);
      Arrays.fill(addresses, addresses.length / 2, addresses.length, -1);
      if (checksums != null) {
        checksums = Arrays.copyOf(checksums, addresses.length);
        Arrays.fill(checksums, addresses.length / 2, addresses.length, ShardCatalogue.NO_CHECKSUM);
      }
    }
    ids[size] = id;
    homes[size] = home;
    lines[size] = line;
    tokens[size++] = -1;
  }

  private void put(
      int sample, int column, ShardCatalogue.Entry entry, int shard, ArrayComparison comparison)
      throws IOException {
    checkKind(entry, shard, layers[column]);
    int slot = sample * layers.length + column;
    long address = UnpackedFiles.address(path, shard, entry.address());
    if (addresses[slot] >= 0) {
      checkSame(slot, entry, address, shard, comparison);
      repeated++;
      return;
    }
    ShardError.MIXED_SHAPES.check(
        tokens[sample] < 0 || tokens[sample] == entry.tokens(),
        where(shard),
        "sample %d has %d tokens in layer %d (expected %d, as in another layer)",
        entry.id(),
        entry.tokens(),
        layers[column],
        tokens[sample]);
    tokens[sample] = entry.tokens();
    addresses[slot] = address;
    if (entry.checksum() != ShardCatalogue.NO_CHECKSUM) {
      if (checksums == null) {
        checksums = new long[addresses.length];
        Arrays.fill(checksums, ShardCatalogue.NO_CHECKSUM);
      }
      checksums[slot] = entry.checksum();
    }
  }

  /** Checks that all arrays have the same dtype and width. */
  private void checkKind(ShardCatalogue.Entry entry, int shard, int layer) throws FormatException {
    if (dim < 0) {
      dim = entry.dim();
      dtype = entry.dtype();
      first = sources.get(shard);
    }
    ShardError.MIXED_SHAPES.check(
        entry.dim() == dim && entry.dtype() == dtype,
        where(shard),
        "sample %d of layer %d is %s of width %d (expected %s of width %d, as in %s%s)",
        entry.id(),
        layer,
        entry.dtype().numpyName(),
        entry.dim(),
        dtype.numpyName(),
        dim,
        first,
        entry.dim() == dim ? "" : ": convert each part by itself");
  }

  private void checkSame(
      int slot, ShardCatalogue.Entry entry, long address, int shard, ArrayComparison comparison)
      throws IOException {
    long checksum = checksums == null ? ShardCatalogue.NO_CHECKSUM : checksums[slot];
    boolean same =
        tokens[slot / layers.length] == entry.tokens()
            && comparison.areEqual(
                entry.bytes(), addresses[slot], checksum, address, entry.checksum());
    ShardError.AMBIGUOUS_SAMPLES.check(
        same,
        where(shard),
        "sample %d of layer %d has values that differ from those in %s (expected a "
            + "sample_idx for each sample: --sample-ids directory where each directory "
            + "counts its own, --join-halves where hosts hold halves of the vectors)",
        entry.id(),
        layers[slot % layers.length],
        sources.get(UnpackedFiles.shard(addresses[slot])));
  }

  private String where(int shard) {
    return path + "/" + sources.get(shard);
  }

  /** Returns the name of the dataset for error messages; a single shard is named itself. */
  private String dataset() {
    return sources.size() == 1 ? where(0) : path;
  }

  /**
   * Checks that the samples form a dataset and returns it.
   *
   * @throws FormatException if the samples do not form a dataset with the given options
   */
  Joined join() throws FormatException {
    ShardError.NO_SAMPLES.check(size > 0, dataset(), "contains no samples");
    boolean[] dropped = dropIncomplete();
    TreeMap<Long, Long> lengths = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      if (!dropped[i]) {
        lengths.merge(tokens[i], 1L, Long::sum);
      }
    }
    ShardError.MISSING_LAYER.check(
        !lengths.isEmpty(), dataset(), "contains no sample with all layers");
    if (repeated > 0) {
      notes.add(repeated + " arrays came twice, with the same numbers: one of each was kept");
    }
    int each = tokensOfEach(lengths);
    ShardError.TOO_LARGE.check(
        dim > 0 && dim <= Integer.MAX_VALUE, dataset(), "has vectors of %d values", dim);
    return new Joined(this, dropped, each);
  }

  /** Determines the number of tokens of each example. */
  private int tokensOfEach(TreeMap<Long, Long> lengths) throws FormatException {
    long shortest = lengths.firstKey();
    long longest = lengths.lastKey();
    int asked = options.ragged().tokens();
    ShardError.RAGGED.check(
        options.ragged().mode() == RaggedPolicy.Mode.FLATTEN || shortest > 0 || asked > 0,
        dataset(),
        "has %d samples of no tokens (expected --ragged flatten, which leaves them out, or pad:N)",
        lengths.get(shortest));
    switch (options.ragged().mode()) {
      case FLATTEN:
        if (shortest == 0) {
          notes.add(lengths.get(0L) + " samples of no tokens have no example");
        }
        return 1;
      case TRUNCATE:
        ShardError.RAGGED.check(
            shortest >= asked,
            dataset(),
            "has samples of %d tokens (expected at least %d, or --ragged pad:N)",
            shortest,
            asked);
        notes.add(
            "%d samples were cut to %d tokens"
                .formatted(count(lengths.tailMap(asked + 1L)), asked));
        return asked;
      case PAD:
        ShardError.RAGGED.check(
            longest <= asked,
            dataset(),
            "has samples of %d tokens (expected at most %d, or --ragged truncate:N)",
            longest,
            asked);
        notes.add(
            "%d samples were filled up to %d tokens"
                .formatted(count(lengths.headMap((long) asked)), asked));
        return asked;
      default:
        if (lengths.size() > 1) {
          throw RaggedPolicy.refuse(dataset(), lengths);
        }
        ShardError.TOO_LARGE.check(
            longest <= Integer.MAX_VALUE, dataset(), "has samples of %d tokens", longest);
        return (int) longest;
    }
  }

  private static long count(Map<Long, Long> lengths) {
    return lengths.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns the first sample whose home is this shard or a later one; the homes are in ascending
   * order.
   */
  private int firstOf(int shard) {
    return AscendingSearch.lastAtMost(size, i -> homes[i], shard - 1L) + 1;
  }

  private boolean[] dropIncomplete() throws FormatException {
    boolean[] dropped = new boolean[size];
    int count = 0;
    for (int slot = 0; slot < size * layers.length; slot++) {
      int sample = slot / layers.length;
      if (addresses[slot] < 0 && !dropped[sample]) {
        ShardError.MISSING_LAYER.check(
            options.dropIncomplete(),
            where(homes[sample]),
            "sample %d has no layer %d in any shard (expected all of %s, or --incomplete drop)",
            ids[sample],
            layers[slot % layers.length],
            Arrays.toString(layers));
        dropped[sample] = true;
        count++;
      }
    }
    if (count > 0) {
      notes.add(count + " samples lack a layer and were left out");
    }
    return dropped;
  }

  /**
   * Samples that form a dataset.
   *
   * @param dropped whether each sample is dropped
   * @param tokens the number of tokens of each example
   */
  record Joined(SampleTable table, boolean[] dropped, int tokens) {
    /** Returns warnings for the user. */
    List<String> notes() {
      return List.copyOf(table.notes);
    }

    /** Returns the shape of a dataset with the given number of examples. */
    Geometry geometry(long examples) {
      List<Integer> layers = Arrays.stream(table.layers).boxed().toList();
      return new Geometry(examples, layers, tokens, (int) table.dim, table.dtype);
    }

    /** Returns the relative paths of the shards in order. */
    List<String> sources() {
      return table.sources;
    }

    /** Returns the number of examples. */
    long examples() {
      long examples = 0;
      for (int i = 0; i < table.size; i++) {
        examples += examplesOf(i);
      }
      return examples;
    }

    private long examplesOf(int sample) {
      if (dropped[sample]) {
        return 0;
      }
      return table.options.ragged().mode() == RaggedPolicy.Mode.FLATTEN ? table.tokens[sample] : 1;
    }

    /** Returns the samples with examples in the given disjoint ranges. */
    BitSet samplesOf(List<IndexRange> ranges) {
      List<IndexRange> ascending =
          ranges.stream().sorted(Comparator.comparingLong(IndexRange::start)).toList();
      BitSet chosen = new BitSet();
      long first = 0;
      int range = 0;
      for (int i = 0; i < table.size; i++) {
        long end = first + examplesOf(i);
        while (range < ascending.size() && ascending.get(range).stop() <= first) {
          range++;
        }
        chosen.set(
            i, first < end && range < ascending.size() && ascending.get(range).start() < end);
        first = end;
      }
      return chosen;
    }

    /** Returns the ids of those samples that have arrays in a shard. */
    Set<Long> ids(ShardCatalogue shard, BitSet samples) {
      SampleNumbers numbers = table.numbers(shard);
      return Arrays.stream(shard.lines())
          .filter(id -> samples.get(numbers.get(id)))
          .boxed()
          .collect(Collectors.toSet());
    }

    /** Returns the samples whose home is a shard. */
    ShardAddresses addresses(int shard) {
      int[] mine =
          IntStream.range(table.firstOf(shard), table.firstOf(shard + 1))
              .filter(i -> !dropped[i])
              .toArray();
      int width = table.layers.length;
      long[] addresses = new long[mine.length * width];
      for (int i = 0; i < mine.length; i++) {
        System.arraycopy(table.addresses, mine[i] * width, addresses, i * width, width);
      }
      return new ShardAddresses(
          Arrays.stream(mine).map(i -> table.lines[i]).toArray(),
          Arrays.stream(mine).mapToLong(i -> table.tokens[i]).toArray(),
          addresses);
    }
  }
}
