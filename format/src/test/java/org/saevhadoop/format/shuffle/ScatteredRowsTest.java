package org.saevhadoop.format.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.staged.StagedError;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class ScatteredRowsTest {
  private static final RowFormat FORMAT = new RowFormat(new Buckets(10, 5, 5), 3, 2);

  @TempDir Path temporary;
  private LocalFolder folder;

  @BeforeEach
  void openFolder() {
    folder = new LocalFolder(temporary);
  }

  @Property(tries = 200, sample = 50)
  void rowsThatFilesContainInAnyOrderAreReadInTheirOrder(RandomValues random) throws IOException {
    int rows = random.intBetween(1, 300);
    int rowBytes = random.intBetween(1, 40);
    RowFormat format =
        RowFormat.of(rows, rowBytes, random.intBetween(1, 400), random.longBetween(rowBytes, 4000));
    byte[] all = random.bytes(rows * rowBytes, rows * rowBytes);
    List<Integer> order = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      order.add(row);
    }
    Collections.shuffle(order, random.random());
    List<String> files = new ArrayList<>();
    int next = 0;
    while (next < rows) {
      int end = random.intBetween(next, rows);
      files.add("rows-" + random.seed() + "-" + files.size());
      write(files.get(files.size() - 1), format, all, order.subList(next, end));
      next = end;
    }
    try (Input file =
        new ScatteredRows(StagedFolder.of(folder), files, format).open(folder.path("rows"))) {
      assertThat(file.length()).isEqualTo(all.length);
      for (int i = 0; i < 5; i++) {
        int from = random.intBetween(0, all.length);
        ByteBuffer read = ByteBuffer.allocate(random.intBetween(0, all.length - from));
        file.readFully(from, read);
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(all, from, read.limit()));
      }
      ByteBuffer read = ByteBuffer.allocate(all.length);
      file.readFully(0, read);
      assertThat(read.array()).isEqualTo(all);
    }
    for (String file : files) {
      Files.delete(temporary.resolve(file));
    }
  }

  private void write(String name, RowFormat format, byte[] all, List<Integer> rows)
      throws IOException {
    try (RowScatter scatter = new RowScatter(format, folder.create(name))) {
      int length = format.rowBytes();
      for (int row : rows) {
        scatter.add(row, ByteBuffer.wrap(all, row * length, length));
      }
    }
  }

  private void assertFails(ErrorKind kind, Path path, List<String> files) throws IOException {
    try (Input file =
        new ScatteredRows(StagedFolder.of(folder), files, FORMAT).open(folder.path("rows"))) {
      ErrorAssertions.assertFails(kind, path, () -> file.readFully(0, ByteBuffer.allocate(30)));
    }
  }

  @Property(tries = 200)
  void aBitThatChangesIsFoundWhereverItIs(RandomValues random) throws IOException {
    List<Integer> rows = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    Collections.shuffle(rows, random.random());
    String name = "rows-" + random.seed();
    write(name, FORMAT, random.bytes(30, 30), rows);
    byte[] bytes = Files.readAllBytes(temporary.resolve(name));
    bytes[random.intBetween(0, bytes.length - 1)] ^= (byte) (1 << random.intBetween(0, 7));
    Files.write(temporary.resolve(name), bytes);
    try (Input file =
        new ScatteredRows(StagedFolder.of(folder), List.of(name), FORMAT)
            .open(folder.path("rows"))) {
      ErrorAssertions.assertFailsWithAnyText(
          StagedError.DAMAGED,
          temporary.resolve(name),
          () -> file.readFully(0, ByteBuffer.allocate(30)));
    }
    assertThat(StagedFolder.of(folder).takeDamaged()).containsExactly(name);
    Files.deleteIfExists(temporary.resolve(name));
  }

  @Test
  void anEmptyFileIsReported() throws IOException {
    Files.createFile(temporary.resolve("a"));
    assertFails(StagedError.DAMAGED, temporary.resolve("a"), List.of("a"));
  }

  @Test
  void aRowThatNoFileContainsIsReported() throws IOException {
    write("a", FORMAT, new byte[30], List.of(0, 1, 2, 3, 5, 6, 7, 8, 9));
    assertFails(StagedError.DAMAGED, temporary, List.of("a"));
  }

  @Test
  void aRowThatTwoFilesContainIsReported() throws IOException {
    write("a", FORMAT, new byte[30], List.of(0, 1, 2, 3, 4));
    write("b", FORMAT, new byte[30], List.of(9, 4, 8, 7, 6, 5));
    assertFails(DatasetError.BLOCK_REPEATED, temporary.resolve("b"), List.of("a", "b"));
  }

  @Test
  void aDamagedChunkIsReported() throws IOException {
    write("a", FORMAT, new byte[30], List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    byte[] bytes = Files.readAllBytes(temporary.resolve("a"));
    bytes[Long.BYTES] = 3; // of at most 2 rows
    Files.write(temporary.resolve("a"), bytes);
    assertFails(StagedError.DAMAGED, temporary.resolve("a"), List.of("a"));
  }

  @Test
  void aChunkThatPointsToItselfIsReported() throws IOException {
    write("a", FORMAT, new byte[30], List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    byte[] bytes = Files.readAllBytes(temporary.resolve("a"));
    Arrays.fill(bytes, 0, Long.BYTES, (byte) 0);
    Files.write(temporary.resolve("a"), bytes);
    assertFails(StagedError.DAMAGED, temporary.resolve("a"), List.of("a"));
  }

  @Test
  void aBucketThatCouldNotBeReadIsNotReadFromMemory() throws IOException {
    byte[] all = new byte[30];
    Arrays.fill(all, 0, 15, (byte) 1);
    write("a", FORMAT, all, List.of(0, 1, 2, 3, 4, 5, 6, 7, 8));
    try (Input file =
        new ScatteredRows(StagedFolder.of(folder), List.of("a"), FORMAT)
            .open(folder.path("rows"))) {
      file.readFully(0, ByteBuffer.allocate(3));
      ErrorAssertions.assertFails(
          StagedError.DAMAGED, temporary, () -> file.readFully(15, ByteBuffer.allocate(3)));
      ByteBuffer first = ByteBuffer.allocate(3);
      file.readFully(0, first);
      assertThat(first.array()).isEqualTo(new byte[] {1, 1, 1});
    }
  }

  @Test
  void aReadBehindTheLastRowIsRefused() throws IOException {
    write("a", FORMAT, new byte[30], List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    try (Input file =
        new ScatteredRows(StagedFolder.of(folder), List.of("a"), FORMAT)
            .open(folder.path("rows"))) {
      ErrorAssertions.assertFails(
          FileError.TRUNCATED,
          temporary.resolve("rows"),
          () -> file.readFully(1, ByteBuffer.allocate(30)));
    }
  }
}
