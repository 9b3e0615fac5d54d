package org.saevhadoop.format.reader;

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
import org.saevhadoop.format.io.FormatException;

/**
 * Fills windows with some threads, ahead of the one thread that takes them, in their order. A
 * window says beforehand where each vector goes, so which thread does what makes no difference. A
 * read that fails or hangs ends the waiting of the taker with an error.
 */
final class ReadAhead implements Closeable {
  /** Says what there is to read, window by window: null at the end. */
  @FunctionalInterface
  interface Windows {
    ReadWindow next() throws IOException;
  }

  /** Some work of a thread: a part of a window, or the next window where that is null. */
  private record Claim(ReadWindow window, int part) {}

  /** How long {@link #close} waits for threads before, and then after it interrupts them. */
  private static final long GRACE_MILLIS = 1000;

  /** A longer timeout is none, and would not fit the nanoseconds of a long. */
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(36_500);

  private final String path;
  private final BatchPool pool;
  private final int most;
  private final Duration timeout;
  private final List<Worker> workers = new ArrayList<>();
  private final Deque<ReadWindow> planned = new ArrayDeque<>();
  private Windows windows;
  private ReadWindow filling;
  private int outstanding;
  private int working;
  private boolean planning;
  private boolean ended = true;
  private boolean stopped;
  private boolean closed;
  private long lastDone = System.nanoTime();
  private Throwable failure;
  private ReadWindow taken;
  private int batch;

  /**
   * @param path how errors name the dataset
   * @param most how many windows there may be at once, the one included that is being read
   */
  ReadAhead(
      String path,
      BatchPool pool,
      Supplier<VectorSource> sources,
      ReaderOptions options,
      int most) {
    this.path = path;
    this.pool = pool;
    this.most = most;
    boolean tooLong = options.batchTimeout().compareTo(LONGEST_TIMEOUT) > 0;
    this.timeout = tooLong ? LONGEST_TIMEOUT : options.batchTimeout();
    for (int i = 0; i < options.threads(); i++) {
      workers.add(new Worker(i, sources.get()));
    }
    try {
      workers.forEach(Thread::start);
    } catch (Error e) {
      // no more threads: those that there are would wait for ever
      close();
      throw e;
    }
  }

  /** Begins anew with other windows; what was not taken yet is dropped. */
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

  /** Moves to the next batch; false at the end. */
  boolean next() throws IOException {
    if (taken != null && ++batch < taken.batches().size()) {
      return true;
    }
    batch = 0;
    return nextWindow();
  }

  /** The batch that {@link #next} has moved to. */
  VectorBatch batch() {
    if (taken == null) {
      throw new IllegalStateException("there is no batch here (expected next() to be true)");
    }
    return taken.batches().get(batch);
  }

  /** Waits for the next window; false at the end. */
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
        throw failed();
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

  /** Ends all threads and any waiting for a batch, but does not wait for a thread that hangs. */
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

  /** Waits for news; throws where nothing was read for too long. */
  private void pause(long begun) throws IOException {
    long now = System.nanoTime();
    long quiet = Math.min(now - begun, now - lastDone);
    Gather.Reading oldest = null;
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
                  oldest == null ? "" : ", at " + oldest.place() + " " + oldest.number()));
    }
    try {
      TimeUnit.NANOSECONDS.timedWait(this, left + TimeUnit.MILLISECONDS.toNanos(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException(path + ": the wait was interrupted").initCause(e);
    }
  }

  private IOException failed() {
    if (failure instanceof Error error) {
      throw error;
    }
    return (IOException) failure;
  }

  private synchronized Claim claim() throws InterruptedException {
    while (!closed) {
      boolean busy = !stopped && failure == null;
      if (busy && filling != null && filling.hasUnclaimedPart()) {
        working++;
        return new Claim(filling, filling.claimPart());
      }
      if (busy && !planning && !ended && outstanding < most) {
        working++;
        planning = true;
        return new Claim(null, 0);
      }
      wait();
    }
    return null;
  }

  private void work(Claim claim, VectorSource source) throws IOException {
    if (claim.window() != null) {
      claim.window().fill(claim.part(), source);
      synchronized (this) {
        claim.window().partIsDone();
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

  private synchronized void finished(Claim claim, Throwable problem) {
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

  /** What the taker is told of a failed read: the error itself where it says where it is. */
  private Throwable explain(Throwable problem, Gather.Reading reading) {
    if (problem instanceof FormatException || problem instanceof Error) {
      return problem;
    }
    String message = problem.getMessage() == null ? problem.toString() : problem.getMessage();
    if (reading == null) {
      return new IOException(message.startsWith(path) ? message : path + ": " + message, problem);
    }
    return new IOException(
        "%s: %s, at %s %d".formatted(reading.path(), message, reading.place(), reading.number()),
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
          Throwable problem = null;
          try {
            work(claim, source);
          } catch (IOException | RuntimeException | Error e) {
            problem = explain(e, source.reading());
            source.forgetReading();
          }
          finished(claim, problem);
        }
      } catch (InterruptedException | IOException e) {
        // closed: nobody waits for this thread any more
        Thread.currentThread().interrupt();
      }
    }
  }
}
