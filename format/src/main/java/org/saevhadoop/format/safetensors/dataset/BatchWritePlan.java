package org.saevhadoop.format.safetensors.dataset;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.PlainShardSinks;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.safetensors.header.EncodedHeader;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenCopy;

/**
 * Write plan of a dataset of safetensors files in the batch layout of safetensors-spark, with its
 * manifest.
 *
 * @param table the shape of the dataset, without the examples dropped by {@link Tail#DROP}
 * @param columns the assignment of the columns to tensors
 * @param examplesPerShard the number of examples per file
 * @param tail the treatment of an incomplete last file
 * @param alignment the alignment of the data in a file, in bytes
 * @param provenance the documents for the metadata of the files
 * @param labels the patch labels, written to a tensor {@code labels} of shape {@code [n, patch]} in
 *     each file; null if there are none
 * @param tokens the per-token integers, with each array written to an I64 tensor of shape {@code
 *     [n, token]} in each file; they come before the columns, whose types must not be I64 or U64
 */
public record BatchWritePlan(
    TableShape table,
    Columns columns,
    long examplesPerShard,
    Tail tail,
    int alignment,
    Provenance provenance,
    @Nullable LabelSource labels,
    TokenArrays tokens)
    implements TensorWritePlan {
  /** Assignment of activations to tensors. */
  public enum Columns {
    /** One tensor {@code layer_<l>} of shape {@code [n, token, dim]} per layer. */
    LAYERS,
    /** One tensor {@code acts} of shape {@code [n, layer, token, dim]}. */
    ACTS,
    /**
     * One tensor {@code layer_<l>} of shape {@code [n, dim]} per layer; examples have one token.
     */
    ROWS;

    /** Returns a column as it is written; for ROWS, without the token dimension. */
    Column shaped(Column column) {
      List<Long> shape = column.shape();
      if (this != ROWS) {
        return column;
      }
      return new Column(column.name(), column.dtype(), shape.subList(1, shape.size()));
    }
  }

  /** Treatment of the last examples if they do not fill a file (as in safetensors-spark). */
  public enum Tail {
    /** Writes a shorter file. */
    WRITE,
    DROP,
    /** Fills the file with examples that contain only zeros. */
    PAD
  }

  /** Approximate file size in bytes if the number of examples is not configured. */
  private static final long DEFAULT_SHARD_BYTES = 1L << 30;

  /**
   * Returns whether a table can be written as {@link Columns#ROWS}, that is, whether it contains
   * activations with one token per example.
   */
  public static boolean mayBeRows(TableShape table) {
    List<Long> shape = table.columns().get(0).shape();
    return FileColumns.isActivations(table) && shape.size() == 2 && shape.get(0) == 1;
  }

  /** Returns whether per-token integers come before the columns of a table. */
  public static boolean mayHaveTokens(TableShape table) {
    return FileColumns.isActivations(table)
        && table.columns().get(0).dtype().compareTo(DType.I64) < 0;
  }

  /** Returns the number of examples in about 1 GiB. */
  public static long defaultExamplesPerShard(TableShape table) {
    return Math.max(1, DEFAULT_SHARD_BYTES / Math.max(1, table.exampleBytes()));
  }

  /** Returns the number of examples that are written. */
  public static long written(long examples, long examplesPerShard, Tail tail) {
    return tail == Tail.DROP ? examples - examples % examplesPerShard : examples;
  }

  /**
   * Returns the complete description of the write.
   *
   * @param sampleMetadata the sample metadata of the examples
   */
  public DatasetWrite write(SampleMetadata sampleMetadata) {
    return new DatasetWrite(this, new PlainShardSinks(this, sampleMetadata), this);
  }

  @Override
  public BlockOrder order() {
    if (columns == Columns.ACTS) {
      return BlockOrder.byExample(table);
    }
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < table.columns().size(); i++) {
      positions.put(table.columns().get(i).name(), i);
    }
    return new BlockOrder(
        true,
        header(0).tensors().stream()
            .filter(tensor -> !isLabels(tensor) && !tokens.names().contains(tensor.name()))
            .map(tensor -> positions.get(tensor.name()))
            .toList());
  }

  /**
   * Returns at least 1: a dataset without examples has one file too, because its tensors define the
   * columns.
   */
  @Override
  public long shardCount() {
    return Math.max(1, TensorWritePlan.super.shardCount());
  }

  @Override
  public long paddedExamples() {
    long last = shardCount() - 1;
    return rows(last) - examples(last);
  }

  @Override
  public ShardPlan shard(long index) {
    EncodedHeader encoded = header(index);
    long length = encoded.fileBytes();
    long first = index * examplesPerShard;
    ShardPlan.Scattered scattered = scattered(index, encoded);
    boolean labelsFollow = labels != null && (scattered == null || scattered.filler() == null);
    return new ShardPlan(
        shardName(index),
        first,
        examples(index),
        encoded.toByteArray(),
        length,
        scattered,
        labelsFollow
            ? out -> {
              copyLabels(first, examples(index), out);
              out.extendTo(length);
            }
            : null,
        tokens.isEmpty() ? null : lead(index));
  }

  /** Returns the per-token integers, whose tensors come first in a file. */
  private ShardPlan.Lead lead(long index) {
    List<Integer> order =
        schema().stream()
            .map(tensor -> tokens.names().indexOf(tensor.name()))
            .filter(array -> array >= 0)
            .toList();
    long bytes = rows(index) * tokens.tokens() * Long.BYTES * order.size();
    return new ShardPlan.Lead(
        bytes,
        out -> {
          for (int array : order) {
            TokenCopy.copy(tokens, array, index * examplesPerShard, examples(index), out);
            TokenCopy.pad(tokens, rows(index) - examples(index), out);
          }
        });
  }

  /**
   * Returns null unless padding may separate the blocks or labels precede blocks, which is possible
   * for U8 and smaller dtypes.
   */
  private ShardPlan.@Nullable Scattered scattered(long index, EncodedHeader encoded) {
    int start = encoded.bytes().remaining();
    Map<String, TensorInfo> tensors = new HashMap<>();
    encoded.tensors().forEach(tensor -> tensors.put(tensor.name(), tensor));
    FileColumns file = FileColumns.of(table, columns);
    long[] base = new long[file.columns().size()];
    long[] stride = new long[base.length];
    long end = start;
    for (int i = 0; i < base.length; i++) {
      TensorInfo tensor = Objects.requireNonNull(tensors.get(file.columns().get(i).name()));
      base[i] = start + tensor.begin();
      stride[i] = file.columns().get(i).bytes();
      end = Math.max(end, start + tensor.end());
    }
    TensorInfo labelled = labels == null ? null : tensors.get(Column.LABELS);
    long labelsBegin = labelled == null ? end : start + labelled.begin();
    if (labelsBegin >= end && rows(index) == examples(index)) {
      return null;
    }
    return new ShardPlan.Scattered(
        file.placement(BlockOffsets.strided(base, stride)),
        end,
        labelsBegin >= end
            ? null
            : at -> copyLabels(index * examplesPerShard, examples(index), at.apply(labelsBegin)));
  }

  @Override
  public List<Object> identity() {
    return List.of(FileMetadata.identity(table), columns, examplesPerShard, tail);
  }

  @Override
  public long rows(long index) {
    return tail == Tail.PAD && examples(index) > 0 ? examplesPerShard : examples(index);
  }

  @Override
  public List<TensorInfo> schema() {
    return header(0).tensors();
  }

  private EncodedHeader header(long index) {
    long n = Math.max(0, rows(index));
    List<TensorSpec> tensors = new ArrayList<>();
    List<Column> all = FileColumns.withLabels(table, columns, labels);
    all.addAll(FileColumns.ofTokens(tokens, columns));
    for (Column column : all) {
      List<Long> shape = new ArrayList<>(column.shape());
      shape.add(0, n);
      tensors.add(new TensorSpec(column.name(), column.dtype(), shape));
    }
    Map<String, String> metadata =
        FileMetadata.of(provenance, table, columns, index * examplesPerShard);
    if (!tokens.isEmpty()) {
      metadata.put(ActivationColumns.TOKEN_ARRAYS_KEY, String.join(",", tokens.names()));
    }
    if (n > examples(index)) {
      metadata.put(TensorFiles.PADDING_KEY, Long.toString(n - examples(index)));
    }
    return SafetensorsHeader.encode(tensors, metadata, alignment);
  }

  private boolean isLabels(TensorInfo tensor) {
    return labels != null && tensor.name().equals(Column.LABELS);
  }
}
