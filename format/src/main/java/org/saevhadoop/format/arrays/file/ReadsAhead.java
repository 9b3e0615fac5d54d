package org.saevhadoop.format.arrays.file;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The results of reading files, in order. Several threads read ahead, because opening a file in
 * storage takes longer than reading its header.
 */
public final class ReadsAhead<T> implements AutoCloseable {
  private static final int THREADS = 8;

  /** The minimum number of reads for which starting threads is worthwhile. */
  private static final int MANY = 32;

  /** The number of reads in a run, which is the unit of work of a thread. */
  private static final int RUN = 8;

  /** The maximum number of runs in memory whose results have not been requested. */
  private static final int AHEAD = 2 * THREADS;

  private final Iterator<? extends List<? extends Callable<T>>> runs;
  private final Queue<Future<List<Callable<T>>>> running = new ArrayDeque<>();
  private Iterator<? extends Callable<T>> results;

  /** Null if the calling thread performs the reads because there are few. */
  private final @Nullable ExecutorService threads;

  /**
   * Creates the reads without starting them.
   *
   * @param reads the reads, which throw only {@link IOException} and unchecked exceptions
   */
  public ReadsAhead(List<? extends Callable<T>> reads) {
    boolean isMany = reads.size() >= MANY;
    this.threads = isMany ? Executors.newFixedThreadPool(THREADS, ReadsAhead::thread) : null;
    this.results = isMany ? Collections.emptyIterator() : reads.iterator();
    this.runs =
        IntStream.iterate(0, begin -> begin < reads.size(), begin -> begin + RUN)
            .mapToObj(begin -> reads.subList(begin, Math.min(begin + RUN, reads.size())))
            .iterator();
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "array-reads");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the result of the next read, which must exist. */
  public T next() throws IOException {
    try {
      if (threads != null && !results.hasNext()) {
        while (running.size() < AHEAD && runs.hasNext()) {
          List<? extends Callable<T>> run = runs.next();
          running.add(threads.submit(() -> results(run)));
        }
        results = running.remove().get().iterator();
      }
      return results.next().call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } catch (ExecutionException e) {
      throw failure(Objects.requireNonNullElse(e.getCause(), e));
    } catch (Exception e) {
      throw failure(e);
    }
  }

  /** Reads up to the first failure and returns the results; the last result throws the failure. */
  private static <T> List<Callable<T>> results(List<? extends Callable<T>> reads) {
    List<Callable<T>> results = new ArrayList<>();
    for (Callable<T> read : reads) {
      try {
        T result = read.call();
        results.add(() -> result);
      } catch (Exception e) {
        results.add(
            () -> {
              throw e;
            });
        break;
      }
    }
    return results;
  }

  private static IOException failure(Throwable e) {
    if (e instanceof RuntimeException failed) {
      throw failed;
    }
    return e instanceof IOException failed ? failed : new IOException(e);
  }

  @Override
  public void close() {
    if (threads != null) {
      threads.shutdownNow();
    }
  }
}
