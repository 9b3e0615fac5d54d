package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.safetensors.index.TensorIndexError;
import org.saevhadoop.format.tensor.DType;

class TensorIndexLookupTest {
  private static final int MANY = 200_000;

  @TempDir static Path many;

  @BeforeAll
  static void write() throws IOException {
    Entries.write(many, () -> IntStream.range(0, MANY).mapToObj(Entries::of).iterator());
  }

  @Test
  void aLookupAmongManyEntriesReadsLittle() throws IOException {
    Random random = new Random(1);
    for (int k = 0; k < 50; k++) {
      int i = k < 2 ? k * (MANY - 1) : random.nextInt(MANY);
      MemoryStorage folder = MemoryStorage.copyOf(new LocalFolder(many));
      try (TensorIndex index = TensorIndex.open(folder)) {
        assertThat(folder.reads()).hasSize(1);
        assertThat(index.find(Entries.key(i))).contains(Entries.of(i));
      }
      assertThat(folder.reads()).hasSizeLessThanOrEqualTo(8);
      assertThat(folder.bytesRead()).isLessThan(600_000);
    }
  }

  @Test
  void aKeyThatIsNotThereCostsThePageWhereItWouldBe() throws IOException {
    MemoryStorage folder = MemoryStorage.copyOf(new LocalFolder(many));
    try (TensorIndex index = TensorIndex.open(folder)) {
      assertThat(index.find(Entries.key(77_777) + "x")).isEmpty();
      assertThat(folder.reads()).hasSizeLessThanOrEqualTo(3);
      folder.reads().clear();
      assertThat(index.find("after all")).isEmpty();
      assertThat(folder.reads()).isEmpty();
    }
  }

  @Test
  void aPassOverManyEntriesGivesThemInOrder() throws IOException {
    int[] next = {0};
    MemoryStorage folder = MemoryStorage.copyOf(new LocalFolder(many));
    try (TensorIndex index = TensorIndex.open(folder)) {
      index.forEach(
          entry -> {
            assertThat(entry).isEqualTo(Entries.of(next[0]));
            next[0]++;
          });
    }
    assertThat(next[0]).isEqualTo(MANY);
  }

  @Test
  void unsortedKeysAreFoundToo(@TempDir Path folder) throws IOException {
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, 20_000).boxed().toList());
    Collections.shuffle(numbers, new Random(2));
    Entries.write(folder, numbers.stream().map(Entries::of).toList());
    try (TensorIndex index = Entries.open(folder)) {
      for (int i = 0; i < 20_000; i += 1999) {
        assertThat(index.find(Entries.key(i))).contains(Entries.of(i));
      }
    }
  }

  @Test
  void aKeyOfSeveralEntriesIsAnErrorThatNamesTheirFiles(@TempDir Path folder) throws IOException {
    TensorIndexEntry one = Entries.of(1);
    TensorIndexEntry other = Entries.of(15_000);
    TensorIndexEntry again =
        new TensorIndexEntry(one.key(), other.file(), DType.U8, List.of(), 0, 1, 8);
    Entries.write(folder, List.of(one, other, again));
    try (TensorIndex index = Entries.open(folder)) {
      assertThat(index.find(one.key(), 10)).containsExactly(one, again);
      assertFails(TensorIndexError.DUPLICATE_ENTRY, TensorIndex.NAME, () -> index.find(one.key()));
    }
  }

  @Test
  void anEmptyIndexHasNothing(@TempDir Path folder) throws IOException {
    Entries.write(folder, List.of());
    try (TensorIndex index = Entries.open(folder)) {
      assertThat(index.find("")).isEmpty();
      assertThat(Entries.all(index)).isEmpty();
    }
  }

  @Test
  void aDimensionThatTheColumnCannotHoldIsRefused(@TempDir Path folder) {
    TensorIndexEntry large =
        new TensorIndexEntry("k", "f", DType.U8, List.of(1L << 31), 0, 1L << 31, 64);
    assertFails(
        DatasetError.TOO_LARGE, TensorIndex.NAME, () -> Entries.write(folder, List.of(large)));
  }

  @Test
  void aFolderWithoutIndexReportsIt(@TempDir Path folder) {
    assertFails(FileError.NOT_FOUND, folder.resolve(TensorIndex.NAME), () -> Entries.open(folder));
  }
}
