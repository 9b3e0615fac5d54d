package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ForceQueueTest {
  @TempDir Path folder;

  private final Queue<Runnable> held = new ArrayDeque<>();

  @Test
  void aFileIsForcedOnceForEachStepAndWhenItIsClosed() throws IOException {
    LocalFolder tested = new LocalFolder(folder, new ForceQueue(held::add));
    ByteBuffer piece = ByteBuffer.allocate(1 << 20);
    try (Output out = tested.create("file")) {
      for (int i = 0; i < 2 * ForceQueue.STEP_BYTES / piece.capacity(); i++) {
        out.write(piece.clear());
      }
      out.write(ByteBuffer.allocate(1));
      assertThat(held).hasSize(2);
    }
    assertThat(held).hasSize(3);
    assertThat(Files.size(folder.resolve("file"))).isEqualTo(2 * ForceQueue.STEP_BYTES + 1);
    held.forEach(Runnable::run);
    tested.awaitForced();
  }

  @Test
  void writesAtOffsetsAreForcedByTheBytesWrittenAndNotByTheLengthOfTheFile() throws IOException {
    LocalFolder tested = new LocalFolder(folder, new ForceQueue(held::add));
    ByteBuffer piece = ByteBuffer.allocate(1 << 20);
    try (Output out = tested.create("file")) {
      out.writeAt(10L * ForceQueue.STEP_BYTES, piece.clear());
      assertThat(held).isEmpty();
      for (int i = 1; i < 2 * ForceQueue.STEP_BYTES / piece.capacity(); i++) {
        out.writeAt(i * 64L, piece.clear());
      }
      assertThat(held).hasSize(2);
    }
    assertThat(held).hasSize(3);
  }

  @Test
  void aFileOfAFolderThatForcesNothingIsClosedAtOnce() throws IOException {
    LocalFolder tested = new LocalFolder(folder);
    tested.create("file").close();
    tested.awaitForced();
    assertThat(tested.queue()).isNull();
  }

  @Test
  void awaitingEndsAfterTheLastRequest() throws IOException {
    ForceQueue queue = new ForceQueue();
    AtomicInteger ended = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      queue.add(ended::incrementAndGet);
    }
    queue.await();
    assertThat(ended).hasValue(100);
  }

  @Test
  void requestsThatHaveNotEndedAreLimited() throws Exception {
    Semaphore begun = new Semaphore(0);
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger added = new AtomicInteger();
    Thread writer =
        new Thread(
            () -> {
              ForceQueue queue = new ForceQueue();
              try {
                while (added.get() < 2 * ForceQueue.MAX_PENDING) {
                  added.incrementAndGet();
                  queue.add(() -> pass(begun, gate));
                }
                queue.await();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    writer.start();
    begun.acquire();
    while (writer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(added).hasValue(ForceQueue.MAX_PENDING + 1);
    gate.countDown();
    writer.join();
    assertThat(added).hasValue(2 * ForceQueue.MAX_PENDING);
  }

  private static void pass(Semaphore begun, CountDownLatch gate) {
    begun.release();
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFailureIsThrownWhenTheFilesAreAwaitedAndLaterRequestsStillRun() throws IOException {
    ForceQueue queue = new ForceQueue(held::add);
    List<String> run = new ArrayList<>();
    queue.add(() -> run.add("first"));
    queue.add(
        () -> {
          throw new IOException("file: cannot be written to the end");
        });
    queue.add(() -> run.add("last"));
    held.forEach(Runnable::run);
    assertThatThrownBy(queue::await)
        .isInstanceOf(IOException.class)
        .hasMessage("file: cannot be written to the end");
    assertThat(run).containsExactly("first", "last");
  }
}
