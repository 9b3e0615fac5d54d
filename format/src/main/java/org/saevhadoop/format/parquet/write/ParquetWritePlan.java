package org.saevhadoop.format.parquet.write;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.PlainShardSinks;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.parquet.write.ColumnSchema.Form;
import org.saevhadoop.format.parquet.write.ColumnSchema.Physical;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tokens.TokenArrays;

/**
 * Write plan of a dataset of Parquet files.
 *
 * @param geometry the shape and the type of the vectors
 * @param groupBytes the maximum size of a row group, excluding labels, per-token integers and
 *     sample metadata, unless one example is larger
 * @param unit whether a row is a vector or an example
 * @param bits whether vectors are stored as bytes instead of lists of numbers
 * @param labels the patch labels; null for none
 * @param ids the ids of the examples; null if the examples are only numbered
 * @param sampleMetadata the sample metadata; {@link SampleMetadata#NONE} for none
 */
public record ParquetWritePlan(
    Geometry geometry,
    long examplesPerShard,
    long groupBytes,
    RowUnit unit,
    boolean bits,
    PageCompression compression,
    Provenance provenance,
    @Nullable LabelSource labels,
    TokenArrays tokens,
    @Nullable ExampleIds ids,
    SampleMetadata sampleMetadata)
    implements WritePlan, DatasetFinisher {
  /**
   * The file with the schema and the metadata of all files, which completes a dataset. Spark and
   * other programs recognize the name and do not read rows from the file.
   */
  public static final String SUMMARY = "_common_metadata";

  /** The names of data files. */
  public static final Pattern FILE = Pattern.compile("part-[0-9]{5,}\\.parquet");

  /** Metadata key of the shape, which is stored as JSON. */
  public static final String SHAPE_KEY = "saev.shape";

  /** Metadata key of the type of the vector values. */
  static final String TYPE_KEY = "saev.vector.type";

  /** The column names that per-token integers must not use. */
  public static final Set<String> COLUMNS =
      Set.of("example", "layer", "token", "vector", "label", "id", "sample", "position", "whole");

  static final String VECTOR = "vector";

  /** Number of bytes of a row in addition to its vector: example, layer, token, and list levels. */
  private static final int KEY_BYTES = 24;

  /** The default size of row groups in bytes. */
  public static final long GROUP_BYTES = 128L << 20;

  /** Returns the complete description of the write. */
  public DatasetWrite write() {
    PlainShardSinks sinks =
        new PlainShardSinks(
            this,
            SampleMetadata.NONE,
            (shard, index, folder, local) ->
                new ParquetSink(this, shard, folder.create(shard.name()), local));
    return new DatasetWrite(this, sinks, this);
  }

  @Override
  public TableShape table() {
    return geometry.table();
  }

  @Override
  public BlockOrder order() {
    return unit == RowUnit.VECTOR ? BlockOrder.byColumn(table()) : BlockOrder.byExample(table());
  }

  /**
   * Returns at least 1, because even a dataset without examples has a file that defines its
   * columns.
   */
  @Override
  public long shardCount() {
    return Math.max(1, WritePlan.super.shardCount());
  }

  @Override
  public boolean isCompressed() {
    return compression != PageCompression.NONE;
  }

  @Override
  public ShardPlan shard(long index) {
    return new ShardPlan(
        shardName(index),
        index * examplesPerShard,
        examples(index),
        new byte[0],
        ShardPlan.UNKNOWN);
  }

  @Override
  public long expectedBytes(long index) {
    return isCompressed() || hasSamples() || ids != null
        ? ShardPlan.UNKNOWN
        : new ExpectedLength(this, footer().emptyBytes()).of(examples(index));
  }

  @Override
  public String shardName(long index) {
    int digits = Math.max(5, Long.toString(shardCount() - 1).length());
    return ("part-%0" + digits + "d.parquet").formatted(index);
  }

  /** Returns the number of examples in a full row group. */
  long groupExamples() {
    long vectors = unit == RowUnit.VECTOR ? geometry.blockBytes() : geometry.exampleBytes();
    return Math.max(1, groupBytes / (vectors + (long) geometry.tokens() * KEY_BYTES));
  }

  /** Returns the number of rows per example in a row group. */
  int exampleRows() {
    return unit == RowUnit.VECTOR ? geometry.tokens() : 1;
  }

  /** Returns the schema of a column with one integer per token. */
  ColumnSchema ofTokens(String name, Physical type, Form form) {
    return unit == RowUnit.VECTOR
        ? new ColumnSchema(name, type, form)
        : new ColumnSchema(name, type, List.of(geometry.tokens()));
  }

  boolean hasSamples() {
    return sampleMetadata != SampleMetadata.NONE;
  }

  /** Returns the column of the vectors of a layer. */
  ColumnSchema vector(int column) {
    List<Integer> lists = new ArrayList<>();
    String name = VECTOR;
    if (unit == RowUnit.EXAMPLE) {
      lists.add(geometry.tokens());
      name = Geometry.LAYER_PREFIX + geometry.layers().get(column);
    }
    if (bits) {
      return new ColumnSchema(name, Physical.FIXED, Form.REQUIRED, lists, geometry.vectorBytes());
    }
    lists.add(geometry.dim());
    Physical type =
        switch (geometry.dtype()) {
          case F32 -> Physical.FLOAT;
          case F64 -> Physical.DOUBLE;
          case I32 -> Physical.INT32;
          case I64 -> Physical.INT64;
          default -> throw new IllegalArgumentException("lists of " + geometry.dtype());
        };
    return new ColumnSchema(name, type, lists);
  }

  /** Returns the columns of vectors. */
  List<ColumnSchema> vectors() {
    int columns = unit == RowUnit.VECTOR ? 1 : geometry.layers().size();
    return IntStream.range(0, columns).mapToObj(this::vector).toList();
  }

  /** Returns the integer columns, without the columns of sample metadata. */
  List<ColumnSchema> integers() {
    List<ColumnSchema> columns = new ArrayList<>(RowColumns.keySchema(unit));
    columns.addAll(RowColumns.schema(this));
    return columns;
  }

  private List<ColumnSchema> columns() {
    List<ColumnSchema> columns = new ArrayList<>(RowColumns.keySchema(unit));
    columns.addAll(vectors());
    columns.addAll(RowColumns.schema(this));
    if (ids != null) {
      columns.add(IdColumn.SCHEMA);
    }
    if (hasSamples()) {
      columns.addAll(SampleColumns.schema(this));
    }
    return columns;
  }

  FileFooter footer() {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put(SHAPE_KEY, shape());
    metadata.put(TYPE_KEY, geometry.dtype().name());
    metadata.putAll(provenance.documents());
    metadata.put(ArrowSchemaText.KEY, ArrowSchemaText.text(columns()));
    return new FileFooter(columns(), metadata);
  }

  private String shape() {
    return "{\"examples\": %d, \"layers\": %s, \"tokens\": %d, \"patches\": %d, \"dim\": %d, \"dtype\": \"%s\"}"
        .formatted(
            geometry.examples(),
            geometry.layers(),
            geometry.tokens(),
            labels == null ? 0 : labels.patches(),
            geometry.dim(),
            geometry.dtype());
  }

  @Override
  public List<Document> documents(Folder written) {
    return List.of(
        new Document(
            SUMMARY,
            out -> {
              out.write(ByteBuffer.wrap(FileFooter.MAGIC));
              footer().write(List.of(), out);
            }));
  }
}
