package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.pickleshards.unpacked.UnpackedDocument.Home;
import org.saevhadoop.format.samples.DataFile;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;

/**
 * Random access to pickled shards that were unpacked once, the shards of each part into a spool of
 * plain blocks. Blocks that are stored in plain form in an uncompressed shard are read from the
 * shard.
 *
 * <p>For each part, the folder of the spools contains the {@link ShardCatalogue} of each of its
 * shards, the metadata of their samples and, after the join, the block addresses of the samples
 * whose home is the part. If only part of the dataset is requested, only the blocks of that part
 * can be read; the shape and the example numbers describe the whole dataset.
 */
public final class UnpackedDataset implements ActivationDataset {
  /** Name of the file that marks a complete unpacked dataset; it is written last. */
  public static final String FILE = "_unpacked";

  private final UnpackedFiles files;
  private final UnpackedDocument document;
  private final Geometry geometry;
  private final List<Home> homes;
  private final Shards shards;

  private UnpackedDataset(UnpackedFiles files, UnpackedDocument document) {
    this.files = files;
    this.document = document;
    this.geometry = document.geometry();
    this.homes = document.homes().stream().filter(home -> home.examples() > 0).toList();
    List<Shard> spools = new ArrayList<>();
    long next = 0;
    for (Home home : homes) {
      long bytes = home.examples() * geometry.exampleBytes();
      spools.add(new Shard(spoolName(home.number()), next, home.examples(), bytes));
      next += home.examples();
    }
    this.shards = new Shards(spools);
  }

  /** Returns the name of the file with the catalogues of the shards of a part. */
  static String cataloguesName(int part) {
    return "catalogue-%05d".formatted(part);
  }

  /** Returns the name of the file with the blocks of a part. */
  static String spoolName(int part) {
    return "blocks-%05d".formatted(part);
  }

  /** Returns the name of the file with the requested samples of a part. */
  static String chosenName(int part) {
    return "chosen-%05d".formatted(part);
  }

  static String addressesName(int part) {
    return "places-%05d".formatted(part);
  }

  /**
   * Opens an unpacked dataset.
   *
   * @param folders opens the folder that contains the shards, which may be on another file system
   */
  public static UnpackedDataset open(Folder unpacked, Io.Function<String, Folder> folders)
      throws IOException {
    UnpackedDocument document = Jackson.read(unpacked, FILE, UnpackedDocument.class);
    Folder source = folders.apply(document.source());
    List<List<String>> parts = document.homes().stream().map(Home::shards).toList();
    return new UnpackedDataset(UnpackedFiles.of(unpacked, source, parts), document);
  }

  @Override
  public Folder folder() {
    return files;
  }

  @Override
  public Activations activations() {
    return new Activations(geometry, OptionalInt.empty(), document.provenance());
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public BlockOrder storageOrder() {
    return BlockOrder.byColumn(table());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    PartAddresses kept = addresses(homes.get(shard).number());
    long[] addresses = kept.addresses();
    int width = geometry.layers().size();
    long vectorBytes = geometry.vectorBytes();
    if (!document.flattened()) {
      long skipped = document.firstToken() * vectorBytes;
      return (index, layer) -> {
        long address = addresses[(int) index * width + layer];
        return UnpackedFiles.isInSource(address) ? address : address - skipped;
      };
    }
    long[] first = PartAddresses.firstTokens(kept.tokens());
    return (index, layer) -> {
      // samples without tokens are skipped
      int sample = AscendingSearch.lastAtMost(first.length - 1, i -> first[i], index);
      return addresses[sample * width + layer] + (index - first[sample]) * vectorBytes;
    };
  }

  private PartAddresses addresses(int part) throws IOException {
    return Jackson.read(files.unpacked(), addressesName(part), PartAddresses.class);
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    long bytes = geometry.exampleBytes();
    return List.of(new ByteRange(indexInShard * bytes, examples * bytes));
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() throws IOException {
    List<DataFile> lines = new ArrayList<>();
    long next = 0;
    for (int i = 0; i < homes.size(); i++) {
      Home home = homes.get(i);
      lines.add(new DataFile(shards.get(i).name(), next, home.lines(), dropped(home)));
      next += home.samples();
    }
    SampleMetadata samples = Sidecars.required(files.unpacked(), lines);
    return Optional.of(
        document.flattened() ? new TokenMetadata(samples, tokensOfSamples()) : samples);
  }

  /** Returns the metadata lines of samples that are dropped or have their home in another shard. */
  private long[] dropped(Home home) throws IOException {
    if (home.samples() == home.lines()) {
      return new long[0];
    }
    int[] kept = addresses(home.number()).lines();
    return IntStream.range(0, home.lines())
        .filter(line -> Arrays.binarySearch(kept, line) < 0)
        .asLongStream()
        .toArray();
  }

  /** Returns the number of tokens of each sample, in order. */
  private long[] tokensOfSamples() throws IOException {
    LongStream.Builder tokens = LongStream.builder();
    for (Home home : homes) {
      LongStream.of(addresses(home.number()).tokens()).forEach(tokens);
    }
    return tokens.build().toArray();
  }

  @Override
  public List<String> warnings() {
    return document.notes();
  }
}
