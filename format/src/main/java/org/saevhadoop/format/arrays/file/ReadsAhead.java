package org.saevhadoop.format.arrays.file;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The results of reads of files, in their order. Several threads read ahead, because a storage
 * takes longer to open a file than to read its header.
 */
public final class ReadsAhead<T> implements AutoCloseable {
  private static final int THREADS = 8;

  /** The number of reads from which on threads are worth starting. */
  private static final int MANY = 32;

  /** The maximum number of results in memory that have not been asked for. */
  private static final int AHEAD = 32;

  private final Iterator<? extends Callable<T>> reads;
  private final Queue<Future<T>> running = new ArrayDeque<>();

  /** Null if there are few reads, which the calling thread does. */
  private final @Nullable ExecutorService threads;

  /**
   * Creates reads that have not begun.
   *
   * @param reads throw nothing but {@link IOException} and unchecked exceptions
   */
  public ReadsAhead(List<? extends Callable<T>> reads) {
    this.reads = reads.iterator();
    this.threads =
        reads.size() < MANY ? null : Executors.newFixedThreadPool(THREADS, ReadsAhead::thread);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "array-reads");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the result of the next read, which must exist. */
  public T next() throws IOException {
    try {
      if (threads == null) {
        return reads.next().call();
      }
      while (running.size() < AHEAD && reads.hasNext()) {
        running.add(threads.submit(reads.next()));
      }
      return running.remove().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } catch (ExecutionException e) {
      throw failure(Objects.requireNonNullElse(e.getCause(), e));
    } catch (Exception e) {
      throw failure(e);
    }
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
