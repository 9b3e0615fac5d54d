package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileTest {
  @TempDir Path folder;

  /** As the column of an array without elements is, which is the last one of a file. */
  @Test
  void anEmptyWriteBehindTheEndIsNoExtension() throws IOException {
    try (Output out = LocalFile.create(folder.resolve("empty"))) {
      out.write(ByteBuffer.allocate(3));
      out.writeAt(5, ByteBuffer.allocate(0));
      out.extendTo(5);
    }
    assertThat(folder.resolve("empty")).hasSize(5);
  }

  @Test
  void writesOfAnySizeArriveInTheirOrder() throws IOException {
    Random random = new Random(1);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    Path file = folder.resolve("file");
    try (Output out = LocalFile.create(file)) {
      int[] sizes = {1, 100, 300_000, 7, LocalFile.WRITE_BUFFER, 200_000, 900_000, 0, 5};
      for (int size : sizes) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        expected.write(bytes);
        out.write(ByteBuffer.wrap(bytes));
        assertThat(out.position()).isEqualTo(expected.size());
      }
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(expected.toByteArray());
  }

  @Test
  void smallWritesAfterOtherSizesArriveInTheirOrder() throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[] {7, 8, 9});
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    Path file = folder.resolve("file");
    try (Output out = LocalFile.create(file);
        Input in = LocalFile.open(source)) {
      for (int size : new int[] {16_000, 384, 1, 20_000, 100, 240_000, 0, 1_000_000, 3}) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        expected.write(bytes);
        out.write(ByteBuffer.wrap(bytes));
      }
      out.copy(in, 1, 2);
      expected.write(new byte[] {8, 9});
      out.extendTo(expected.size());
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(expected.toByteArray());
  }

  @Test
  void anExtendedFileIsFilledWithZerosAndGoesOnBehindThem() throws IOException {
    Path file = folder.resolve("file");
    try (Output out = LocalFile.create(file)) {
      out.write(ByteBuffer.wrap(new byte[] {1, 2}));
      out.extendTo(5);
      out.write(ByteBuffer.wrap(new byte[] {3}));
      assertThatThrownBy(() -> out.extendTo(4)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(Files.readAllBytes(file)).containsExactly(1, 2, 0, 0, 0, 3);
  }

  @Test
  void readingPastTheEndNamesTheFileAndTheByte() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[10]);
    try (Input in = LocalFile.open(file)) {
      assertFails(FileError.TRUNCATED, file, () -> in.readFully(8, ByteBuffer.allocate(4)));
    }
  }

  @Test
  void missingFilesAndFoldersAreRefusedInOneLine() {
    assertFails(FileError.NOT_FOUND, "none", () -> LocalFile.open(folder.resolve("none")));
    assertFails(FileError.NOT_A_FILE, folder, () -> LocalFile.open(folder));
  }

  @Test
  void aMissingFolderIsNotCreatedForAFile() {
    Path file = folder.resolve("removed/file");
    assertThatThrownBy(() -> LocalFile.create(file)).isInstanceOf(NoSuchFileException.class);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void anExistingFileIsNotOverwritten() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[10]);
    assertThatThrownBy(() -> LocalFile.create(file)).isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void aDocumentThatIsTooLargeIsNotRead() throws IOException {
    Files.write(folder.resolve("document"), new byte[100]);
    assertFails(
        FileError.TOO_LARGE, "document", () -> new LocalFolder(folder).readSmall("document", 99));
  }

  @Test
  void aFolderKnowsItsNameAndItsFiles() throws IOException {
    Files.createDirectory(folder.resolve("sub"));
    Files.write(folder.resolve("b"), new byte[3]);
    Files.write(folder.resolve("a"), new byte[2]);
    Folder tested = new LocalFolder(folder);
    assertThat(tested.files())
        .containsExactly(java.util.Map.entry("a", 2L), java.util.Map.entry("b", 3L));
    assertThat(tested.name()).isEqualTo(folder.getFileName().toString());
  }

  @Test
  void bytesOfAnyFileAreCopied() throws IOException {
    byte[] bytes = new byte[3 << 20];
    new Random(1).nextBytes(bytes);
    Path from = Files.write(folder.resolve("from"), bytes);
    for (boolean isLocal : new boolean[] {true, false}) {
      Path to = folder.resolve("to " + isLocal);
      try (Input in = isLocal ? LocalFile.open(from) : new MemoryInput("from", bytes);
          Output out = LocalFile.create(to)) {
        out.write(ByteBuffer.wrap(bytes, 0, 5));
        out.copy(in, 5, 2 << 20);
        out.copy(in, 5 + (2 << 20), 0);
        out.copy(in, 5 + (2 << 20), bytes.length - (2 << 20) - 5);
        out.write(ByteBuffer.wrap(bytes, 0, 7));
        assertThat(out.position()).isEqualTo(bytes.length + 7L);
        assertFails(FileError.TRUNCATED, "from", () -> out.copy(in, bytes.length - 1L, 2));
      }
      byte[] found = Files.readAllBytes(to);
      assertThat(ByteBuffer.wrap(found, 0, bytes.length)).isEqualTo(ByteBuffer.wrap(bytes));
      assertThat(ByteBuffer.wrap(found, bytes.length, 7)).isEqualTo(ByteBuffer.wrap(bytes, 0, 7));
    }
  }
}
