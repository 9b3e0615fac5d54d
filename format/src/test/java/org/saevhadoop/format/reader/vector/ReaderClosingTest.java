package org.saevhadoop.format.reader.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.io.FaultyInput;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.reader.block.ChangedDataset;

/** When files and threads of a reader end. */
@Timeout(60)
@Tag("late")
class ReaderClosingTest extends FaultyReading {
  @Test
  void aThreadThatCanNotBeInterruptedDoesNotKeepAReaderFromClosing() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    ChangedDataset dataset =
        faulty(
            position -> {
              while (end.getCount() > 0) {
                try {
                  end.await();
                } catch (InterruptedException e) {
                  // like a read that hangs in the kernel
                }
              }
            });
    ShuffledReader reader = shuffled(dataset, IMPATIENT);
    assertThatThrownBy(() -> drain(reader::next)).hasMessageContaining("no data came for 0.3 s");
    reader.close();
    end.countDown();
  }

  @Test
  void noMoreIsReadAheadThanTheBufferHolds() throws Exception {
    AtomicLong read = new AtomicLong();
    UnaryOperator<Input> counted =
        input -> new FaultyInput(input, position -> read.addAndGet(16 * GEOMETRY.vectorBytes()));
    ChangedDataset dataset = ChangedDataset.reading(INVENTED, counted);
    ReaderOptions options = OPTIONS.withBufferSize(2);
    try (OrderedReader reader = ordered(dataset, options)) {
      assertThat(reader.next()).isTrue();
      Thread.sleep(200);
      assertThat(read.get()).isLessThanOrEqualTo(2L * 16 * GEOMETRY.vectorBytes());
    }
  }

  @Test
  void aThreadThatHangsIsInterruptedWhenItsReaderIsClosed() throws Exception {
    CompletableFuture<Thread> hanging = new CompletableFuture<>();
    ChangedDataset dataset = faulty(endless(() -> hanging.complete(Thread.currentThread())));
    OrderedReader reader = ordered(dataset, IMPATIENT);
    assertThatThrownBy(() -> drain(reader::next)).hasMessageContaining("no data came");
    reader.close();
    Thread thread = hanging.get();
    thread.join(60_000);
    assertThat(thread.isAlive()).isFalse();
  }

  @Test
  void aFileStaysOpenUntilAllThatIsAskedOfItIsRead() throws Exception {
    ChangedDataset dataset =
        ChangedDataset.reading(
            new InventedDataset(GEOMETRY, false, 1),
            input -> {
              boolean[] closed = {false};
              FaultyInput.Fault notAfterClose =
                  position -> assertThat(closed[0]).as(input.path() + " is closed").isFalse();
              return new FaultyInput(input, notAfterClose, () -> closed[0] = true);
            });
    for (Reading reader : readers(dataset)) {
      try (reader) {
        assertThat(drain(reader)).isEqualTo(10);
      }
    }
  }

  @Test
  void filesAreClosedWithTheirReader() throws Exception {
    AtomicInteger open = new AtomicInteger();
    ChangedDataset dataset =
        ChangedDataset.reading(
            INVENTED,
            input -> {
              open.incrementAndGet();
              return new FaultyInput(input, position -> {}, open::decrementAndGet);
            });
    for (Reading reader : readers(dataset)) {
      drain(reader);
      assertThat(open.get()).isPositive();
      reader.close();
    }
    assertThat(open.get()).isZero();
  }

  @Test
  void whoWaitsForABatchLearnsThatTheReaderWasClosed() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    ChangedDataset dataset = faulty(endless(reading::countDown));
    Duration forever = ChronoUnit.FOREVER.getDuration();
    OrderedReader reader = ordered(dataset, OPTIONS.withBatchTimeout(forever));
    CompletableFuture<Integer> taker = CompletableFuture.supplyAsync(() -> unchecked(reader::next));
    reading.await();
    reader.close();
    assertThatThrownBy(() -> taker.get(1, TimeUnit.MINUTES))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage(dataset.path() + ": this reader is closed");
  }
}
