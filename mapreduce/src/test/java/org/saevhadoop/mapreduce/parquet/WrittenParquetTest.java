package org.saevhadoop.mapreduce.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.write.PageCompression;
import org.saevhadoop.format.parquet.write.ParquetWritePlan;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.TokenRange;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/** Parquet files as parquet-java reads them. */
class WrittenParquetTest {
  private static final List<Integer> LAYERS = List.of(13, 21);
  private static final int TOKENS = 3;
  private static final int EXAMPLES = 7;
  private static final String SAMPLE = "{\"text\": \"ä\"}";

  @TempDir Path directory;

  /** Token ids that are 100 for token 0 of example 0, and so on. */
  private static final TokenArrays TOKEN_IDS =
      new TokenArrays() {
        @Override
        public List<String> names() {
          return List.of("token_ids");
        }

        @Override
        public int tokens() {
          return TOKENS;
        }

        @Override
        public TokenReader open() {
          return new TokenReader() {
            @Override
            public void read(int array, long first, LongBuffer dst) {
              for (long i = first * TOKENS; dst.hasRemaining(); i++) {
                dst.put(100 + i);
              }
            }

            @Override
            public void close() {}
          };
        }
      };

  /** Metadata of all examples but 1 and 2: 0 has two of its tokens, and 3 to 6 are one sample. */
  private static final SampleMetadata SAMPLES =
      (first, count) -> {
        List<TokenRange> some = List.of(new TokenRange(1, 2), new TokenRange(5, 7));
        Iterator<ExampleMetadata> all =
            List.of(
                    new ExampleMetadata(0, SAMPLE).withTokens(some),
                    new ExampleMetadata(3, 4, 8, "{}"))
                .iterator();
        return () -> {
          ExampleMetadata next = null;
          while (next == null && all.hasNext()) {
            next = all.next().part(first, first + Math.min(count, EXAMPLES));
          }
          return next;
        };
      };

  private static Geometry geometry(int dim, DType dtype) {
    return new Geometry(EXAMPLES, LAYERS, TOKENS, dim, dtype);
  }

  private static ParquetWritePlan plan(
      Geometry geometry, long perFile, long groupBytes, boolean bits, PageCompression compression) {
    return plan(RowUnit.VECTOR, geometry, perFile, groupBytes, bits, compression);
  }

  private static ParquetWritePlan plan(
      RowUnit unit,
      Geometry geometry,
      long perFile,
      long groupBytes,
      boolean bits,
      PageCompression compression) {
    return new ParquetWritePlan(
        geometry,
        perFile,
        groupBytes,
        unit,
        bits,
        compression,
        new Provenance(new TreeMap<>()).with("saev.metadata", "{}"),
        null,
        TokenArrays.NONE,
        null,
        SampleMetadata.NONE);
  }

  /** Returns any bits, among them those of NaN. */
  private static ByteBuffer block(Geometry geometry, long example, int column) {
    byte[] block = new byte[(int) geometry.blockBytes()];
    new Random(example * 10 + column).nextBytes(block);
    ByteBuffer bytes = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    if (geometry.dtype() == DType.F32) {
      bytes.putInt(0, 0x7fc0_0000 | (int) example + 1);
    }
    return bytes;
  }

  private void write(DatasetWrite write, Geometry geometry) throws IOException {
    LocalFolder folder = new LocalFolder(directory);
    for (long file = 0; file < write.plan().shardCount(); file++) {
      long first = file * write.plan().examplesPerShard();
      try (BlockSink sink = write.sinks().open(file, false, folder, directory)) {
        long examples = write.plan().examples(file);
        BlockOrder order = write.plan().order();
        for (long i = 0; i < examples * LAYERS.size(); i++) {
          long example = first + order.indexInGroup(i, examples);
          int column = order.column(i, examples);
          sink.write(example, column, block(geometry, example, column));
        }
      }
    }
    write.sinks().close();
    InventedFiles.writeDocuments(write.finisher(), folder);
  }

  private void read(String file, FilterCompat.Filter filter, Consumer<Group> rows)
      throws IOException {
    try (ParquetReader<Group> reader =
        new GroupReader(directory.resolve(file)).withFilter(filter).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        rows.accept(row);
      }
    }
  }

  private ParquetFileReader open(String file) throws IOException {
    return ParquetFileReader.open(new LocalInputFile(directory.resolve(file)));
  }

  /** Returns the values of a vector in the bytes of their type. */
  private static ByteBuffer vector(Group row, Geometry geometry) {
    if (row.getType().getType("vector").isPrimitive()) {
      return row.getBinary("vector", 0).toByteBuffer();
    }
    return list(row.getGroup("vector", 0), geometry);
  }

  private static ByteBuffer list(Group list, Geometry geometry) {
    ByteBuffer values = ByteBuffer.allocate(geometry.vectorBytes()).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(list.getFieldRepetitionCount(0)).isEqualTo(geometry.dim());
    for (int i = 0; i < geometry.dim(); i++) {
      Group element = list.getGroup(0, i);
      switch (geometry.dtype()) {
        case F32 -> values.putFloat(element.getFloat(0, 0));
        case F64 -> values.putDouble(element.getDouble(0, 0));
        case I32 -> values.putInt(element.getInteger(0, 0));
        default -> values.putLong(element.getLong(0, 0));
      }
    }
    return values.flip();
  }

  @ParameterizedTest
  @CsvSource({
    "F32, false, 5, 7, 1000000, NONE, 2",
    "F32, false, 5, 3, 264, NONE, 4",
    "F32, false, 1, 7, 1, GZIP, 14",
    "F32, false, 8, 2, 1000, GZIP, 2",
    "F64, false, 140000, 7, 10000000, NONE, 8",
    "F64, false, 2, 7, 260, NONE, 8",
    "I32, false, 200, 7, 100000, NONE, 2",
    "I64, false, 3, 7, 100000, NONE, 2",
    "BF16, true, 5, 7, 204, NONE, 8",
    "F16, true, 5, 7, 100000, GZIP, 2",
    "F32, true, 3, 4, 100000, NONE, 2",
  })
  void allRowsAreReadBitForBit(
      DType dtype,
      boolean bits,
      int dim,
      int perFile,
      long groupBytes,
      PageCompression compression,
      int groups)
      throws IOException {
    Geometry geometry = geometry(dim, dtype);
    write(plan(geometry, perFile, groupBytes, bits, compression).write(), geometry);
    for (int file = 0; file * perFile < EXAMPLES; file++) {
      int first = file * perFile;
      int blocks = Math.min(perFile, EXAMPLES - first);
      AtomicInteger at = new AtomicInteger();
      read(
          "part-0000" + file + ".parquet",
          FilterCompat.NOOP,
          row -> check(row, geometry, blocks, first, at.getAndIncrement()));
      assertThat(at).hasValue(LAYERS.size() * blocks * TOKENS);
    }
    try (ParquetFileReader reader = open("part-00000.parquet")) {
      assertThat(reader.getRowGroups()).hasSize(groups);
    }
  }

  private static void check(Group row, Geometry geometry, int blocks, int first, int index) {
    int column = index / TOKENS / blocks;
    int example = first + index / TOKENS % blocks;
    int token = index % TOKENS;
    assertThat(row.getLong("example", 0)).isEqualTo(example);
    assertThat(row.getInteger("layer", 0)).isEqualTo(LAYERS.get(column));
    assertThat(row.getInteger("token", 0)).isEqualTo(token);
    int bytes = geometry.vectorBytes();
    assertThat(vector(row, geometry))
        .isEqualTo(block(geometry, example, column).slice(token * bytes, bytes));
  }

  /** Rows that fit into pages, and rows that are longer than one. */
  @ParameterizedTest
  @CsvSource({
    "F32, false, 5, 7, 1000000, NONE, 1",
    "F32, false, 5, 3, 500, NONE, 2",
    "F32, false, 1, 7, 1, GZIP, 7",
    "F64, false, 45000, 7, 6000000, NONE, 4",
    "F32, true, 300000, 7, 10000000, NONE, 7",
    "F64, false, 2, 7, 400, NONE, 4",
    "I32, false, 200, 7, 100000, NONE, 1",
    "I64, false, 1, 7, 100000, NONE, 1",
    "BF16, true, 5, 7, 300, NONE, 4",
    "F16, true, 200000, 7, 100000, GZIP, 7",
    "I64, true, 1, 4, 100000, NONE, 1",
  })
  void examplesAreReadBitForBit(
      DType dtype,
      boolean bits,
      int dim,
      int perFile,
      long groupBytes,
      PageCompression compression,
      int groups)
      throws IOException {
    Geometry geometry = geometry(dim, dtype);
    write(
        plan(RowUnit.EXAMPLE, geometry, perFile, groupBytes, bits, compression).write(), geometry);
    AtomicInteger example = new AtomicInteger();
    for (int file = 0; file * perFile < EXAMPLES; file++) {
      read(
          "part-0000" + file + ".parquet",
          FilterCompat.NOOP,
          row -> checkExample(row, geometry, example.getAndIncrement()));
    }
    assertThat(example).hasValue(EXAMPLES);
    try (ParquetFileReader reader = open("part-00000.parquet")) {
      assertThat(reader.getRowGroups()).hasSize(groups);
      for (BlockMetaData group : reader.getRowGroups()) {
        long end = group.getStartingPos();
        for (ColumnChunkMetaData chunk : group.getColumns()) {
          assertThat(chunk.getStartingPos()).isEqualTo(end);
          end += chunk.getTotalSize();
        }
      }
    }
  }

  private static void checkExample(Group row, Geometry geometry, int example) {
    assertThat(row.getLong("example", 0)).isEqualTo(example);
    int bytes = geometry.vectorBytes();
    for (int column = 0; column < LAYERS.size(); column++) {
      Group tokens = row.getGroup("layer_" + LAYERS.get(column), 0);
      assertThat(tokens.getFieldRepetitionCount(0)).isEqualTo(TOKENS);
      for (int token = 0; token < TOKENS; token++) {
        Group element = tokens.getGroup(0, token);
        ByteBuffer vector =
            element.getType().getType(0).isPrimitive()
                ? element.getBinary(0, 0).toByteBuffer()
                : list(element.getGroup(0, 0), geometry);
        assertThat(vector).isEqualTo(block(geometry, example, column).slice(token * bytes, bytes));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 300, 1_000_000})
  void listsOfExamplesHaveWhatTokensHave(long groupBytes) throws IOException {
    Geometry geometry = geometry(2, DType.F32);
    InventedDataset labelled = new InventedDataset(geometry, false, 5).withLabels(TOKENS - 1);
    write(
        new ParquetWritePlan(
                geometry,
                5,
                groupBytes,
                RowUnit.EXAMPLE,
                false,
                PageCompression.NONE,
                Provenance.NONE,
                LabelSource.of(labelled, geometry),
                TOKEN_IDS,
                null,
                SAMPLES)
            .write(),
        geometry);
    List<Group> rows = new ArrayList<>();
    read("part-00000.parquet", FilterCompat.NOOP, rows::add);
    read("part-00001.parquet", FilterCompat.NOOP, rows::add);
    assertThat(rows).hasSize(EXAMPLES);
    for (int example = 0; example < EXAMPLES; example++) {
      Group row = rows.get(example);
      boolean sampled = example != 1 && example != 2;
      assertThat(row.getFieldRepetitionCount("sample")).isEqualTo(sampled ? 1 : 0);
      for (int token = 0; token < TOKENS; token++) {
        int label = token == 0 ? -1 : labelled.labels(example, 1)[token - 1] & 0xff;
        assertThat(row.getGroup("label", 0).getGroup(0, token).getInteger(0, 0)).isEqualTo(label);
        assertThat(row.getGroup("token_ids", 0).getGroup(0, token).getLong(0, 0))
            .isEqualTo(100 + example * TOKENS + token);
        int position = example == 0 ? List.of(1, 5, 6).get(token) : sampled ? example + 5 : -1;
        assertThat(row.getGroup("position", 0).getGroup(0, token).getLong(0, 0))
            .isEqualTo(position);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 200, 1_000_000})
  void labelsTokensAndSamplesAreColumns(long groupBytes) throws IOException {
    Geometry geometry = geometry(2, DType.F32);
    ParquetWritePlan bare = plan(geometry, 5, groupBytes, false, PageCompression.GZIP);
    InventedDataset labelled = new InventedDataset(geometry, false, 5).withLabels(TOKENS - 1);
    write(
        new ParquetWritePlan(
                geometry,
                5,
                bare.groupBytes(),
                RowUnit.VECTOR,
                false,
                PageCompression.GZIP,
                bare.provenance(),
                LabelSource.of(labelled, geometry),
                TOKEN_IDS,
                null,
                SAMPLES)
            .write(),
        geometry);
    assertThat(labelled.labelsOpen()).isZero();
    List<Group> rows = new ArrayList<>();
    read("part-00000.parquet", FilterCompat.NOOP, rows::add);
    read("part-00001.parquet", FilterCompat.NOOP, rows::add);
    assertThat(rows).hasSize(EXAMPLES * TOKENS * LAYERS.size());
    for (Group row : rows) {
      int example = (int) row.getLong("example", 0);
      int token = row.getInteger("token", 0);
      assertThat(row.getFieldRepetitionCount("label")).isEqualTo(token == 0 ? 0 : 1);
      if (token > 0) {
        assertThat(row.getInteger("label", 0))
            .isEqualTo(labelled.labels(example, 1)[token - 1] & 0xff);
      }
      assertThat(row.getLong("token_ids", 0)).isEqualTo(100 + example * TOKENS + token);
      boolean sampled = example != 1 && example != 2;
      assertThat(row.getFieldRepetitionCount("sample")).isEqualTo(sampled ? 1 : 0);
      assertThat(row.getFieldRepetitionCount("position")).isEqualTo(sampled ? 1 : 0);
      if (sampled) {
        assertThat(row.getString("sample", 0)).isEqualTo(example == 0 ? SAMPLE : "{}");
        assertThat(row.getLong("position", 0))
            .isEqualTo(example == 0 ? List.of(1, 5, 6).get(token) : example + 5);
      }
    }
  }

  @Test
  void predicatesSkipRowGroupsAndPages() throws IOException {
    Geometry geometry = geometry(100_000, DType.F32);
    write(plan(geometry, EXAMPLES, 4_000_000, false, PageCompression.NONE).write(), geometry);
    String file = "part-00000.parquet";
    FilterPredicate layer = FilterApi.eq(FilterApi.intColumn("layer"), 21);
    FilterPredicate example = FilterApi.eq(FilterApi.longColumn("example"), 4L);
    List<Long> found = new ArrayList<>();
    read(
        file,
        FilterCompat.get(FilterApi.and(layer, example)),
        row -> found.add(row.getLong("example", 0)));
    assertThat(found).containsExactly(4L, 4L, 4L);
    try (ParquetFileReader reader = open(file)) {
      for (BlockMetaData group : reader.getRowGroups()) {
        assertThat(group.getTotalByteSize()).isLessThan(4_000_000);
        for (ColumnChunkMetaData chunk : group.getColumns()) {
          boolean isVector = chunk.getPath().size() > 1;
          assertThat(reader.readOffsetIndex(chunk).getPageCount())
              .isEqualTo(isVector ? (int) (group.getRowCount() + 1) / 2 : 1);
          assertThat(reader.readColumnIndex(chunk) == null).isEqualTo(isVector);
        }
      }
    }
  }

  @Test
  void aDatasetWithoutExamplesHasASchemaAndItsShape() throws IOException {
    Geometry none = geometry(2, DType.F32).withExamples(0);
    write(plan(none, 1, 1, false, PageCompression.NONE).write(), none);
    for (String file : List.of("part-00000.parquet", "_common_metadata")) {
      try (ParquetFileReader reader = open(file)) {
        assertThat(reader.getRecordCount()).isZero();
        assertThat(reader.getFileMetaData().getKeyValueMetaData())
            .containsEntry(
                "saev.shape",
                "{\"examples\": 0, \"layers\": [13, 21], \"tokens\": 3, \"patches\": 0, \"dim\": 2, \"dtype\":"
                    + " \"F32\"}")
            .containsEntry("saev.vector.type", "F32")
            .containsEntry("saev.metadata", "{}")
            .containsKey("ARROW:schema");
      }
    }
  }
}
