package org.saevhadoop.jobs.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.write.CopiedFile;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.spi.FileMerge;
import org.saevhadoop.jobs.check.VerifyError;
import org.saevhadoop.jobs.task.TaskOutput;

/** Copies of files, with other beginnings and zeros at the end, and their comparison. */
class CopyFilesTest {
  /** Replaces the beginning by a text. */
  private static final FileMerge HEADS =
      new FileMerge() {
        @Override
        public Survey survey(List<Source> sources) {
          return (combined, members) -> MergePlan.rewriting("");
        }

        @Override
        public ByteBuffer head(Input file, String head) {
          return ByteBuffer.wrap(head.getBytes(StandardCharsets.UTF_8));
        }
      };

  private static final CopiedFile WHOLE = new CopiedFile(0, "deep/er/file", "a", 8);
  private static final CopiedFile CHANGED = new CopiedFile(0, "deep/er/file", "b", "new", 2, 5, 11);

  @TempDir Path folder;
  private Path target;

  @BeforeEach
  void write() throws IOException {
    Path source = Files.createDirectories(folder.resolve("source/deep/er"));
    Files.writeString(source.resolve("file"), "01234567");
    target = Files.createDirectory(folder.resolve("target"));
  }

  private CopyFiles files(boolean compared) {
    return new CopyFiles(
        List.of(new LocalFolder(folder.resolve("source"))),
        HEADS,
        compared ? new LocalFolder(target) : null);
  }

  private long run(boolean compared, CopiedFile... copies)
      throws IOException, InterruptedException {
    List<Long> read = new ArrayList<>();
    files(compared).run(List.of(copies), read::add, new Target());
    return read.stream().mapToLong(Long::longValue).sum();
  }

  private final class Target implements TaskOutput {
    @Override
    public void write(long key, byte[] bytes, int length) {
      throw new IllegalStateException();
    }

    @Override
    public Folder folder() {
      return new LocalFolder(target);
    }
  }

  @Test
  void bytesAreCopiedBetweenAHeadAndZeros() throws Exception {
    assertThat(run(false, WHOLE, CHANGED)).isEqualTo(13);
    assertThat(target.resolve("a")).hasContent("01234567");
    assertThat(target.resolve("b")).hasContent("new23456\0\0\0");
    assertThat(run(true, WHOLE, CHANGED)).isEqualTo(13);
  }

  @Test
  void aDifferenceAtAnyByteIsFound() throws Exception {
    run(false, CHANGED);
    byte[] copy = Files.readAllBytes(target.resolve("b"));
    for (int i = 0; i < copy.length; i++) {
      copy[i] ^= 1;
      Files.write(target.resolve("b"), copy);
      assertFails(VerifyError.DIFFERENT, target.resolve("b"), () -> run(true, CHANGED));
      copy[i] ^= 1;
    }
    Files.write(target.resolve("b"), copy);
    run(true, CHANGED);
    Files.writeString(target.resolve("b"), "new23456\0\0");
    assertFails(VerifyError.DIFFERENT, target.resolve("b"), () -> run(true, CHANGED));
  }

  @Test
  void aSourceThatHasChangedIsFound() throws Exception {
    Path file = folder.resolve("source/deep/er/file");
    Files.writeString(file, "012345");
    assertFails(FileError.TRUNCATED, file, () -> run(false, WHOLE));
    Files.delete(file);
    assertFails(FileError.NOT_FOUND, file, () -> run(false, CHANGED));
    Files.delete(file.getParent());
    assertFails(FileError.NOT_FOUND, file, () -> run(false, CHANGED));
  }

  @Test
  void filesAreATextAndWhatIsMissingIsAListOfItsOwn() {
    CopiedFiles files = new CopiedFiles(List.of(WHOLE, CHANGED));
    assertThat(CopiedFiles.parse(files.text())).isEqualTo(files);
    assertThat(files.bytes()).isEqualTo(13);
    assertThat(files.length()).isEqualTo(19);
    TreeMap<String, Long> there = new TreeMap<>();
    there.put("a", 8L);
    there.put("b", 10L);
    assertThat(files.missing(there).list()).containsExactly(CHANGED);
    assertThat(files.tasks()).hasSize(1);
    CopiedFile large = new CopiedFile(0, "l", "l", 200L << 20);
    assertThat(new CopiedFiles(List.of(WHOLE, large, large, CHANGED)).tasks())
        .extracting(task -> task.first() + ":" + task.count())
        .containsExactly("0:2", "2:1", "3:1");
    assertThat(new CopiedFiles(Collections.nCopies(2500, WHOLE)).tasks())
        .extracting(task -> task.first() + ":" + task.count() + ":" + task.bytes())
        .containsExactly("0:1000:8000", "1000:1000:8000", "2000:500:4000");
  }
}
