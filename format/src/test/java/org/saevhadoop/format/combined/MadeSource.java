package org.saevhadoop.format.combined;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.saevhadoop.format.Datasets;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.ListedMetadata;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.numpy.dataset.NpyWritePlan;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.dataset.KeyedWritePlan;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;
import org.saevhadoop.format.tokens.TokenSampleMetadata;

/**
 * A dataset in files whose every value is computed from its coordinates, or a part of it.
 *
 * @param salt distinguishes the values of datasets
 * @param stored the shape of the files
 * @param examples the numbers of the examples of the part
 * @param columns the places of the layers of the part
 * @param tokens the numbers of the tokens of the part
 */
record MadeSource(
    Path path,
    int salt,
    Geometry stored,
    List<Integer> examples,
    List<Integer> columns,
    List<Integer> tokens) {
  /** How a dataset is stored. */
  enum Storage {
    NPY,
    TENSOR_PER_LAYER,
    ONE_TENSOR,
    KEYS
  }

  /**
   * What belongs to examples. Names are those of the examples of a dataset, which others may have,
   * too.
   */
  record Side(boolean labels, boolean tokens, boolean samples, String names) {}

  /** Returns a whole dataset. */
  static MadeSource of(Path path, int salt, Geometry stored) {
    return new MadeSource(
        path,
        salt,
        stored,
        range((int) stored.examples()),
        range(stored.layers().size()),
        range(stored.tokens()));
  }

  static List<Integer> range(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  MadeSource part(List<Integer> ofExamples, List<Integer> ofColumns, List<Integer> ofTokens) {
    return new MadeSource(
        path,
        salt,
        stored,
        ofExamples.stream().map(examples::get).toList(),
        ofColumns.stream().map(columns::get).toList(),
        ofTokens.stream().map(tokens::get).toList());
  }

  List<Integer> layers() {
    return columns.stream().map(stored.layers()::get).toList();
  }

  /** Returns the number at a coordinate of the part, which all types hold. */
  private static float value(int salt, int layer, long example, int token, int dim) {
    return (salt * 31L + layer * 7L + example * 13 + token * 5L + dim) % 199 - 99;
  }

  /** Returns the vector at a coordinate of the part. */
  ByteBuffer vector(int example, int layer, int token, DType type) {
    ByteBuffer values = ByteBuffer.allocate(4 * stored.dim()).order(ByteOrder.LITTLE_ENDIAN);
    for (int dim = 0; dim < stored.dim(); dim++) {
      values.putFloat(value(salt, layer, examples.get(example), tokens.get(token), dim));
    }
    ByteBuffer vector = ByteBuffer.allocate(stored.dim() * type.bits() / 8);
    DTypeConversion.of(DType.F32, type).convert(values.flip(), vector);
    return vector.flip();
  }

  private ByteBuffer block(int example, int column) {
    ByteBuffer block = ByteBuffer.allocate((int) stored.blockBytes());
    MadeSource whole = of(path, salt, stored);
    for (int token = 0; token < stored.tokens(); token++) {
      block.put(whole.vector(example, stored.layers().get(column), token, stored.dtype()));
    }
    return block.flip();
  }

  /** Numbers the tokens of all examples; some are padding. */
  private record Numbered(int tokens) implements TokenArrays {
    @Override
    public List<String> names() {
      return List.of("token_ids");
    }

    @Override
    public TokenReader open() {
      return new TokenReader() {
        @Override
        public void read(int array, long first, LongBuffer dst) {
          for (long next = first * tokens; dst.hasRemaining(); next++) {
            dst.put(next % 5 == 4 ? PADDING : next);
          }
        }

        @Override
        public void close() {}
      };
    }
  }

  /** Ids of examples, in the order of their names. */
  private record Names(String prefix) implements ExampleIds {
    @Override
    public List<String> ids(long first, long count) {
      return LongStream.range(first, first + count)
          .mapToObj(example -> prefix + (1000 + example))
          .toList();
    }

    @Override
    public int maxBytes() {
      return prefix.length() + 4;
    }

    @Override
    public boolean areNumbers() {
      return false;
    }
  }

  /** Writes the whole dataset. */
  void write(Storage storage, int perFile, Side side) throws IOException {
    int patches = stored.tokens() - salt % 2; // one less if token 0 is [CLS]
    LabelSource labels =
        side.labels
            ? LabelSource.of(new InventedDataset(stored, false, 5).withLabels(patches), stored)
            : null;
    SampleMetadata samples =
        side.samples
            ? new ListedMetadata(
                IntStream.range(0, (int) stored.examples())
                    .filter(example -> example % 3 < 2)
                    .mapToObj(example -> new ExampleMetadata(example, "{\"n\": " + example + "}"))
                    .toList())
            : SampleMetadata.NONE;
    TokenArrays integers = side.tokens ? new Numbered(stored.tokens()) : TokenArrays.NONE;
    DatasetWrite write =
        switch (storage) {
          case NPY ->
              new NpyWritePlan(stored.table(), perFile, Provenance.NONE, labels, integers)
                  .write(samples);
          case TENSOR_PER_LAYER -> batch(Columns.LAYERS, perFile, labels, integers).write(samples);
          case ONE_TENSOR -> batch(Columns.ACTS, perFile, labels, integers).write(samples);
          case KEYS ->
              new KeyedWritePlan(
                      stored.table(),
                      Columns.LAYERS,
                      "/",
                      new Names(side.names),
                      perFile,
                      8,
                      Provenance.NONE,
                      labels)
                  .write(
                      side.tokens
                          ? new TokenSampleMetadata(
                              samples, integers, path.toString(), stored.examples())
                          : samples);
        };
    write(write);
  }

  private BatchWritePlan batch(
      Columns columns, int perFile, LabelSource labels, TokenArrays integers) {
    return new BatchWritePlan(
        stored.table(), columns, perFile, Tail.WRITE, 8, Provenance.NONE, labels, integers);
  }

  private void write(DatasetWrite write) throws IOException {
    Files.createDirectories(path);
    LocalFolder folder = new LocalFolder(path);
    WritePlan plan = write.plan();
    for (long i = 0; i < plan.shardCount(); i++) {
      ShardPlan shard = plan.shard(i);
      long blocks = shard.examples() * plan.table().columns().size();
      try (BlockSink sink = write.sinks().open(i, false, folder, path)) {
        for (long ordinal = 0; ordinal < blocks; ordinal++) {
          long example = shard.first() + plan.order().indexInGroup(ordinal, shard.examples());
          int column = plan.order().column(ordinal, shard.examples());
          sink.write(example, column, block((int) example, column));
        }
      }
    }
    InventedFiles.writeDocuments(write.finisher(), folder);
  }

  /** Opens the part. */
  TableDataset open() throws IOException {
    TableDataset whole = Datasets.open(path).asActivations();
    List<Integer> opened = whole.table().columnIds();
    return new Projection(
            layers().stream().map(opened::indexOf).toList(), ranges(examples), ranges(tokens))
        .of(whole);
  }

  CombinedSource source() throws IOException {
    return CombinedSource.of(path.toString(), "sum" + salt, this::open);
  }

  static List<IndexRange> ranges(List<Integer> numbers) {
    return numbers.stream().map(number -> new IndexRange(number, number + 1)).toList();
  }

  /** Returns the ids of all examples; their numbers if there are no ids. */
  static List<String> ids(TableDataset dataset) throws IOException {
    long examples = dataset.table().examples();
    Optional<ExampleIds> ids = dataset.ids();
    return ids.orElse(ExampleIds.numbers(examples)).ids(0, examples);
  }
}
