package org.saevhadoop.format.numpy.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;

/**
 * Write plan of a dataset of .npy files, with one file for each column and part.
 *
 * @param table the shape of the dataset, whose columns have numpy types and names that {@link
 *     #isFileName} accepts
 * @param examplesPerShard the number of examples in a part
 * @param labels the patch labels; null for none
 * @param tokens the per-token integers
 */
public record NpyWritePlan(
    TableShape table,
    long examplesPerShard,
    Provenance provenance,
    @Nullable LabelSource labels,
    TokenArrays tokens)
    implements WritePlan, DatasetFinisher {
  static final String SUFFIX = ".npy";
  static final String LABELS = "labels";

  /** Maximum number of files that are written at the same time. */
  private static final int MAX_OPEN = 16;

  /** Minimum number of digits in a part number, as in the file names of other formats. */
  private static final int PART_DIGITS = 5;

  private record ColumnPlan(NpyWritePlan whole, int column) implements WritePlan {
    @Override
    public TableShape table() {
      return new TableShape(whole.table.examples(), List.of(whole.table.columns().get(column)));
    }

    @Override
    public BlockOrder order() {
      return BlockOrder.byColumn(table());
    }

    @Override
    public long examplesPerShard() {
      return whole.examplesPerShard;
    }

    @Override
    public long shardCount() {
      return whole.shardCount();
    }

    @Override
    public ShardPlan shard(long index) {
      return whole.file(whole.table.columns().get(column), index);
    }
  }

  /** Returns the number of examples for which the file of any column fits in {@code maxBytes}. */
  public static long examplesPerFile(TableShape table, long maxBytes) {
    long largest = table.columns().stream().mapToLong(Column::bytes).max().orElse(1);
    return Math.max(1, maxBytes / Math.max(1, largest));
  }

  /** Returns whether the file of a column with this name is distinct from all other files. */
  public static boolean isFileName(String column) {
    return column.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
        && !column.matches(".*\\.[0-9]+")
        && !column.equals(LABELS);
  }

  /** Returns the complete description of the write. */
  public DatasetWrite write(SampleMetadata sampleMetadata) {
    return new DatasetWrite(this, new ColumnSinks(this, sampleMetadata), this);
  }

  @Override
  public BlockOrder order() {
    return BlockOrder.byColumn(table);
  }

  /** Returns at least 1: the files of a dataset without examples define its columns. */
  @Override
  public long shardCount() {
    return Math.max(1, WritePlan.super.shardCount());
  }

  @Override
  public boolean isPlain() {
    return table.columns().size() <= MAX_OPEN;
  }

  /** Returns the first file of a part. */
  @Override
  public ShardPlan shard(long index) {
    return column(0).shard(index);
  }

  @Override
  public String shardName(long index) {
    return fileName(table.columns().get(0).name(), index);
  }

  WritePlan column(int column) {
    return new ColumnPlan(this, column);
  }

  private String fileName(String array, long index) {
    return fileName(array, index, shardCount());
  }

  /**
   * Returns the name of a file of a part; the alphabetical order of names is the order of parts.
   */
  static String fileName(String array, long index, long parts) {
    String zeros = "0".repeat(Math.max(PART_DIGITS, digits(parts - 1)) - digits(index));
    return array + (parts == 1 ? "" : "." + zeros + index) + SUFFIX;
  }

  private static int digits(long number) {
    return Long.toString(number).length();
  }

  /**
   * Returns the files of all columns of a part, then the files of labels and per-token integers.
   */
  @Override
  public List<ShardPlan> files(long index) {
    List<ShardPlan> files = new ArrayList<>();
    for (int column = 0; column < table.columns().size(); column++) {
      files.add(column(column).shard(index));
    }
    if (labels != null) {
      files.add(labelsFile(index, labels));
    }
    tokens.names().forEach(name -> files.add(tokensFile(index, name)));
    return files;
  }

  /** Returns the file of a token array of a part. */
  ShardPlan tokensFile(long index, String name) {
    return file(new Column(name, DType.I64, List.of((long) tokens.tokens())), index);
  }

  /** Returns the file of the labels of a part. */
  ShardPlan labelsFile(long index, LabelSource source) {
    return file(new Column(LABELS, DType.U8, List.of((long) source.patches())), index);
  }

  private ShardPlan file(Column array, long index) {
    long n = examples(index);
    byte[] header = header(NumpyType.of(array.dtype()).orElseThrow(), n, array.shape());
    long length = header.length + n * array.bytes();
    return new ShardPlan(
        fileName(array.name(), index), index * examplesPerShard, n, header, length);
  }

  private static byte[] header(NumpyType type, long examples, List<Long> shape) {
    List<Long> sizes = new ArrayList<>(shape);
    sizes.add(0, examples);
    try {
      return NpyHeader.encode(SUFFIX, type, false, sizes);
    } catch (FormatException e) {
      throw new UncheckedIOException("the dimensions were checked before", e);
    }
  }

  @Override
  public List<Document> documents(Folder written) throws IOException {
    return List.of(new Document(ArraysDocument.NAME, document().text()));
  }

  private ArraysDocument document() {
    return new ArraysDocument(
        table, LongStream.range(0, shardCount()).mapToObj(this::part).toList(), provenance);
  }

  private ArraysDocument.Part part(long index) {
    List<String> files =
        IntStream.range(0, table.columns().size())
            .mapToObj(column -> fileName(table.columns().get(column).name(), index))
            .toList();
    return new ArraysDocument.Part(
        examples(index),
        files,
        labels == null ? null : fileName(LABELS, index),
        tokens.names().stream()
            .collect(
                Collectors.toMap(
                    Function.identity(),
                    name -> fileName(name, index),
                    (a, b) -> a,
                    LinkedHashMap::new)));
  }
}
