package org.saevhadoop.format.publish;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.storage.LocalPath;

class SourceOverlapTest {
  private static final int CHECKS = 3_000;
  private static final long REST_NANOS = 100_000;

  @TempDir Path folder;

  @Test
  void aDestinationThatAnotherRunReplacesIsNoError() throws Exception {
    Path source = Files.createDirectory(folder.resolve("source"));
    Path destination = Files.createDirectory(folder.resolve("out"));
    AtomicBoolean isChecked = new AtomicBoolean();
    Thread other = new Thread(() -> replace(destination, isChecked));
    other.start();
    try {
      assertThatCode(
              () -> {
                for (int i = 0; i < CHECKS; i++) {
                  SourceOverlap.check(new LocalPath(source), new LocalPath(destination));
                }
              })
          .doesNotThrowAnyException();
    } finally {
      isChecked.set(true);
      other.join();
    }
  }

  /** Replaces a folder again and again, by renames as a run does. */
  private static void replace(Path folder, AtomicBoolean end) {
    Path replaced = folder.resolveSibling("replaced");
    try {
      while (!end.get()) {
        Files.move(folder, replaced);
        Files.move(replaced, folder);
        LockSupport.parkNanos(REST_NANOS);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
