package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.index.TensorIndex;

/** Broken files are told in one line, whatever they ask for. */
class BrokenIndexTest {
  @TempDir Path folder;

  private byte[] sound() throws IOException {
    Path own = Files.createDirectory(folder.resolve("sound"));
    Entries.write(own, IntStream.range(0, 3000).mapToObj(Entries::of).toList());
    return Files.readAllBytes(own.resolve(TensorIndex.NAME));
  }

  private static byte[] sparks() throws IOException {
    Path index = Corpus.part("safetensors-spark").resolve("kv_index").resolve(TensorIndex.NAME);
    try (Stream<Path> files = Files.list(index)) {
      return Files.readAllBytes(
          files.filter(f -> f.toString().endsWith(".parquet")).sorted().findFirst().orElseThrow());
    }
  }

  /** Reads all that there is; true where the file passed for sound. */
  private boolean readsOrSaysWhy(byte[] bytes) throws IOException {
    Files.write(folder.resolve(TensorIndex.NAME), bytes);
    try (TensorIndex index = Entries.open(folder)) {
      index.find(Entries.key(1500), 10);
      index.find("id00001__emb", 10);
      index.forEach(entry -> {});
      return true;
    } catch (FormatException e) {
      assertThat(e.getMessage())
          .startsWith(folder.resolve(TensorIndex.NAME) + ": ")
          .doesNotContain("\n");
      return false;
    }
  }

  @Test
  void aTruncatedFileIsAnError() throws IOException {
    byte[] bytes = sound();
    for (int length = 0; length < bytes.length; length += length < 100 ? 1 : 997) {
      assertThat(readsOrSaysWhy(Arrays.copyOf(bytes, length))).isFalse();
    }
    assertThat(readsOrSaysWhy(bytes)).isTrue();
  }

  @Test
  void noiseIsAnError() throws IOException {
    Random random = new Random(3);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(500)];
      random.nextBytes(bytes);
      assertThat(readsOrSaysWhy(bytes)).isFalse();
    }
  }

  @Test
  @RequiresCorpus
  void anyChangedByteOfSparksIndexIsReadOrAnError() throws IOException {
    byte[] bytes = sparks();
    Random random = new Random(4);
    int footer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
    for (int i = 0; i < 1500; i++) {
      byte[] changed = bytes.clone();
      // mostly where lengths and offsets are
      int from = i % 4 == 0 ? 0 : bytes.length - footer - 8;
      for (int k = 0; k < 1 + i % 3; k++) {
        int at = from + random.nextInt(bytes.length - from);
        changed[at] = (byte) (i % 2 == 0 ? -1 : random.nextInt());
      }
      readsOrSaysWhy(changed);
    }
  }

  @Test
  void aFooterOfUnlikelyLengthTakesNoMemory() throws IOException {
    byte[] bytes = sound();
    for (int length : new int[] {Integer.MAX_VALUE, -1, 0, bytes.length - 11, 256 << 20}) {
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.length - 8, length);
      assertThat(readsOrSaysWhy(bytes)).isFalse();
    }
  }

  @Test
  void anotherTableIsNoIndex() throws IOException {
    Foreign.write(folder, "message m { required binary id (STRING); }", "UNCOMPRESSED", List.of());
    assertFails(ParquetError.NO_INDEX, TensorIndex.NAME, () -> Entries.open(folder));
  }

  @Test
  void columnsOfOtherTypesAreNoIndex() throws IOException {
    Foreign.write(
        folder, Foreign.SPARK.replace("binary dtype (STRING)", "int32 dtype"), "SNAPPY", List.of());
    assertFails(ParquetError.NO_INDEX, TensorIndex.NAME, () -> Entries.open(folder));
  }
}
