package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.tensor.DType;

/** What parquet-java reads of our index, and what we read of its. */
// parquet-java holds the encodings of the last writer in a static field
@Isolated
class ForeignIndexTest {
  private static final long NONE = TensorIndexEntry.UNKNOWN;

  @TempDir Path folder;

  private static List<TensorIndexEntry> unplaced() {
    List<TensorIndexEntry> entries = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      List<Long> shape = i % 7 == 0 ? List.of() : List.of((long) i, 3L);
      DType dtype = DType.values()[i % DType.values().length];
      String file = "part-" + i / 1000 + ".safetensors";
      entries.add(new TensorIndexEntry(Entries.key(i), file, dtype, shape, NONE, NONE, NONE));
    }
    return entries;
  }

  @Test
  void parquetJavaReadsWhatWeWrite() throws IOException {
    List<TensorIndexEntry> entries = IntStream.range(0, 5000).mapToObj(Entries::of).toList();
    Entries.write(folder, entries);
    assertThat(Foreign.read(folder))
        .isEqualTo(
            entries.stream()
                .map(
                    e ->
                        "%s %s %s %s %d %d %d"
                            .formatted(
                                e.key(),
                                e.file(),
                                e.shape(),
                                e.dtype(),
                                e.begin(),
                                e.end(),
                                e.headerBytes()))
                .toList());
  }

  @Test
  void theSchemaIsThatOfSparkAndThreeColumnsMore() throws IOException {
    Entries.write(folder, List.of(Entries.of(0)));
    try (ParquetFileReader reader =
        ParquetFileReader.open(new LocalInputFile(folder.resolve(TensorIndex.NAME)))) {
      assertThat(reader.getFileMetaData().getSchema().toString())
          .isEqualTo(
              """
              message spark_schema {
                required binary tensor_key (STRING);
                required binary file_name (STRING);
                required group shape (LIST) {
                  repeated group list {
                    optional int32 element;
                  }
                }
                required binary dtype (STRING);
                required int64 begin;
                required int64 end;
                required int64 header_bytes;
              }
              """);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UNCOMPRESSED", "SNAPPY", "GZIP"})
  void codecsAreRead(String codec) throws IOException {
    Foreign.write(folder, Foreign.SPARK, codec, unplaced());
    assertRead();
  }

  @Test
  void nullableColumnsAndOldListsAreRead() throws IOException {
    String schema =
        Foreign.SPARK
            .replace("required binary", "optional binary")
            .replace("required group", "optional group")
            .replace("group list", "group bag")
            .replace("int32 element", "int32 array");
    Foreign.write(folder, schema, "SNAPPY", unplaced());
    assertRead();
  }

  @Test
  void manyRowGroupsAndPagesWithoutDictionaryAreRead() throws IOException {
    Foreign.write(
        folder,
        Foreign.SPARK,
        "SNAPPY",
        unplaced(),
        builder ->
            builder
                .withDictionaryEncoding(false)
                .withRowGroupSize(10_000L)
                .withPageRowCountLimit(100)
                .withStatisticsEnabled(false));
    assertRead();
  }

  @Test
  void anUnknownEncodingIsNamed() throws IOException {
    Foreign.write(
        folder,
        Foreign.SPARK,
        "SNAPPY",
        unplaced(),
        builder ->
            builder.withWriterVersion(WriterVersion.PARQUET_2_0).withDictionaryEncoding(false));
    try (TensorIndex index = Entries.open(folder)) {
      assertFails(
          ParquetError.UNSUPPORTED_PARQUET, TensorIndex.NAME, () -> index.find(Entries.key(3)));
    }
  }

  private void assertRead() throws IOException {
    List<TensorIndexEntry> expected = unplaced();
    try (TensorIndex index = Entries.open(folder)) {
      assertThat(Entries.all(index)).isEqualTo(expected);
      for (int i = 0; i < expected.size(); i += 311) {
        assertThat(index.find(Entries.key(i))).contains(expected.get(i));
      }
      assertThat(index.find("x")).isEmpty();
    }
  }
}
