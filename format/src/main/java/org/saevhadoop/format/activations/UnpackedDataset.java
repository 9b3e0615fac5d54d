package org.saevhadoop.format.activations;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.saevhadoop.format.attributes.Attributes;
import org.saevhadoop.format.attributes.DataFile;
import org.saevhadoop.format.attributes.Sidecars;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Placement;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.tensor.DType;

/**
 * Pickled shards that were unpacked once, each into a spool of plain blocks, and so can be read at
 * any position. What lies in a shard as blocks do, because it is not compressed, is read there.
 *
 * <p>The folder of the spools has a {@link Catalogue} of each shard, the attributes of its samples,
 * and, once all are joined, the places of the samples that are at home in it.
 */
public final class UnpackedDataset implements ActivationDataset {
  /** The file that says that a folder holds an unpacked dataset: it is written last. */
  public static final String FILE = "_unpacked";

  private static final int MOST_NOTES = 100;
  private static final String CATALOGUE = "catalogue-%05d";
  private static final String PLACES = "places-%05d";

  private final UnpackedFiles files;
  private final Geometry geometry;
  private final boolean flattened;
  private final List<Home> homes;
  private final List<Shard> shards;
  private final List<String> notes;

  /**
   * A shard and what is at home in it.
   *
   * @param number of the shard
   * @param lines of attributes that it has
   */
  private record Home(int number, int lines, long samples, long examples) {}

  private UnpackedDataset(
      UnpackedFiles files,
      Geometry geometry,
      boolean flattened,
      List<Home> homes,
      List<String> notes) {
    this.files = files;
    this.geometry = geometry;
    this.flattened = flattened;
    this.homes = homes.stream().filter(home -> home.examples > 0).toList();
    this.notes = notes;
    this.shards = new ArrayList<>();
    long next = 0;
    for (Home home : this.homes) {
      long bytes = home.examples * geometry.exampleBytes();
      shards.add(new Shard(UnpackedFiles.spool(home.number), next, home.examples, bytes));
      next += home.examples;
    }
  }

  /** Where the catalogue of a shard is written. */
  public static String catalogueName(int shard) {
    return CATALOGUE.formatted(shard);
  }

  /** Where the blocks of a shard are written. */
  public static String spoolName(int shard) {
    return UnpackedFiles.spool(shard);
  }

  /**
   * Joins the samples of shards that are all unpacked, and writes what {@link #open} reads.
   *
   * @param unpacked the folder of the spools
   * @param source the folder of the shards
   * @param promises what is said of them
   * @param count how many were unpacked
   * @throws FormatException where they make no dataset, or not the one that was promised
   */
  public static void join(
      Folder unpacked, Folder source, ShardPromises promises, int count, UnpackOptions options)
      throws IOException {
    TreeSet<Integer> layers = new TreeSet<>();
    List<String> sources = new ArrayList<>();
    Map<String, ShardFacts> facts = new HashMap<>();
    List<String> oddities = new ArrayList<>();
    int[] lines = new int[count];
    for (int i = 0; i < count; i++) {
      Catalogue catalogue = catalogue(unpacked, i);
      facts.putAll(catalogue.facts());
      if (oddities.size() <= MOST_NOTES) {
        oddities.addAll(catalogue.notes());
      }
      catalogue.layers().stream().filter(l -> l.size() > 0).forEach(l -> layers.add(l.number()));
      sources.add(catalogue.source());
      lines[i] = catalogue.lines().length;
    }
    List<String> differences = promises.check(facts);
    UnpackedFiles files = new UnpackedFiles(unpacked, source, sources);
    FormatException.check(!layers.isEmpty(), files.path(), "holds no sample");
    SampleTable table = new SampleTable(source.path(), options, layers);
    try (Input all = files.open(FILE)) {
      for (int i = 0; i < count; i++) {
        table.add(catalogue(unpacked, i), all);
      }
    }
    SampleTable.Joined joined = table.join();
    List<String> notes = new ArrayList<>(joined.notes());
    notes.addAll(few(differences));
    notes.addAll(few(oddities));
    write(unpacked, source, joined, notes, lines, options);
  }

  /** As many as somebody would read. */
  private static List<String> few(List<String> notes) {
    if (notes.size() <= MOST_NOTES) {
      return notes;
    }
    List<String> few = new ArrayList<>(notes.subList(0, MOST_NOTES));
    few.add("there are more like these");
    return few;
  }

  private static Catalogue catalogue(Folder unpacked, int shard) throws IOException {
    byte[] bytes = unpacked.readSmall(catalogueName(shard), Integer.MAX_VALUE);
    return Catalogue.read(new ByteArrayInputStream(bytes));
  }

  private static void write(
      Folder unpacked,
      Folder source,
      SampleTable.Joined joined,
      List<String> notes,
      int[] lines,
      UnpackOptions options)
      throws IOException {
    boolean flatten = options.ragged().mode() == Ragged.Mode.FLATTEN;
    List<Home> homes = new ArrayList<>();
    long examples = 0;
    for (int i = 0; i < lines.length; i++) {
      ShardPlaces places = joined.places(i);
      long mine = flatten ? places.firstTokens()[places.samples()] : places.samples();
      homes.add(new Home(i, lines[i], places.samples(), mine));
      examples += mine;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      places.write(bytes);
      create(unpacked, PLACES.formatted(i), bytes);
    }
    Geometry geometry = joined.geometry(examples);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(source.path());
    out.writeBoolean(flatten);
    out.writeUTF(geometry.dtype().name());
    out.writeLong(examples);
    out.writeInt(geometry.tokens());
    out.writeInt(geometry.dim());
    out.writeInt(geometry.layers().size());
    for (int layer : geometry.layers()) {
      out.writeInt(layer);
    }
    out.writeInt(homes.size());
    for (Home home : homes) {
      out.writeUTF(joined.sources().get(home.number));
      out.writeInt(home.lines);
      out.writeLong(home.samples);
      out.writeLong(home.examples);
    }
    out.writeInt(notes.size());
    for (String note : notes) {
      out.writeUTF(note);
    }
    create(unpacked, FILE, bytes);
  }

  private static void create(Folder folder, String name, ByteArrayOutputStream bytes)
      throws IOException {
    try (Output out = folder.create(name)) {
      out.write(ByteBuffer.wrap(bytes.toByteArray()));
    }
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
    byte[] bytes = unpacked.readSmall(FILE, Integer.MAX_VALUE);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    Folder source = folders.open(in.readUTF());
    boolean flattened = in.readBoolean();
    DType dtype = DType.valueOf(in.readUTF());
    long examples = in.readLong();
    int tokens = in.readInt();
    int dim = in.readInt();
    List<Integer> layers = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      layers.add(in.readInt());
    }
    List<Home> homes = new ArrayList<>();
    List<String> sources = new ArrayList<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      sources.add(in.readUTF());
      homes.add(new Home(i, in.readInt(), in.readLong(), in.readLong()));
    }
    List<String> notes = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      notes.add(in.readUTF());
    }
    return new UnpackedDataset(
        new UnpackedFiles(unpacked, source, sources),
        new Geometry(examples, layers, tokens, dim, dtype),
        flattened,
        homes,
        notes);
  }

  @Override
  public Folder folder() {
    return files;
  }

  @Override
  public Geometry geometry() {
    return geometry;
  }

  @Override
  public Optional<String> saevMetadata() {
    return Optional.empty();
  }

  @Override
  public List<Shard> shards() {
    return shards;
  }

  @Override
  public BlockOrder storageOrder() {
    return new BlockOrder(true, IntStream.range(0, geometry.layers().size()).boxed().toList());
  }

  @Override
  public Placement placement(int shard, Input file) throws IOException {
    ShardPlaces places = places(homes.get(shard).number);
    long[] addresses = places.places();
    int width = geometry.layers().size();
    if (!flattened) {
      return (index, layer) -> addresses[(int) index * width + layer];
    }
    long[] first = places.firstTokens();
    long vectorBytes = geometry.vectorBytes();
    return (index, layer) -> {
      int sample = sample(first, index);
      return addresses[sample * width + layer] + (index - first[sample]) * vectorBytes;
    };
  }

  /** The sample that a token belongs to; those without tokens have none. */
  private static int sample(long[] first, long token) {
    int low = 0;
    int high = first.length - 1;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (first[middle] <= token) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private ShardPlaces places(int shard) throws IOException {
    byte[] bytes = files.unpacked().readSmall(PLACES.formatted(shard), Integer.MAX_VALUE);
    return ShardPlaces.read(new ByteArrayInputStream(bytes));
  }

  @Override
  public List<ByteRange> expectedRanges(int shard, long indexInShard, long examples) {
    long bytes = geometry.exampleBytes();
    return List.of(new ByteRange(indexInShard * bytes, examples * bytes));
  }

  @Override
  public Optional<Attributes> attributes() throws IOException {
    List<DataFile> lines = new ArrayList<>();
    long next = 0;
    for (int i = 0; i < homes.size(); i++) {
      Home home = homes.get(i);
      lines.add(new DataFile(shards.get(i).name(), next, home.lines, dropped(home)));
      next += home.samples;
    }
    Optional<Attributes> samples = Sidecars.of(files.unpacked(), lines);
    return flattened && samples.isPresent()
        ? Optional.of(new TokenAttributes(samples.get(), tokensOfSamples()))
        : samples;
  }

  /** Lines of samples that are at home elsewhere, or do not count. */
  private long[] dropped(Home home) throws IOException {
    if (home.samples == home.lines) {
      return new long[0];
    }
    int[] kept = places(home.number).lines();
    return IntStream.range(0, home.lines)
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
      long[] own = places(home.number).tokens();
      System.arraycopy(own, 0, tokens, next, own.length);
      next += own.length;
    }
    return tokens;
  }

  @Override
  public List<String> warnings() {
    return notes;
  }
}
