package org.saevhadoop.format.pickleshards.unpacked;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
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
import org.saevhadoop.format.pickleshards.unpacked.UnpackedDocument.Home;
import org.saevhadoop.format.samples.DataFile;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;

/**
 * Pickled shards that were unpacked once, each into a spool of plain blocks, and so can be read at
 * any position. What lies in a shard as blocks do, because it is not compressed, is read there.
 *
 * <p>The folder of the spools has a {@link ShardCatalogue} of each shard, the attributes of its
 * samples, and, once all are joined, the places of the samples that are at home in it. If only a
 * part of the dataset is asked for, only blocks of that part can be read; shape and numbers are
 * those of the whole.
 */
public final class UnpackedDataset implements ActivationDataset {
  /** The file that says that a folder holds an unpacked dataset: it is written last. */
  public static final String FILE = "_unpacked";

  private static final String CATALOGUE = "catalogue-%05d";
  private static final String PLACES = "places-%05d";
  private static final String CHOSEN = "chosen-%05d";

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
      spools.add(new Shard(UnpackedFiles.spool(home.number()), next, home.examples(), bytes));
      next += home.examples();
    }
    this.shards = new Shards(spools);
  }

  /** Where the catalogue of a shard is written. */
  public static String catalogueName(int shard) {
    return CATALOGUE.formatted(shard);
  }

  /** Where the blocks of a shard are written. */
  public static String spoolName(int shard) {
    return UnpackedFiles.spool(shard);
  }

  /** Where is written which samples of a shard are asked for. */
  static String chosenName(int shard) {
    return CHOSEN.formatted(shard);
  }

  static String placesName(int shard) {
    return PLACES.formatted(shard);
  }

  /** Opens a folder from its path. */
  @FunctionalInterface
  public interface FolderOpener {
    Folder open(String path) throws IOException;
  }

  /**
   * Opens an unpacked dataset.
   *
   * @param folders opens the folder of the shards, which may be on another storage
   */
  public static UnpackedDataset open(Folder unpacked, FolderOpener folders) throws IOException {
    UnpackedDocument document = UnpackedDocument.parse(unpacked.readSmall(FILE, Integer.MAX_VALUE));
    Folder source = folders.open(document.source());
    List<String> paths = document.homes().stream().map(Home::path).toList();
    return new UnpackedDataset(new UnpackedFiles(unpacked, source, paths), document);
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
    return new BlockOrder(true, IntStream.range(0, geometry.layers().size()).boxed().toList());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    ShardPlaces places = places(homes.get(shard).number());
    long[] addresses = places.places();
    int width = geometry.layers().size();
    long vectorBytes = geometry.vectorBytes();
    if (!document.flattened()) {
      long skipped = document.firstToken() * vectorBytes;
      return (index, layer) -> {
        long address = addresses[(int) index * width + layer];
        return UnpackedFiles.isInSource(address) ? address : address - skipped;
      };
    }
    long[] first = places.firstTokens();
    return (index, layer) -> {
      int sample = sample(first, index);
      return addresses[sample * width + layer] + (index - first[sample]) * vectorBytes;
    };
  }

  /** The sample that a token belongs to; those without tokens have none. */
  private static int sample(long[] first, long token) {
    return AscendingSearch.lastAtMost(first.length - 1, i -> first[i], token);
  }

  private ShardPlaces places(int shard) throws IOException {
    byte[] bytes = files.unpacked().readSmall(PLACES.formatted(shard), Integer.MAX_VALUE);
    return ShardPlaces.read(new ByteArrayInputStream(bytes));
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    long bytes = geometry.exampleBytes();
    return List.of(new ByteRange(indexInShard * bytes, examples * bytes));
  }

  @Override
  public Optional<SampleMetadata> attributes() throws IOException {
    List<DataFile> lines = new ArrayList<>();
    long next = 0;
    for (int i = 0; i < homes.size(); i++) {
      Home home = homes.get(i);
      lines.add(new DataFile(shards.get(i).name(), next, home.lines(), dropped(home)));
      next += home.samples();
    }
    Optional<SampleMetadata> samples = Sidecars.of(files.unpacked(), lines);
    return document.flattened() && samples.isPresent()
        ? Optional.of(new TokenMetadata(samples.get(), tokensOfSamples()))
        : samples;
  }

  /** Lines of samples that are at home elsewhere, or do not count. */
  private long[] dropped(Home home) throws IOException {
    if (home.samples() == home.lines()) {
      return new long[0];
    }
    int[] kept = places(home.number()).lines();
    return IntStream.range(0, home.lines())
        .filter(line -> Arrays.binarySearch(kept, line) < 0)
        .asLongStream()
        .toArray();
  }

  /** Tokens of all samples, in their order. */
  private long[] tokensOfSamples() throws IOException {
    long samples = homes.stream().mapToLong(Home::samples).sum();
    long[] tokens = new long[Math.toIntExact(samples)];
    int next = 0;
    for (Home home : homes) {
      long[] own = places(home.number()).tokens();
      System.arraycopy(own, 0, tokens, next, own.length);
      next += own.length;
    }
    return tokens;
  }

  @Override
  public List<String> warnings() {
    return document.notes();
  }
}
