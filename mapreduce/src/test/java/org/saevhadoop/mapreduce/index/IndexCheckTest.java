package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.index.IndexCheck;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.index.TensorIndexBuilder;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.tensor.DType;

class IndexCheckTest {
  private static final String A = "a.safetensors";
  private static final String B = "b.safetensors";

  @TempDir Path directory;
  private LocalFolder folder;

  @BeforeEach
  void writeTwoFiles() throws IOException {
    folder = new LocalFolder(directory);
    SmallFile.ofThree(directory.resolve(A), "1__x", "2__x");
    SmallFile.ofThree(directory.resolve(B), "3__x", "4__x");
  }

  @Test
  void anIndexOfTheseFilesIsSound() throws IOException {
    assertThat(IndexCheck.hasIndex(folder)).isFalse();
    TensorIndexBuilder.write(folder, List.of(A, B), folder.create(TensorIndex.NAME));
    assertThat(IndexCheck.hasIndex(folder)).isTrue();
    assertThat(problems(TensorLayout.KV)).isEmpty();
  }

  @Test
  void aFileThatChangedIsReportedByWhatDiffers() throws IOException {
    TensorIndexBuilder.write(folder, List.of(A, B), folder.create(TensorIndex.NAME));
    SmallFile.ofThree(directory.resolve(B), "4__x", "5__x", "6__x");
    assertProblems(3, TensorLayout.KV);
  }

  @Test
  void filesThatAreGoneOrNewAreReported() throws IOException {
    TensorIndexBuilder.write(folder, List.of(A, B), folder.create(TensorIndex.NAME));
    Files.move(directory.resolve(B), directory.resolve("c.safetensors"));
    assertProblems(2, TensorLayout.KV, A, "c.safetensors");
    assertProblems(1, TensorLayout.KV, A);
    SmallFile.ofThree(directory.resolve(B), "3__x", "4__x");
    assertProblems(1, TensorLayout.KV, A);
  }

  @Test
  void aKeyOfSeveralEntriesIsAProblemWhereKeysAreIds() throws IOException {
    SmallFile.ofThree(directory.resolve(B), "2__x", "3__x");
    TensorIndexBuilder.write(folder, List.of(A, B), folder.create(TensorIndex.NAME));
    assertThat(problems(TensorLayout.BATCH)).isEmpty();
    assertProblems(1, TensorLayout.KV);
  }

  @Test
  void aTensorOfTwoEntriesIsAProblemInAnyLayout() throws IOException {
    try (TensorIndexWriter writer = new TensorIndexWriter(folder.create(TensorIndex.NAME))) {
      for (String key : List.of("1__x", "2__x", "1__x")) {
        int at = key.equals("1__x") ? 0 : 3;
        writer.write(new TensorIndexEntry(key, A, DType.U8, List.of(3L), at, at + 3, 111));
      }
    }
    assertProblems(1, TensorLayout.BATCH, A);
  }

  @Test
  void whatIsNoIndexIsAProblem() throws IOException {
    Files.write(directory.resolve(TensorIndex.NAME), new byte[5]);
    List<FormatException> problems = problems(TensorLayout.KV);
    assertThat(problems).hasSize(1);
    assertError(problems.get(0).kind(), folder.path(TensorIndex.NAME), problems.get(0));
  }

  private void assertProblems(int count, TensorLayout layout, String... files) throws IOException {
    List<FormatException> problems = problems(layout, files);
    assertThat(problems).hasSize(count);
    for (FormatException problem : problems) {
      assertError(ParquetError.INDEX_MISMATCH, folder.path(TensorIndex.NAME), problem);
    }
  }

  private List<FormatException> problems(TensorLayout layout, String... files) throws IOException {
    List<String> expected = files.length == 0 ? List.of(A, B) : List.of(files);
    return IndexCheck.run(folder, expected, layout, HeaderStrictness.STRICT);
  }
}
