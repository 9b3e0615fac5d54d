package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.format.safetensors.index.TensorIndexBuilder;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/**
 * Changed bits of an index are reported by the check, or all keys are found nevertheless; nothing
 * takes longer than a second.
 */
@Isolated
@Tag("sampled")
class IndexMutationTest {
  private static final int KEYS = 12;
  private static final int MAX_CHANGES = 4;

  /** Ways to write the index. */
  enum Written {
    /** By this project: one page per column, with offsets. */
    BY_US,
    /** Several row groups of several pages, with dictionaries. */
    IN_PAGES,
    /** Without compression and dictionaries, so that a flip changes a value. */
    PLAIN,
    /** Compressed with gzip, without bounds. */
    GZIP
  }

  @TempDir static Path directory;
  private static final List<MutableIndex> DATASETS = new ArrayList<>();

  @BeforeAll
  static void writeDatasets() throws IOException {
    DATASETS.clear();
    for (Written written : Written.values()) {
      Path folder = Files.createDirectory(directory.resolve(written.name()));
      write(folder, written);
      DATASETS.add(new MutableIndex(folder));
    }
  }

  private static void write(Path path, Written written) throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      names.add("%03d__x".formatted(i));
    }
    SmallFile.ofThree(
        path.resolve("a.safetensors"), names.subList(0, KEYS / 2).toArray(String[]::new));
    SmallFile.ofThree(
        path.resolve("b.safetensors"), names.subList(KEYS / 2, KEYS).toArray(String[]::new));
    Folder folder = new LocalFolder(path);
    TensorIndexBuilder.write(
        folder, List.of("a.safetensors", "b.safetensors"), folder.create(TensorIndex.NAME));
    if (written != Written.BY_US) {
      try (TensorIndex index = Entries.open(path)) {
        Foreign.write(path, Foreign.SPARK, codec(written), Entries.all(index), options(written));
      }
    }
  }

  private static String codec(Written written) {
    return switch (written) {
      case PLAIN -> "UNCOMPRESSED";
      case GZIP -> "GZIP";
      default -> "SNAPPY";
    };
  }

  private static UnaryOperator<ExampleParquetWriter.Builder> options(Written written) {
    return switch (written) {
      case IN_PAGES ->
          builder ->
              builder
                  .withRowGroupSize(1L)
                  .withMinRowCountForPageSizeCheck(10)
                  .withMaxRowCountForPageSizeCheck(10)
                  .withPageRowCountLimit(5);
      case PLAIN ->
          builder ->
              builder
                  .withDictionaryEncoding(false)
                  .withPageRowCountLimit(8)
                  .withPageWriteChecksumEnabled(false);
      default -> builder -> builder.withStatisticsEnabled(false).withPageRowCountLimit(8);
    };
  }

  @ParameterizedTest
  @EnumSource(
      value = Written.class,
      names = {"BY_US", "IN_PAGES", "PLAIN"})
  void eachFlippedBitIsNoticedOrAllKeysAreFound(Written written) throws IOException {
    MutableIndex dataset = DATASETS.get(written.ordinal());
    assertThat(dataset.isNoticedOrHarmless(dataset.sound())).isFalse();
    int noticed = 0;
    byte[] bytes = dataset.sound();
    int step = TestExtent.of(7, 1); // each bit of a byte in turn
    for (int bit = 0; bit < bytes.length * Byte.SIZE; bit += step) {
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      noticed += isNoticedOrHarmless(dataset, bytes, "bit " + bit) ? 1 : 0;
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
    }
    assertThat(noticed).isGreaterThan(bytes.length * Byte.SIZE / step / 3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 200_000, 3_800_000})
  void equalKeysAreNoticed(int rows) throws IOException {
    String key = "000__x";
    for (String file : List.of("a.safetensors", "c.safetensors")) {
      byte[] bomb = new IndexForge().pad(rows / 31).equalRows(key, file, rows, 1).file();
      assertThat(DATASETS.get(0).isNoticedOrHarmless(bomb)).isTrue();
    }
  }

  @Property(tries = 50_000, sample = 3000)
  void changedBytesAreNoticedOrAllKeysAreFound(RandomValues any) throws IOException {
    MutableIndex dataset = DATASETS.get(any.random().nextInt(DATASETS.size()));
    isNoticedOrHarmless(dataset, mutate(dataset.sound(), any), "seed " + any.seed());
  }

  private static boolean isNoticedOrHarmless(MutableIndex dataset, byte[] bytes, String what) {
    try {
      return dataset.isNoticedOrHarmless(bytes);
    } catch (AssertionError | RuntimeException | IOException e) {
      throw new AssertionError(what, e);
    }
  }

  private static byte[] mutate(byte[] sound, RandomValues any) {
    byte[] bytes = sound;
    int footer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
    for (int i = any.random().nextInt(MAX_CHANGES); i >= 0; i--) {
      int from = any.random().nextBoolean() ? 0 : bytes.length - footer - 8;
      int at = Math.max(0, from) + any.random().nextInt(bytes.length - Math.max(0, from));
      int other = any.random().nextInt(bytes.length);
      switch (any.random().nextInt(6)) {
        case 0 -> bytes[at] ^= (byte) (1 << any.random().nextInt(Byte.SIZE));
        case 1 -> bytes[at] = (byte) any.random().nextInt();
        case 2 -> bytes[at] = (byte) (any.random().nextBoolean() ? 0x7f : 0xff);
        case 3 -> {
          int length = Math.min(1 + any.random().nextInt(16), bytes.length - Math.max(at, other));
          System.arraycopy(sound.clone(), other, bytes, at, length);
        }
        case 4 -> Arrays.fill(bytes, at, Math.min(at + 5, bytes.length), (byte) 0xff);
        default -> bytes[at] += (byte) (any.random().nextBoolean() ? 1 : -1);
      }
    }
    return bytes;
  }
}
