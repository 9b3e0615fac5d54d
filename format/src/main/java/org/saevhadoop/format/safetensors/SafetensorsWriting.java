package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.SafetensorsKeys.Index;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.DatasetCheck;
import org.saevhadoop.format.safetensors.dataset.KeyedWritePlan;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.index.TensorIndexBuilder;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.shuffle.RowOrder;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.PreparedWrite;
import org.saevhadoop.format.spi.WholeSource;
import org.saevhadoop.format.spi.WriteContext;
import org.saevhadoop.format.tensor.DType;

/** Writes safetensors files as defined by the settings. */
final class SafetensorsWriting implements DatasetWriting {
  private static final long MIB = 1 << 20;

  @Override
  public List<SettingKey<?>> writingKeys() {
    return SafetensorsKeys.WRITING;
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return List.of(SafetensorsKeys.BATCH_SIZE, SafetensorsKeys.SHARD_MB);
  }

  @Override
  public void checkSettings(Settings settings) {
    boolean keyed = isKeyed(settings);
    boolean whole = settings.get(SafetensorsKeys.TAIL) == BatchWritePlan.Tail.WRITE;
    if (keyed && settings.isSet(SafetensorsKeys.BATCH_SIZE)) {
      throw exclusive(settings, settings.nameOf(SafetensorsKeys.BATCH_SIZE));
    }
    for (SettingKey<?> key : List.of(SafetensorsKeys.SEPARATOR, SafetensorsKeys.SHARD_MB)) {
      if (!keyed && settings.isSet(key)) {
        throw new SettingException(settings.nameOf(key) + " needs --kv");
      }
    }
    if (!whole && keyed) {
      throw exclusive(settings, settings.nameOf(SafetensorsKeys.TAIL) + " drop or pad");
    }
    if (!whole && !settings.isSet(SafetensorsKeys.BATCH_SIZE)) {
      throw new SettingException(
          settings.nameOf(SafetensorsKeys.TAIL) + " drop or pad needs --batch-size");
    }
  }

  private static SettingException exclusive(Settings settings, String other) {
    return new SettingException(
        other + " and " + settings.nameOf(SafetensorsKeys.LAYOUT) + " exclude each other");
  }

  @Override
  public Set<DType> writableTypes() {
    return EnumSet.allOf(DType.class);
  }

  @Override
  public boolean keepsStoredTypes(Settings settings, Collection<DType> stored, boolean samples) {
    return true;
  }

  /** Per-token integers become sample metadata in the key-value layout. */
  @Override
  public boolean keepsTokenArrays(Settings settings, TableShape table) {
    return !isKeyed(settings) && BatchWritePlan.mayHaveTokens(table);
  }

  @Override
  public Optional<String> idsOption() {
    return Optional.of("--kv");
  }

  /**
   * Determines how many examples are written, and warns if examples are dropped or added at the
   * end.
   *
   * @throws FormatException if no example would be written
   */
  @Override
  public PreparedWrite prepare(ConversionSource source, Settings asked, @Nullable WholeSource whole)
      throws IOException {
    Settings settings = sized(source, shaped(source, asked));
    boolean keyed = isKeyed(settings);
    long all = source.table().examples();
    long written = all;
    List<String> losses = new ArrayList<>();
    List<String> changes = new ArrayList<>();
    if (keyed) {
      KeyOrder.check(source, whole).ifPresent(changes::add);
    }
    BatchWritePlan.Tail tail = settings.get(SafetensorsKeys.TAIL);
    if (tail != BatchWritePlan.Tail.WRITE) {
      long batch = settings.get(SafetensorsKeys.BATCH_SIZE);
      written = BatchWritePlan.written(all, batch, tail);
      DatasetError.EMPTY_SELECTION.check(
          written > 0 || all == 0,
          source.path(),
          "has %d examples, and --tail drop would leave none of them (expected at least %d)",
          all,
          batch);
      if (written < all) {
        losses.add(
            Quote.sentence("the last %d examples are left out (--tail drop)", all - written));
      }
      if (tail == BatchWritePlan.Tail.PAD && all % batch > 0) {
        changes.add(
            Quote.sentence("%d examples are added as zeros (--tail pad)", batch - all % batch));
      }
    }
    return new PreparedWrite(
        settings, source.provenance(), written, "", keyed, true, losses, changes);
  }

  /** Returns the settings with rows instead of single-token examples if vectors were shuffled. */
  private static Settings shaped(ConversionSource source, Settings settings)
      throws FormatException {
    TableShape table = source.table();
    boolean mayBeRows = BatchWritePlan.mayBeRows(table);
    DatasetError.NO_ACTIVATIONS.check(
        mayBeRows || settings.get(SafetensorsKeys.COLUMNS) != Columns.ROWS,
        source.path(),
        "has columns %s, which cannot be rows (expected layers of one token, such as --tokens 0)",
        table.columns());
    boolean isShuffled = source.provenance().documents().containsKey(RowOrder.DOCUMENT);
    return mayBeRows && isShuffled && !settings.isSet(SafetensorsKeys.COLUMNS)
        ? settings.with(SafetensorsKeys.COLUMNS, Columns.ROWS)
        : settings;
  }

  private static boolean isKeyed(Settings settings) {
    return settings.get(SafetensorsKeys.LAYOUT) == TensorLayout.KV;
  }

  /** Returns the settings with files of the default size, if that is below the maximum. */
  private static Settings sized(ConversionSource source, Settings settings) {
    if (source.fileBytes() == 0) {
      return settings;
    }
    if (isKeyed(settings)) {
      long mib = (source.fullFileBytes() - 1) / MIB + 2; // including one for the header
      return mib < Objects.requireNonNull(SafetensorsKeys.SHARD_MB.defaultValue())
          ? settings.with(SafetensorsKeys.SHARD_MB, mib)
          : settings;
    }
    long examples = source.examplesPerFile();
    boolean whole = settings.get(SafetensorsKeys.TAIL) == BatchWritePlan.Tail.WRITE;
    return whole && examples < BatchWritePlan.defaultExamplesPerShard(source.table())
        ? settings.with(SafetensorsKeys.BATCH_SIZE, examples)
        : settings;
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    boolean keyed = isKeyed(settings);
    DatasetWrite write =
        keyed
            ? keyed(settings, context).write(context.sampleMetadata())
            : batches(settings, context).write(context.sampleMetadata());
    Index index = settings.get(SafetensorsKeys.INDEX);
    return index == Index.TRUE || index == Index.AUTO && keyed
        ? new DatasetWrite(write.plan(), write.sinks(), written -> indexed(write, written))
        : write;
  }

  private static List<Document> indexed(DatasetWrite write, Folder written) throws IOException {
    WritePlan plan = write.plan();
    List<String> files = LongStream.range(0, plan.shardCount()).mapToObj(plan::shardName).toList();
    return indexed(files, write.finisher().documents(written), written);
  }

  /** Returns the documents of a dataset, preceded by the index of all tensors. */
  static List<Document> indexed(List<String> files, List<Document> documents, Folder written) {
    List<Document> all = new ArrayList<>();
    all.add(new Document(TensorIndex.NAME, out -> TensorIndexBuilder.write(written, files, out)));
    all.addAll(documents);
    return all;
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    SafetensorsOptions options =
        new SafetensorsReading(Settings.NONE, provenance -> OptionalInt.empty()).options();
    DatasetCheck check = DatasetCheck.of(folder.folder(), options);
    check.requireMarked();
    if (!check.problems().isEmpty()) {
      throw check.problems().get(0);
    }
    Set<String> files = new HashSet<>(Set.of(SafetensorsTable.MANIFEST, TensorIndex.NAME));
    files.addAll(check.files());
    return files;
  }

  private static BatchWritePlan batches(Settings settings, WriteContext context)
      throws IOException {
    TableShape table = context.table();
    Long asked = settings.get(SafetensorsKeys.BATCH_SIZE);
    long batch = asked == null ? BatchWritePlan.defaultExamplesPerShard(table) : asked;
    BatchWritePlan.Tail tail = settings.get(SafetensorsKeys.TAIL);
    return new BatchWritePlan(
        table.withExamples(BatchWritePlan.written(table.examples(), batch, tail)),
        settings.get(SafetensorsKeys.COLUMNS),
        batch,
        tail,
        settings.get(SafetensorsKeys.ALIGNMENT).intValue(),
        context.provenance(),
        labels(context),
        context.tokenArrays());
  }

  private static KeyedWritePlan keyed(Settings settings, WriteContext context) throws IOException {
    TableShape table = context.table();
    Columns columns = settings.get(SafetensorsKeys.COLUMNS);
    String separator = settings.get(SafetensorsKeys.SEPARATOR);
    int alignment = settings.get(SafetensorsKeys.ALIGNMENT).intValue();
    LabelSource labels = labels(context);
    ExampleIds ids = context.ids().orElseGet(() -> ExampleIds.numbers(table.examples()));
    long perShard =
        KeyedWritePlan.examplesPerShard(
            table,
            columns,
            separator,
            ids,
            context.provenance(),
            labels,
            alignment,
            settings.get(SafetensorsKeys.SHARD_MB) * MIB,
            settings.get(SafetensorsKeys.HEADER_BYTES));
    return new KeyedWritePlan(
        table, columns, separator, ids, perShard, alignment, context.provenance(), labels);
  }

  /**
   * Returns the labels. Columns of types other than F32 can be layers too, and their patches can
   * have labels.
   */
  private static @Nullable LabelSource labels(WriteContext context) throws IOException {
    Geometry geometry = context.geometry();
    Geometry written = geometry == null ? layers(context.table()) : geometry;
    return written == null ? null : context.labels(written).orElse(null);
  }

  private static @Nullable Geometry layers(TableShape table) {
    List<Long> block = table.columns().get(0).shape();
    if (block.size() != 2
        || !table.columns().stream()
            .allMatch(c -> c.name().startsWith(Geometry.LAYER_PREFIX) && c.shape().equals(block))) {
      return null;
    }
    int tokens = Math.toIntExact(block.get(0));
    int dim = Math.toIntExact(block.get(1));
    return tokens == 0 || dim == 0
        ? null
        : new Geometry(table.examples(), table.columnIds(), tokens, dim);
  }
}
