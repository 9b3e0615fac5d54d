package org.saevhadoop.format.reader.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.reader.block.BlockCursorTest;
import org.saevhadoop.format.reader.block.ChangedDataset;

/** A read that fails or never ends: an error that says where, and no reader that hangs. */
@Isolated
@Timeout(60)
@Tag("late")
class ReaderFailureTest {
  private static final ReaderOptions OPTIONS =
      ReaderOptions.defaults()
          .withBatchSize(16)
          .withBufferSize(4)
          .withThreads(3)
          .withBatchTimeout(Duration.ofMillis(300));

  /**
   * Less than all reads of a window take together, much more than one of them, even on a busy day.
   */
  private static final ReaderOptions PATIENT =
      OPTIONS.withThreads(1).withBatchTimeout(Duration.ofMillis(900));

  private static final Geometry GEOMETRY = BlockCursorTest.geometry(40, 1, 4, 3);
  private static final InventedDataset INVENTED = new InventedDataset(GEOMETRY, false, 20);

  /** What a reader does that goes through all batches. */
  private interface Reading extends Closeable {
    boolean next() throws IOException;
  }

  /** What a file does when its bytes from a position on are asked for. */
  private interface Fault {
    void at(long position) throws IOException;
  }

  @TempDir Path folder;

  @Test
  void aReadThatNeverEndsIsAnErrorThatNamesFileAndByte() throws IOException {
    CountDownLatch never = new CountDownLatch(1);
    ChangedDataset dataset =
        faulty(
            position -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            });
    for (Reading reader : readers(dataset)) {
      try (reader) {
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> drain(reader))
              .isInstanceOf(IOException.class)
              .hasMessageMatching("shard1: no data came for 0\\.3 s, at byte \\d+");
        }
      }
    }
  }

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
    for (Reading reader : readers(dataset)) {
      assertThatThrownBy(() -> drain(reader)).hasMessageContaining("no data came for 0.3 s");
      reader.close();
    }
    end.countDown();
  }

  @Test
  void aReadThatFailsIsAnErrorThatNamesFileAndByte() throws IOException {
    IOException cause = new IOException("the disk is on fire");
    ChangedDataset dataset =
        faulty(
            position -> {
              throw cause;
            });
    for (Reading reader : readers(dataset)) {
      try (reader) {
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> drain(reader))
              .isInstanceOf(IOException.class)
              .hasMessageMatching("shard1: the disk is on fire, at byte \\d+")
              .hasCause(cause);
        }
      }
    }
  }

  @Test
  void aFileThatWasCutShortIsAnErrorThatNamesTheByte() throws IOException {
    Path file = folder.resolve("cut");
    Files.write(file, new byte[200]);
    ChangedDataset dataset =
        ChangedDataset.reading(
            INVENTED, input -> input.path().equals("shard1") ? cut(file) : input);
    for (Reading reader : readers(dataset)) {
      try (reader) {
        assertThat(assertFailsWithAnyText(FileError.TRUNCATED, file, () -> drain(reader)))
            .hasMessageContaining("ends at byte 200,");
      }
    }
  }

  @Test
  void anEpochCanBeginAnewAfterAFailure() throws IOException {
    boolean[] broken = {true};
    ChangedDataset dataset =
        faulty(
            position -> {
              if (broken[0]) {
                throw new IOException("not now");
              }
            });
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, 11);
    try (ShuffledReader reader = new ShuffledReader(dataset, view, OPTIONS, 48)) {
      assertThatThrownBy(() -> drain(reader::next)).hasMessageContaining("not now");
      broken[0] = false;
      reader.startEpoch(0);
      assertThat(drain(reader::next)).isEqualTo(10);
    }
  }

  @Test
  void batchesBeforeTheFailureStillCome() throws IOException {
    ChangedDataset dataset =
        faulty(
            position -> {
              throw new IOException("not here");
            });
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, 11);
    try (OrderedReader reader = new OrderedReader(dataset, view, OPTIONS.withThreads(1))) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.batch().index(15)).isEqualTo(15);
    }
  }

  @Test
  void manyReadsThatEachEndInTimeAreNoFailure() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(16, 2, 4, 1024);
    ChangedDataset dataset =
        ChangedDataset.reading(
            new InventedDataset(geometry, false, 16),
            input -> new FaultyInput(input, position -> sleep(80)));
    // one part of one window, which takes longer than the timeout
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, 11);
    ReaderOptions options = PATIENT.withBatchSize(64);
    try (OrderedReader reader = new OrderedReader(dataset, view, options)) {
      assertThat(drain(reader::next)).isEqualTo(1);
    }
  }

  @Test
  void manyFilesThatAreEachOpenedInTimeAreNoFailure() throws IOException {
    ChangedDataset dataset =
        ChangedDataset.reading(
            new InventedDataset(GEOMETRY, false, 1),
            input -> {
              sleep(80);
              return input;
            });
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, 11);
    try (ShuffledReader reader = new ShuffledReader(dataset, view, PATIENT, 48)) {
      assertThat(reader.next()).isTrue();
    }
  }

  @Test
  void noMoreIsReadAheadThanTheBufferHolds() throws Exception {
    AtomicLong read = new AtomicLong();
    UnaryOperator<Input> counted =
        input -> new FaultyInput(input, position -> read.addAndGet(16 * GEOMETRY.vectorBytes()));
    ChangedDataset dataset = ChangedDataset.reading(INVENTED, counted);
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, 11);
    ReaderOptions options = OPTIONS.withBufferSize(2);
    try (OrderedReader reader = new OrderedReader(dataset, view, options)) {
      assertThat(reader.next()).isTrue();
      Thread.sleep(200);
      assertThat(read.get()).isLessThanOrEqualTo(2L * 16 * GEOMETRY.vectorBytes());
    }
  }

  @Test
  void aThreadThatHangsIsInterruptedWhenItsReaderIsClosed() throws Exception {
    CompletableFuture<Thread> hanging = new CompletableFuture<>();
    CountDownLatch never = new CountDownLatch(1);
    ChangedDataset dataset =
        faulty(
            position -> {
              hanging.complete(Thread.currentThread());
              try {
                never.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            });
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, 11);
    OrderedReader reader = new OrderedReader(dataset, view, OPTIONS);
    assertThatThrownBy(() -> drain(reader::next)).hasMessageContaining("no data came");
    reader.close();
    Thread thread = hanging.get();
    thread.join(10_000);
    assertThat(thread.isAlive()).isFalse();
  }

  @Test
  void aFileStaysOpenUntilAllThatIsAskedOfItIsRead() throws Exception {
    ChangedDataset dataset =
        ChangedDataset.reading(
            new InventedDataset(GEOMETRY, false, 1),
            input -> {
              boolean[] closed = {false};
              Fault notAfterClose =
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

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whoWaitsForABatchIsToldThatTheReaderWasClosed() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch reading = new CountDownLatch(1);
    ChangedDataset dataset =
        faulty(
            position -> {
              reading.countDown();
              try {
                never.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            });
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, 11);
    Duration forever = ChronoUnit.FOREVER.getDuration();
    OrderedReader reader = new OrderedReader(dataset, view, OPTIONS.withBatchTimeout(forever));
    CompletableFuture<Integer> taker = CompletableFuture.supplyAsync(() -> unchecked(reader::next));
    reading.await();
    reader.close();
    assertThatThrownBy(() -> taker.get(20, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage(dataset.path() + ": this reader is closed");
  }

  @Test
  void aFailureIsNotBlamedOnAnEarlierOne() throws IOException {
    boolean[] labelsBroken = {true};
    Fault notHere =
        position -> {
          if (!labelsBroken[0]) {
            throw new IOException("not here");
          }
        };
    ChangedDataset dataset =
        ChangedDataset.reading(INVENTED, input -> new FaultyInput(input, notHere));
    PatchLabels labels =
        new PatchLabels() {
          @Override
          public int patches() {
            return 3;
          }

          @Override
          public void read(long first, ByteBuffer dst) throws IOException {
            if (labelsBroken[0]) {
              throw new IOException("no labels");
            }
            dst.position(dst.limit());
          }

          @Override
          public void close() {
            // nothing is open
          }
        };
    ActivationDataset labelled = withLabels(dataset, labels);
    VectorView view = VectorView.of(labelled, 1, TokenChoice.ALL, 11);
    try (OrderedReader reader = new OrderedReader(labelled, view, OPTIONS.withThreads(1))) {
      assertThatThrownBy(() -> drain(reader::next))
          .hasMessageContaining("no labels, at the labels");
      labelsBroken[0] = false;
      reader.restart();
      assertThatThrownBy(() -> drain(reader::next))
          .hasMessageMatching("shard0: not here, at byte \\d+");
    }
  }

  @Test
  void aFileWhoseOpeningNeverEndsIsNamed() throws IOException {
    CountDownLatch never = new CountDownLatch(1);
    ChangedDataset dataset =
        ChangedDataset.reading(
            INVENTED,
            input -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return input;
            });
    for (Reading reader : readers(dataset)) {
      try (reader) {
        assertThatThrownBy(() -> drain(reader))
            .hasMessageMatching(".*/shard\\d: no data came for 0\\.3 s, at byte 0");
      }
    }
  }

  @Test
  void labelsThatChangeAfterTheyWereCountedAreAnError() throws IOException {
    byte[] label = {0};
    PatchLabels labels =
        new PatchLabels() {
          @Override
          public int patches() {
            return 3;
          }

          @Override
          public void read(long first, ByteBuffer dst) {
            while (dst.hasRemaining()) {
              dst.put(label[0]);
            }
          }

          @Override
          public void close() {
            // nothing is open
          }
        };
    ActivationDataset labelled = withLabels(INVENTED, labels);
    VectorView view = VectorView.of(labelled, 1, TokenChoice.IMAGE, 11);
    ReaderOptions options = PATIENT.withBufferSize(2).withIgnoreLabels(Set.of(1));
    try (ShuffledReader reader = new ShuffledReader(labelled, view, options, 48)) {
      label[0] = 1;
      assertThatThrownBy(
              () -> {
                reader.startEpoch(1);
                drain(reader::next);
              })
          .hasMessageContaining("the labels have changed since they were counted");
    }
  }

  private static ActivationDataset withLabels(ActivationDataset dataset, PatchLabels labels) {
    Object changed =
        Proxy.newProxyInstance(
            ReaderFailureTest.class.getClassLoader(),
            new Class<?>[] {ActivationDataset.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "hasLabels" -> true;
                  case "openLabels" -> labels;
                  default -> method.invoke(dataset, args);
                });
    return (ActivationDataset) changed;
  }

  private static int unchecked(Next reader) {
    try {
      return drain(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its second file does something else than to deliver bytes. */
  private static ChangedDataset faulty(Fault fault) {
    return ChangedDataset.reading(
        INVENTED, input -> input.path().equals("shard1") ? new FaultyInput(input, fault) : input);
  }

  private record FaultyInput(Input base, Fault fault, Runnable onClose) implements Input {
    FaultyInput(Input base, Fault fault) {
      this(base, fault, () -> {});
    }

    @Override
    public String path() {
      return base.path();
    }

    @Override
    public long length() throws IOException {
      return base.length();
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      fault.at(position);
      base.readFully(position, dst);
    }

    @Override
    public void close() throws IOException {
      onClose.run();
      base.close();
    }
  }

  private static Input cut(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(200);
      return LocalFile.open(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Reading> readers(ActivationDataset dataset) throws IOException {
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, 11);
    OrderedReader ordered = new OrderedReader(dataset, view, OPTIONS);
    ShuffledReader shuffled = new ShuffledReader(dataset, view, OPTIONS, 48);
    return List.of(reading(ordered::next, ordered), reading(shuffled::next, shuffled));
  }

  private interface Next {
    boolean next() throws IOException;
  }

  private static Reading reading(Next next, Closeable closeable) {
    return new Reading() {
      @Override
      public boolean next() throws IOException {
        return next.next();
      }

      @Override
      public void close() throws IOException {
        closeable.close();
      }
    };
  }

  private static int drain(Reading reader) throws IOException {
    return drain((Next) reader::next);
  }

  private static int drain(Next reader) throws IOException {
    int batches = 0;
    while (reader.next()) {
      batches++;
    }
    return batches;
  }
}
