package org.saevhadoop.format.reader.vector;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.io.FaultyInput;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.reader.block.BlockCursorTest;
import org.saevhadoop.format.reader.block.ChangedDataset;

/** Readers of a dataset whose files fail. */
abstract class FaultyReading {
  static final ReaderOptions OPTIONS =
      ReaderOptions.defaults().withBatchSize(16).withBufferSize(4).withThreads(3);

  /** For reads that never end. */
  static final ReaderOptions IMPATIENT = OPTIONS.withBatchTimeout(Duration.ofMillis(300));

  /**
   * Less than all reads of a window take together, much more than one of them, even on a busy day.
   */
  static final ReaderOptions PATIENT =
      OPTIONS.withThreads(1).withBatchTimeout(Duration.ofMillis(900));

  static final Geometry GEOMETRY = BlockCursorTest.geometry(40, 1, 4, 3);
  static final InventedDataset INVENTED = new InventedDataset(GEOMETRY, false, 20);

  /** What a reader does that goes through all batches. */
  interface Reading extends Next, Closeable {}

  @TempDir Path folder;

  /** Returns a read that never ends, unless its thread is interrupted. */
  static FaultyInput.Fault endless(Runnable begun) {
    return until(new CountDownLatch(1), begun);
  }

  /** Returns a read that waits; when a test is done with it, the reader closes without waiting. */
  static FaultyInput.Fault until(CountDownLatch end, Runnable begun) {
    return position -> {
      begun.run();
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    };
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static int unchecked(Next reader) {
    try {
      return drain(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its second file does something else than to deliver bytes. */
  static ChangedDataset faulty(FaultyInput.Fault fault) {
    return ChangedDataset.reading(
        INVENTED, input -> input.path().equals("shard1") ? new FaultyInput(input, fault) : input);
  }

  static Input cut(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(200);
      return LocalFile.open(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static OrderedReader ordered(ActivationDataset dataset, ReaderOptions options)
      throws IOException {
    return new OrderedReader(dataset, VectorView.of(dataset, 1, TokenChoice.ALL, 11), options);
  }

  static ShuffledReader shuffled(ActivationDataset dataset, ReaderOptions options)
      throws IOException {
    return new ShuffledReader(dataset, VectorView.of(dataset, 1, TokenChoice.ALL, 11), options, 48);
  }

  static List<Reading> readers(ActivationDataset dataset) throws IOException {
    OrderedReader ordered = ordered(dataset, OPTIONS);
    ShuffledReader shuffled = shuffled(dataset, OPTIONS);
    return List.of(reading(ordered::next, ordered), reading(shuffled::next, shuffled));
  }

  interface Next {
    boolean next() throws IOException;
  }

  static Reading reading(Next next, Closeable closeable) {
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

  static int drain(Next reader) throws IOException {
    int batches = 0;
    while (reader.next()) {
      batches++;
    }
    return batches;
  }
}
