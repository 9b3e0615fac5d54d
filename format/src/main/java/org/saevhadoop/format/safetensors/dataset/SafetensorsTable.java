package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.samples.DataFile;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;

/**
 * Examples with any columns in safetensors files: a directory with a manifest, a directory of
 * files, or a single file, in the batch or the key-value layout. With a manifest, opening the
 * dataset reads only the header of the first file; every other file is checked when its examples
 * are read.
 */
public final class SafetensorsTable implements TableDataset {
  /** Name of the file that identifies a directory as such a dataset. */
  public static final String MANIFEST = DatasetManifest.FILE;

  /** Suffix of the file names. */
  public static final String SUFFIX = ".safetensors";

  /** Metadata key of the layout, if the layout is not batch. */
  static final String LAYOUT_KEY = "saev.layout";

  /** Metadata key of the separator between id and column in the key-value layout. */
  static final String SEPARATOR_KEY = "saev.separator";

  /**
   * Maximum number of zero-length blocks, because a file of a hundred bytes can claim any number of
   * them.
   */
  private static final long MAX_EMPTY = 1 << 24;

  /**
   * The facts that are known once the first file is open.
   *
   * @param path the path shown in messages
   * @param checked whether {@link #open} has opened the files before
   * @param metadata the metadata of the first file
   */
  private record Opened(
      Folder folder,
      String path,
      boolean checked,
      TensorLayout layout,
      String separator,
      SafetensorsOptions options,
      List<Column> columns,
      Map<String, String> metadata,
      List<String> warnings) {}

  private final Opened opened;
  private final Shards shards;
  private final List<KeptExamples> kept;
  private final TableShape table;

  private SafetensorsTable(Opened opened, List<KeptExamples> kept) throws FormatException {
    this.opened = opened;
    this.kept = kept;
    this.shards = new Shards(KeptExamples.shards(kept));
    List<Column> columns = opened.columns;
    Shard last = shards.get(shards.size() - 1);
    try {
      this.table = new TableShape(last.first() + last.examples(), columns);
    } catch (ArithmeticException e) {
      throw TensorDatasetError.TOO_LARGE
          .in(opened.path, "the total size exceeds 2^63 bytes")
          .causedBy(e);
    }
    TensorDatasetError.TOO_LARGE.check(
        table.exampleBytes() > 0 || table.examples() <= MAX_EMPTY / columns.size(),
        opened.path,
        "has %d examples of %d empty columns (expected at most %d such blocks)",
        table.examples(),
        columns.size(),
        MAX_EMPTY);
  }

  /** Opens a directory, using its manifest if it has one. */
  public static SafetensorsTable open(Folder folder, SafetensorsOptions options)
      throws IOException {
    return open(Location.of(folder), options);
  }

  /** Opens the directory at a location, using the location's list of files. */
  public static SafetensorsTable open(Location directory, SafetensorsOptions options)
      throws IOException {
    Folder folder = directory.folder();
    return open(folder, folder.path(), TensorFiles.of(folder, directory.files()), false, options);
  }

  /**
   * Opens a directory that {@link #open} has opened before. If it has a manifest, its files are not
   * listed but are assumed to be unchanged since then; reading a changed file is an error.
   */
  public static SafetensorsTable openChecked(Folder folder, SafetensorsOptions options)
      throws IOException {
    return open(folder, folder.path(), TensorFiles.ofChecked(folder), true, options);
  }

  /** Opens a single file as a dataset. */
  public static SafetensorsTable openFile(Folder folder, String name, SafetensorsOptions options)
      throws IOException {
    return open(folder, folder.path(name), TensorFiles.ofFile(folder, name), false, options);
  }

  private static SafetensorsTable open(
      Folder folder, String path, TensorFiles parts, boolean checked, SafetensorsOptions options)
      throws IOException {
    TensorDatasetError.NO_EXAMPLES.check(
        !parts.files().isEmpty(),
        folder.path(),
        "contains no examples (expected files *%s)",
        SUFFIX);
    DatasetManifest.Entry named = parts.files().get(0);
    try (Input in = folder.open(named.name())) {
      SafetensorsHeader header = SafetensorsHeader.read(in, options.strictness());
      Map<String, String> metadata = header.metadata() == null ? Map.of() : header.metadata();
      String separator = separator(metadata, options);
      List<String> warnings = new ArrayList<>(parts.warnings());
      TensorLayout layout =
          layout(in.path(), header, metadata, options, named.examples(), separator, warnings);
      FileLayout first = FileLayout.of(in.path(), header, layout, separator);
      List<Shard> shards =
          parts.shards(folder, first, layout, separator, options.strictness(), metadata);
      TensorDatasetError.NO_EXAMPLES.check(
          !shards.isEmpty(), folder.path(), "contains no examples (expected files *%s)", SUFFIX);
      List<KeptExamples> all = shards.stream().map(shard -> new KeptExamples(shard)).toList();
      return new SafetensorsTable(
          new Opened(
              folder,
              path,
              checked,
              layout,
              separator,
              options,
              first.columns(),
              metadata,
              warnings),
          all);
    }
  }

  static String separator(Map<String, String> metadata, SafetensorsOptions options) {
    return options.separator() != null
        ? options.separator()
        : metadata.getOrDefault(SEPARATOR_KEY, SafetensorsOptions.SEPARATOR);
  }

  /**
   * Determines the layout from the options, the metadata or the content of the file. Tensors may
   * fit both layouts: vectors in the key-value layout share a leading dimension. If all names are
   * keys, the key-value layout is chosen.
   *
   * @param examples the number of examples in the file according to a manifest; otherwise {@link
   *     DatasetManifest.Entry#UNKNOWN}
   */
  static TensorLayout layout(
      String path,
      SafetensorsHeader header,
      Map<String, String> metadata,
      SafetensorsOptions options,
      long examples,
      String separator,
      List<String> warnings)
      throws FormatException {
    if (options.layout() != null) {
      return options.layout();
    }
    TensorLayout stored = storedLayout(path, metadata);
    if (stored != null) {
      return stored;
    }
    if (metadata.containsKey(TensorFiles.FIRST_EXAMPLE_KEY)) {
      return TensorLayout.BATCH; // otherwise its writer would have set the layout
    }
    boolean batch = BatchFile.fits(header, examples);
    long ids = separator.isEmpty() ? -1 : KeyedFile.countIds(header, separator);
    boolean keyed =
        examples >= 0
            ? ids == examples
            : batch ? ids > 1 && KeyedFile.fits(header, separator) : ids > 0;
    TensorDatasetError.FILES_DISAGREE.check(
        batch || keyed || examples < 0,
        path,
        "holds %s (expected %d, as in %s, in either layout; the keys' separator is \"%s\","
            + " unless --from-separator names another)",
        ids > 0
            ? ids + " ids"
            : BatchFile.fits(header, DatasetManifest.Entry.UNKNOWN)
                ? Quote.sentence("%d examples", header.tensors().get(0).shape().get(0))
                : "tensors without a common leading dimension",
        examples,
        MANIFEST,
        separator);
    if (batch && keyed) {
      warnings.add(
          ("the tensors' names look like keys, %d ids before \"%s\", and are read as such"
                  + " (--from-layout batch reads columns)")
              .formatted(ids, separator));
    }
    return keyed ? TensorLayout.KV : TensorLayout.BATCH;
  }

  /**
   * Returns the layout specified in the metadata of a file; null if it specifies none.
   *
   * @throws FormatException if the specified layout does not exist
   */
  public static @Nullable TensorLayout storedLayout(String path, Map<String, String> metadata)
      throws FormatException {
    String stored = metadata.get(LAYOUT_KEY);
    for (TensorLayout known : TensorLayout.values()) {
      if (known.toString().equals(stored)) {
        return known;
      }
    }
    TensorDatasetError.BAD_FILE_METADATA.check(
        stored == null,
        path,
        "%s is \"%s\" (expected one of %s)",
        LAYOUT_KEY,
        stored,
        List.of(TensorLayout.values()));
    return null;
  }

  /**
   * Returns the dataset without some examples; the following examples are renumbered.
   *
   * @param dropped the numbers of the examples to drop, in ascending order
   */
  public SafetensorsTable without(long[] dropped) throws FormatException {
    List<KeptExamples> fewer =
        kept.stream().map(k -> k.without(dropped)).filter(k -> k.count() > 0).toList();
    TensorDatasetError.NO_EXAMPLES.check(!fewer.isEmpty(), opened.path, "no examples are left");
    return new SafetensorsTable(opened, fewer);
  }

  @Override
  public Folder folder() {
    return opened.folder;
  }

  @Override
  public String path() {
    return opened.path;
  }

  @Override
  public TableShape table() {
    return table;
  }

  @Override
  public Shards shards() {
    return shards;
  }

  /** Returns the layout of the files. */
  public TensorLayout layout() {
    return opened.layout;
  }

  /** Returns the separator between id and column in the key-value layout. */
  public String separator() {
    return opened.separator;
  }

  /** Returns the metadata of the first file. */
  Map<String, String> metadata() {
    return opened.metadata;
  }

  @Override
  public BlockOrder storageOrder() {
    return new BlockOrder(
        opened.layout == TensorLayout.BATCH, BlockOrder.byExample(table).columns());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    SafetensorsHeader header = SafetensorsHeader.read(file, opened.options.strictness());
    FileLayout part = part(shard, file.path(), header);
    return kept.get(shard).placement(part.placement(table.columns(), header.dataStart()));
  }

  @Override
  public Optional<ExampleIds> ids() {
    return opened.layout == TensorLayout.KV
        ? Optional.of(new KeyedIds(this, opened.options.ids()))
        : Optional.empty();
  }

  /**
   * Returns the ids of the examples in a shard, in order; empty in the batch layout, which has no
   * ids.
   */
  public List<String> ids(int shard) throws IOException {
    if (opened.layout == TensorLayout.BATCH) {
      return List.of();
    }
    try (Input file = opened.folder.open(shards.get(shard).name())) {
      KeyedFile part =
          (KeyedFile)
              part(shard, file.path(), SafetensorsHeader.read(file, opened.options.strictness()));
      return kept.get(shard).of(part.ids());
    }
  }

  /**
   * Reads a file and checks that it has the columns of the first file and the expected number of
   * examples.
   */
  private FileLayout part(int shard, String path, SafetensorsHeader header) throws FormatException {
    FileLayout part = FileLayout.of(path, header, opened.layout, opened.separator);
    TensorDatasetError.FILES_DISAGREE.check(
        part.hasColumns(table.columns()),
        path,
        "holds %s (expected %s, as in the dataset's first file)",
        part.columns(),
        table.columns());
    long expected = kept.get(shard).shard().examples();
    long padding = TensorFiles.padding(header.metadata());
    TensorDatasetError.FILES_DISAGREE.check(
        part.examples() - padding == expected,
        path,
        "holds %d examples (expected %d)",
        part.examples() - padding,
        expected);
    return part;
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    Shard file = shards.get(shard);
    long dataStart = Math.max(0, file.bytes() - file.examples() * table.exampleBytes());
    if (opened.layout == TensorLayout.KV) {
      long bytes = table.exampleBytes();
      return List.of(new ByteRange(dataStart + indexInShard * bytes, examples * bytes));
    }
    BlockOrder order = storageOrder();
    BlockOffsets positions = BlockOffsets.contiguous(table, order, file.examples(), dataStart);
    return columns.stream()
        .map(
            column ->
                new ByteRange(
                    positions.offset(indexInShard, column), examples * table.blockBytes(column)))
        .toList();
  }

  @Override
  public ActivationDataset requireActivations() throws FormatException {
    return SafetensorsDataset.of(this, opened.options);
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() throws IOException {
    List<DataFile> files = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      KeptExamples file = kept.get(i);
      files.add(
          new DataFile(
              shards.get(i).name(),
              shards.get(i).first(),
              file.shard().examples(),
              file.dropped()));
    }
    return opened.checked
        ? Optional.of(Sidecars.assumed(opened.folder, files))
        : Sidecars.of(opened.folder, files);
  }

  @Override
  public List<String> warnings() {
    return opened.warnings;
  }
}
