package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.PlainShardSinks;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.header.EncodedHeader;
import org.saevhadoop.format.safetensors.header.JsonString;
import org.saevhadoop.format.safetensors.header.JsonText;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tensor.DType;

/**
 * A dataset of safetensors files to be written in the key-value layout: a tensor {@code
 * <id><separator><column>} for each example and column.
 *
 * @param table the dataset's shape
 * @param columns which tensors hold activations
 * @param separator between id and column
 * @param ids of the examples
 * @param examplesPerShard examples a file, see {@link #examplesPerShard(Table, Columns, String,
 *     RowIds, Provenance, LabelSource, int, long, long)}
 * @param alignment the data of a file begins at a multiple of so many bytes
 * @param provenance what travels in the files' metadata
 * @param labels the patches' labels, which become a column {@code labels}; null without
 */
public record KeyedWritePlan(
    TableShape table,
    Columns columns,
    String separator,
    RowIds ids,
    long examplesPerShard,
    int alignment,
    Provenance provenance,
    LabelSource labels)
    implements WritePlan, DatasetFinisher {
  /** {@code "":{"dtype":"","shape":[],"data_offsets":[,]},} and a dtype's name. */
  private static final int ENTRY_BYTES = 64;

  private static final int NUMBER_BYTES = 20;

  /** The length before the header, and all of {@code __metadata__} but its values. */
  private static final int METADATA_BYTES = 256;

  public KeyedWritePlan {
    if (table.examples() == 0) {
      throw new IllegalArgumentException(
          "a dataset without examples has no keys, which alone tell its columns (expected the batch"
              + " layout, without --kv)");
    }
    if (separator.isEmpty()) {
      throw new IllegalArgumentException("the separator of keys is empty");
    }
    for (Column column : fileColumns(table, columns, labels)) {
      if ((separator + column.name()).lastIndexOf(separator) != 0) {
        throw new IllegalArgumentException(
            "column %s could not be told from its key's id (expected another separator than %s)"
                .formatted(JsonText.show(column.name()), separator));
      }
    }
  }

  /**
   * Examples a file, so that neither its data nor its header grows too large; at least one.
   *
   * @param shardBytes bytes that a file should have at most
   * @param headerBytes bytes that its header should have at most
   */
  public static long examplesPerShard(
      TableShape table,
      Columns columns,
      String separator,
      RowIds ids,
      Provenance provenance,
      LabelSource labels,
      int alignment,
      long shardBytes,
      long headerBytes) {
    long metadata = METADATA_BYTES + separator.length() * 6L;
    for (String value : FileMetadata.of(provenance, table, table.examples()).values()) {
      metadata += JsonString.quoted(value).length;
    }
    long header = 0;
    for (Column column : fileColumns(table, columns, labels)) {
      header +=
          ENTRY_BYTES
              + ids.longest()
              + JsonString.quoted(separator + column.name()).length
              + (long) column.shape().size() * NUMBER_BYTES
              + 2L * Long.toString(shardBytes).length();
    }
    long patches = labels == null ? 0 : labels.patches();
    long byHeader = (headerBytes - metadata - alignment) / header;
    long byData = shardBytes / (table.exampleBytes() + patches + header);
    return Math.max(1, Math.min(byHeader, byData));
  }

  /**
   * Returns everything that is needed to write the dataset.
   *
   * @param attributes of the examples
   */
  public DatasetWrite write(SampleMetadata attributes) {
    return new DatasetWrite(this, new PlainShardSinks(this, attributes, this::readOrder), this);
  }

  /** By example; layers with tensors of their own in the reference's order of these. */
  @Override
  public BlockOrder order() {
    List<Integer> order = new ArrayList<>(BlockOrder.byExample(table).columns());
    if (columns == Columns.LAYERS) {
      order.sort(Comparator.comparing(i -> spec("", table.columns().get(i)), TensorSpec.CANONICAL));
    }
    return new BlockOrder(false, order);
  }

  private TensorSpec spec(String id, Column column) {
    return new TensorSpec(key(id, column), column.dtype(), column.shape());
  }

  private String key(String id, Column column) {
    return id + separator + column.name();
  }

  @Override
  public String shardName(long index) {
    return "part-%05d-0000-%s%s".formatted(index, uuid(), SafetensorsTable.SUFFIX);
  }

  @Override
  public ShardPlan shard(long index) {
    Shard shard = new Shard(index);
    byte[] header = new byte[shard.encoded.bytes().remaining()];
    shard.encoded.bytes().get(header);
    return new ShardPlan(
        shardName(index),
        shard.first,
        shard.examples,
        header,
        shard.encoded.fileBytes(),
        shard.scattered(header.length),
        labels == null || shard.labelsAreAmongBlocks()
            ? null
            : out -> new Shard(index).writeLabels(out));
  }

  /**
   * Returns the place in the plan of the example that readers of file {@code index} find first,
   * second, ..., as {@link KeyedFile} orders ids; null where they are numbered as in the plan.
   */
  int[] readOrder(long index) {
    return new Shard(index).readOrder();
  }

  /** A manifest without schema: one that lists every tensor has the size of all headers. */
  @Override
  public List<Document> documents(Folder written) {
    List<DatasetManifest.Entry> shards = new ArrayList<>();
    for (long i = 0; i < shardCount(); i++) {
      ShardPlan plan = shard(i);
      shards.add(new DatasetManifest.Entry(plan.name(), plan.examples(), plan.length()));
    }
    try {
      byte[] text = new DatasetManifest(shards).text(null);
      return List.of(new Document(DatasetManifest.FILE, text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Column> fileColumns(TableShape table, Columns columns, LabelSource labels) {
    List<Column> all = new ArrayList<>(FileColumns.of(table, columns).columns());
    if (labels != null) {
      List<Long> shape = List.of((long) labels.patches());
      all.add(new Column(ActivationColumns.LABELS_NAME, DType.U8, shape));
    }
    return all;
  }

  private UUID uuid() {
    String identity =
        String.join(
            "|",
            "kv",
            table.toString(),
            columns.toString(),
            separator,
            Long.toString(examplesPerShard),
            Integer.toString(alignment),
            FileMetadata.identity(provenance),
            labels == null ? "" : "labels " + labels.patches());
    return UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
  }

  /** One file: its keys and where the reference's order puts their tensors. */
  private final class Shard {
    private final long first;
    private final long examples;
    private final List<Column> all = fileColumns(table, columns, labels);
    private final List<String> names;
    private final EncodedHeader encoded;
    private final Map<String, TensorInfo> tensors = new HashMap<>();

    Shard(long index) {
      this.first = index * examplesPerShard;
      this.examples = examples(index);
      try {
        this.names = ids.ids(first, examples);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      List<TensorSpec> specs = new ArrayList<>();
      for (String name : names) {
        for (Column column : all) {
          specs.add(spec(name, column));
        }
      }
      Map<String, String> metadata = FileMetadata.of(provenance, table, first);
      metadata.put(SafetensorsTable.LAYOUT_KEY, TensorLayout.KV.toString());
      metadata.put(SafetensorsTable.SEPARATOR_KEY, separator);
      this.encoded = SafetensorsHeader.encode(specs, metadata, alignment);
      encoded.tensors().forEach(tensor -> tensors.put(tensor.name(), tensor));
    }

    /** Null where the tensors follow one another as the blocks arrive. */
    ShardPlan.Scattered scattered(int start) {
      FileColumns file = FileColumns.of(table, columns);
      int width = file.columns().size();
      long[] begins = new long[names.size() * width];
      for (int i = 0; i < names.size(); i++) {
        for (int c = 0; c < width; c++) {
          begins[i * width + c] = tensors.get(key(names.get(i), file.columns().get(c))).begin();
        }
      }
      BlockOffsets blocks =
          file.placement((index, column) -> start + begins[(int) index * width + column]);
      long next = start;
      boolean inOrder = true;
      List<Integer> order = order().columns();
      for (long i = 0; i < names.size(); i++) {
        for (int c : order) {
          inOrder &= blocks.offset(i, c) == next;
          next += table.blockBytes(c);
        }
      }
      if (inOrder) {
        return null;
      }
      return labelsAreAmongBlocks()
          ? new ShardPlan.Scattered(
              blocks,
              encoded.fileBytes(),
              at -> new Shard(first / examplesPerShard).fillLabels(start, at))
          : new ShardPlan.Scattered(blocks, next, null);
    }

    /** Whether the reference's order has labels before a block: where that is U8 or less. */
    boolean labelsAreAmongBlocks() {
      long blockBytes = names.size() * table.exampleBytes();
      return labels != null && names.stream().anyMatch(id -> labelsBegin(id) < blockBytes);
    }

    private long labelsBegin(String id) {
      return tensors.get(key(id, all.get(all.size() - 1))).begin();
    }

    private void fillLabels(int start, LongFunction<Output> at) throws IOException {
      for (int i = 0; i < names.size(); i++) {
        labels.copy(first + i, 1, at.apply(start + labelsBegin(names.get(i))));
      }
    }

    /** Null where readers find the examples in their own order. */
    int[] readOrder() {
      Map<String, Integer> places = new HashMap<>();
      for (int i = 0; i < names.size(); i++) {
        places.put(names.get(i), i);
      }
      Stream<String> found =
          names.stream().allMatch(KeyedFile::isNumber)
              ? names.stream().sorted(Comparator.comparingLong(Long::parseLong))
              : encoded.tensors().stream()
                  .map(tensor -> tensor.name().substring(0, tensor.name().lastIndexOf(separator)))
                  .distinct();
      int[] order = found.mapToInt(places::get).toArray();
      return Arrays.equals(order, IntStream.range(0, order.length).toArray()) ? null : order;
    }

    /** Appends labels that all follow the blocks. */
    void writeLabels(Output out) throws IOException {
      for (long example : labelOrder()) {
        labels.copy(example, 1, out);
      }
      out.extendTo(encoded.fileBytes());
    }

    /** The examples in the order of their labels' tensors. */
    List<Long> labelOrder() {
      return IntStream.range(0, names.size())
          .boxed()
          .sorted(Comparator.comparingLong(i -> labelsBegin(names.get(i))))
          .map(i -> first + i)
          .toList();
    }
  }
}
