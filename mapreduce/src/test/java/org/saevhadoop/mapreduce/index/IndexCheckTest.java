package org.saevhadoop.mapreduce.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.IndexCheck;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.index.TensorIndex;
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
  void aFileThatChangedIsToldByWhatDiffers() throws IOException {
    TensorIndexBuilder.write(folder, List.of(A, B), folder.create(TensorIndex.NAME));
    SmallFile.ofThree(directory.resolve(B), "4__x", "5__x", "6__x");
    assertThat(problems(TensorLayout.KV))
        .containsExactly(
            "is stale: it lacks 2 tensors of b.safetensors, such as \"5__x\"",
            "is stale: 1 entries differ from the header of b.safetensors; \"4__x\" is U8[3] at 3 to"
                + " 6 behind 111 bytes of header (expected U8[3] at 0 to 3 behind 166 bytes of"
                + " header)",
            "is stale: 1 entries name tensors that b.safetensors has not, such as \"3__x\"");
  }

  @Test
  void filesThatAreGoneOrNewAreTold() throws IOException {
    TensorIndexBuilder.write(folder, List.of(A, B), folder.create(TensorIndex.NAME));
    Files.move(directory.resolve(B), directory.resolve("c.safetensors"));
    assertThat(problems(TensorLayout.KV, A, "c.safetensors"))
        .containsExactly(
            "is stale: 2 entries name b.safetensors, which is not there",
            "is stale: it lacks 2 tensors of c.safetensors, such as \"3__x\"");
    assertThat(problems(TensorLayout.KV, A).get(0)).contains("b.safetensors, which is not there");
    SmallFile.ofThree(directory.resolve(B), "3__x", "4__x");
    assertThat(problems(TensorLayout.KV, A))
        .containsExactly("is stale: 2 entries name b.safetensors, which is not the dataset's");
  }

  @Test
  void aKeyOfSeveralEntriesIsAProblemWhereKeysAreIds() throws IOException {
    SmallFile.ofThree(directory.resolve(B), "2__x", "3__x");
    TensorIndexBuilder.write(folder, List.of(A, B), folder.create(TensorIndex.NAME));
    assertThat(problems(TensorLayout.BATCH)).isEmpty();
    assertThat(problems(TensorLayout.KV))
        .containsExactly(
            "has several entries for 1 keys, such as \"2__x\", in [a.safetensors, b.safetensors]"
                + " (expected one)");
  }

  @Test
  void aTensorOfTwoEntriesIsAProblemInAnyLayout() throws IOException {
    try (TensorIndexWriter writer = new TensorIndexWriter(folder.create(TensorIndex.NAME))) {
      for (String key : List.of("1__x", "2__x", "1__x")) {
        int at = key.equals("1__x") ? 0 : 3;
        writer.write(new TensorIndexEntry(key, A, DType.U8, List.of(3L), at, at + 3, 111));
      }
    }
    assertThat(problems(TensorLayout.BATCH, A))
        .containsExactly(
            "has several entries for 1 keys, such as \"a.safetensors 1__x\", in [a.safetensors]"
                + " (expected one)");
  }

  @Test
  void whatIsNoIndexIsAProblem() throws IOException {
    Files.write(directory.resolve(TensorIndex.NAME), new byte[5]);
    assertThat(problems(TensorLayout.KV)).hasSize(1);
  }

  private List<String> problems(TensorLayout layout, String... files) throws IOException {
    List<String> expected = files.length == 0 ? List.of(A, B) : List.of(files);
    String path = folder.path(TensorIndex.NAME) + ": ";
    List<String> told = new ArrayList<>();
    for (var problem : IndexCheck.run(folder, expected, layout, HeaderStrictness.STRICT)) {
      assertThat(problem).hasMessageStartingWith(path);
      told.add(problem.getMessage().substring(path.length()));
    }
    return told;
  }
}
