package org.saevhadoop.format.reader.vector;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.block.Gather;

/**
 * Fills windows with several threads, ahead of the single consumer, and delivers them in order. A
 * window determines in advance the destination of each vector, so the result does not depend on the
 * scheduling of threads. If a read fails or hangs, the waiting consumer receives an error.
 */
final class ReadAhead implements Closeable {
  /** Source of the windows to be read; returns null at the end. */
  @FunctionalInterface
  interface Windows {
    @Nullable ReadWindow next() throws IOException;
  }

  /**
   * Unit of work for a thread: filling a part of a window or, if {@code window} is null, creating
   * the next window.
   */
  private record Claim(@Nullable ReadWindow window, int part) {}

  /** Time that {@link #close} waits for threads before it interrupts them, and again afterwards. */
  private static final long GRACE_MILLIS = 1000;

  /**
   * Maximum timeout; a longer one would have no effect and would overflow a long that counts
   * nanoseconds.
   */
  private static final Duration MAX_TIMEOUT = Duration.ofDays(36_500);

  private final String path;
  private final BatchPool pool;
  private final int maxWindows;
  private final Duration timeout;
  private final List<Worker> workers = new ArrayList<>();
  private final Deque<ReadWindow> planned = new ArrayDeque<>();
  private Windows windows = () -> null;
  private @Nullable ReadWindow filling;
  private int outstanding;
  private int working;
  private boolean planning;
  private boolean ended = true;
  private boolean stopped;
  private boolean closed;
  private long lastDone = System.nanoTime();
  private @Nullable Throwable failure;
  private @Nullable ReadWindow taken;
  private int batch;

  /**
   * Starts the threads, which wait for {@link #start}.
   *
   * @param path the path of the dataset, for error messages
   * @param maxWindows the maximum number of windows that exist at the same time, including the one
   *     that is being consumed
   */
  ReadAhead(
      String path,
      BatchPool pool,
      Supplier<VectorSource> sources,
      ReaderOptions options,
      int maxWindows) {
    this.path = path;
    this.pool = pool;
    this.maxWindows = maxWindows;
    boolean tooLong = options.batchTimeout().compareTo(MAX_TIMEOUT) > 0;
    this.timeout = tooLong ? MAX_TIMEOUT : options.batchTimeout();
    for (int i = 0; i < options.threads(); i++) {
      workers.add(new Worker(i, sources.get()));
    }
    try {
      workers.forEach(Thread::start);
    } catch (Error e) {
      // No further threads could be started, and the existing threads would wait forever.
      close();
      throw e;
    }
  }

  /** Restarts with other windows; windows that were not consumed are discarded. */
  synchronized void start(Windows next) throws IOException {
    requireOpen();
    stopped = true;
    try {
      long begun = System.nanoTime();
      while (working > 0) {
        pause(begun);
        requireOpen();
      }
      planned.forEach(window -> pool.giveBack(window.batches()));
      planned.clear();
      giveBackTaken();
      filling = null;
      outstanding = 0;
      failure = null;
      ended = false;
      windows = next;
    } finally {
      stopped = false;
      notifyAll();
    }
  }

  /** Advances to the next batch; returns false at the end. */
  boolean next() throws IOException {
    if (taken != null && ++batch < taken.batches().size()) {
      return true;
    }
    batch = 0;
    return nextWindow();
  }

  VectorBatch batch() {
    if (taken == null) {
      throw new IllegalStateException("there is no batch here (expected next() to be true)");
    }
    return taken.batches().get(batch);
  }

  /** Waits for the next window; returns false at the end. */
  synchronized boolean nextWindow() throws IOException {
    requireOpen();
    if (taken != null) {
      giveBackTaken();
      outstanding--;
      notifyAll();
    }
    long begun = System.nanoTime();
    while (planned.isEmpty() || !planned.peek().isComplete()) {
      if (failure != null) {
        throw asIoException(failure);
      }
      if (planned.isEmpty() && ended) {
        return false;
      }
      pause(begun);
      requireOpen();
    }
    taken = planned.poll();
    return true;
  }

  /** Ends all threads and any wait for a batch, but does not wait for a thread that hangs. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      join();
      workers.forEach(Thread::interrupt);
      join();
    } catch (InterruptedException e) {
      workers.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
  }

  private void join() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
    for (Worker worker : workers) {
      worker.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(path + ": this reader is closed");
    }
  }

  private void giveBackTaken() {
    if (taken != null) {
      pool.giveBack(taken.batches());
      taken = null;
    }
  }

  /**
   * Waits for a change of state.
   *
   * @throws IOException if no data was read during the batch timeout
   */
  private void pause(long begun) throws IOException {
    long now = System.nanoTime();
    long quiet = Math.min(now - begun, now - lastDone);
    Gather.@Nullable Reading oldest = null;
    for (Worker worker : workers) {
      Gather.Reading reading = worker.source.reading();
      if (reading != null) {
        quiet = Math.min(quiet, now - reading.since());
        oldest = oldest == null || reading.since() < oldest.since() ? reading : oldest;
      }
    }
    long left = timeout.toNanos() - quiet;
    if (left <= 0) {
      throw new IOException(
          "%s: no data came for %s s%s"
              .formatted(
                  oldest == null ? path : oldest.path(),
                  Double.toString(timeout.toMillis() / 1e3).replaceAll("\\.0$", ""),
                  oldest == null ? "" : ", at " + oldest.unit() + " " + oldest.number()));
    }
    try {
      TimeUnit.NANOSECONDS.timedWait(this, left + TimeUnit.MILLISECONDS.toNanos(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException(path + ": the wait was interrupted").initCause(e);
    }
  }

  private static IOException asIoException(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (IOException) failure;
  }

  private synchronized @Nullable Claim claim() throws InterruptedException {
    while (!closed) {
      boolean busy = !stopped && failure == null;
      if (busy && filling != null && filling.hasUnclaimedPart()) {
        working++;
        return new Claim(filling, filling.claimPart());
      }
      if (busy && !planning && !ended && outstanding < maxWindows) {
        working++;
        planning = true;
        return new Claim(null, 0);
      }
      wait();
    }
    return null;
  }

  private void work(Claim claim, VectorSource source) throws IOException {
    ReadWindow claimed = claim.window();
    if (claimed != null) {
      claimed.fill(claim.part(), source);
      synchronized (this) {
        claimed.partIsDone();
      }
      return;
    }
    ReadWindow next = windows.next();
    synchronized (this) {
      if (next == null) {
        ended = true;
      } else {
        outstanding++;
        planned.add(next);
        filling = next;
      }
    }
  }

  private synchronized void finished(Claim claim, @Nullable Throwable problem) {
    if (problem != null && failure == null) {
      failure = problem;
    }
    if (claim.window() == null) {
      planning = false;
    }
    working--;
    lastDone = System.nanoTime();
    notifyAll();
  }

  /**
   * Returns the exception that the consumer receives for a failed read, which is the original one
   * if its message contains the location.
   */
  private Throwable explain(Throwable problem, Gather.@Nullable Reading reading) {
    if (problem instanceof FormatException || problem instanceof Error) {
      return problem;
    }
    String message = problem.getMessage() == null ? problem.toString() : problem.getMessage();
    if (reading == null) {
      return new IOException(message.startsWith(path) ? message : path + ": " + message, problem);
    }
    return new IOException(
        "%s: %s, at %s %d".formatted(reading.path(), message, reading.unit(), reading.number()),
        problem);
  }

  private final class Worker extends Thread {
    private final VectorSource source;

    Worker(int number, VectorSource source) {
      super("saev-reader-" + number);
      this.source = source;
      setDaemon(true);
    }

    @Override
    public void run() {
      try (source) {
        for (Claim claim = claim(); claim != null; claim = claim()) {
          @Nullable Throwable problem = null;
          try {
            work(claim, source);
          } catch (IOException | RuntimeException | Error e) {
            problem = explain(e, source.reading());
            source.forgetReading();
          }
          finished(claim, problem);
        }
      } catch (InterruptedException | IOException e) {
        // Closed: no consumer waits for this thread.
        Thread.currentThread().interrupt();
      }
    }
  }
}
