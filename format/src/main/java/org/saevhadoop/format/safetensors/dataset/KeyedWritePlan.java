package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.PlainShardSinks;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.header.EncodedHeader;
import org.saevhadoop.format.safetensors.header.JsonString;
import org.saevhadoop.format.safetensors.header.JsonText;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.samples.SampleMetadata;

/**
 * Write plan of a dataset of safetensors files in the key-value layout, with a tensor {@code
 * <id><separator><column>} for each example and column.
 *
 * @param table the shape of the dataset
 * @param columns the assignment of the columns to tensors
 * @param separator the separator between id and column
 * @param examplesPerShard the number of examples per file; see {@link #examplesPerShard(TableShape,
 *     Columns, String, ExampleIds, Provenance, LabelSource, int, long, long)}
 * @param alignment the alignment of the data in a file, in bytes
 * @param provenance the documents for the metadata of the files
 * @param labels the patch labels, written to a column {@code labels}; null if there are none
 */
public record KeyedWritePlan(
    TableShape table,
    Columns columns,
    String separator,
    ExampleIds ids,
    long examplesPerShard,
    int alignment,
    Provenance provenance,
    @Nullable LabelSource labels)
    implements TensorWritePlan {
  /** Size of {@code "":{"dtype":"","shape":[],"data_offsets":[,]},} with the name of a dtype. */
  private static final int ENTRY_BYTES = 64;

  private static final int NUMBER_BYTES = 20;

  /**
   * Total size of the length field before the header and of {@code __metadata__} without its
   * values.
   */
  private static final int METADATA_BYTES = 256;

  public KeyedWritePlan {
    if (table.examples() == 0) {
      throw new IllegalArgumentException(
          "a dataset without examples has no keys, so its columns would be lost (expected the"
              + " batch layout, without --kv)");
    }
    if (separator.isEmpty()) {
      throw new IllegalArgumentException("the separator of keys is empty");
    }
    for (Column column : FileColumns.withLabels(table, columns, labels)) {
      if ((separator + column.name()).lastIndexOf(separator) != 0) {
        throw new IllegalArgumentException(
            ("column %s could not be distinguished from its key's id (expected a separator other"
                    + " than %s)")
                .formatted(JsonText.show(column.name()), separator));
      }
    }
  }

  /**
   * Returns the number of examples per file, at least 1, with which both the data and the header
   * stay within their limits.
   *
   * @param shardBytes the maximum size of a file in bytes
   * @param headerBytes the maximum size of its header in bytes
   */
  public static long examplesPerShard(
      TableShape table,
      Columns columns,
      String separator,
      ExampleIds ids,
      Provenance provenance,
      @Nullable LabelSource labels,
      int alignment,
      long shardBytes,
      long headerBytes)
      throws IOException {
    long metadata = METADATA_BYTES + separator.length() * 6L;
    for (String value : FileMetadata.of(provenance, table, columns, table.examples()).values()) {
      metadata += JsonString.quoted(value).length;
    }
    long header = 0;
    for (Column column : FileColumns.withLabels(table, columns, labels)) {
      header +=
          ENTRY_BYTES
              + ids.maxBytes()
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
   * Returns the complete description of the write.
   *
   * @param sampleMetadata the sample metadata of the examples
   */
  public DatasetWrite write(SampleMetadata sampleMetadata) {
    return new DatasetWrite(this, new PlainShardSinks(this, sampleMetadata, this::readOrder), this);
  }

  /**
   * Returns the order of the blocks, example by example. Layers in separate tensors are in the
   * order used by the reference.
   */
  @Override
  public BlockOrder order() {
    List<Integer> order = new ArrayList<>(BlockOrder.byExample(table).columns());
    if (columns != Columns.ACTS) {
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
  public List<String> names(long index) {
    return List.of(shardName(index));
  }

  @Override
  public ShardPlan shard(long index) {
    Shard shard = new Shard(index);
    byte[] header = shard.encoded.toByteArray();
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
   * Returns the plan index of each example in file {@code index}, in the order in which readers
   * find the examples (see {@link KeyedFile}); null if both orders are equal.
   */
  int @Nullable [] readOrder(long index) {
    return new Shard(index).readOrder();
  }

  @Override
  public List<Object> identity() {
    return List.of("kv", FileMetadata.identity(table), columns, separator, examplesPerShard);
  }

  @Override
  public long rows(long index) {
    return examples(index);
  }

  /** Returns null: a schema with every tensor would be as large as all headers. */
  @Override
  public @Nullable List<TensorInfo> schema() {
    return null;
  }

  /** One file: its keys and the offsets of their tensors in the order of the reference. */
  private final class Shard {
    private final long first;
    private final long examples;
    private final List<Column> all = FileColumns.withLabels(table, columns, labels);
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
      Map<String, String> metadata = FileMetadata.of(provenance, table, columns, first);
      metadata.put(SafetensorsTable.LAYOUT_KEY, TensorLayout.KV.toString());
      metadata.put(SafetensorsTable.SEPARATOR_KEY, separator);
      this.encoded = SafetensorsHeader.encode(specs, metadata, alignment);
      encoded.tensors().forEach(tensor -> tensors.put(tensor.name(), tensor));
    }

    /**
     * Returns the scattered form; null if the tensors are contiguous and in the order of the
     * blocks.
     */
    ShardPlan.@Nullable Scattered scattered(int start) {
      FileColumns file = FileColumns.of(table, columns);
      int width = file.columns().size();
      long[] begins = new long[names.size() * width];
      for (int i = 0; i < names.size(); i++) {
        for (int c = 0; c < width; c++) {
          begins[i * width + c] = begin(names.get(i), file.columns().get(c));
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

    /**
     * Returns whether labels precede a block in the order of the reference, which is the case for
     * U8 and smaller dtypes.
     */
    boolean labelsAreAmongBlocks() {
      long blockBytes = names.size() * table.exampleBytes();
      return labels != null && names.stream().anyMatch(id -> labelsBegin(id) < blockBytes);
    }

    private long begin(String id, Column column) {
      return Objects.requireNonNull(tensors.get(key(id, column))).begin();
    }

    private long labelsBegin(String id) {
      return begin(id, all.get(all.size() - 1));
    }

    private void fillLabels(int start, LongFunction<Output> at) throws IOException {
      for (int i = 0; i < names.size(); i++) {
        copyLabels(first + i, 1, at.apply(start + labelsBegin(names.get(i))));
      }
    }

    /**
     * Returns the order in which readers find the examples; null if it is the order of the plan.
     */
    int @Nullable [] readOrder() {
      Map<String, Integer> positions = new HashMap<>();
      for (int i = 0; i < names.size(); i++) {
        positions.put(names.get(i), i);
      }
      Stream<String> found =
          names.stream().allMatch(KeyedFile::isNumber)
              ? names.stream().sorted(Comparator.comparingLong(Long::parseLong))
              : encoded.tensors().stream()
                  .map(tensor -> tensor.name().substring(0, tensor.name().lastIndexOf(separator)))
                  .distinct();
      int[] order = found.mapToInt(positions::get).toArray();
      return Arrays.equals(order, IntStream.range(0, order.length).toArray()) ? null : order;
    }

    /** Appends the labels if they all follow the blocks. */
    void writeLabels(Output out) throws IOException {
      List<Integer> order = new ArrayList<>(IntStream.range(0, names.size()).boxed().toList());
      order.sort(Comparator.comparingLong(i -> labelsBegin(names.get(i))));
      for (int i : order) {
        copyLabels(first + i, 1, out);
      }
      out.extendTo(encoded.fileBytes());
    }
  }
}
