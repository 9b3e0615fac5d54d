package org.saevhadoop.format.io;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Forces files to the disk on a separate thread, so that the disk writes while the next bytes or
 * files are produced. Requests run in order. All methods must be called by one thread.
 */
final class ForceQueue {
  /** The number of bytes written to a file after which the file is forced. */
  static final int STEP_BYTES = 16 << 20;

  /**
   * Maximum number of unfinished requests. The maximum limits both the number of open files and the
   * number of steps whose bytes are not yet on the disk.
   */
  static final int MAX_PENDING = 8;

  private static final int IDLE_SECONDS = 1;

  private final Executor thread;
  private final Queue<FutureTask<?>> pending = new ArrayDeque<>();

  ForceQueue() {
    this(newThread());
  }

  ForceQueue(Executor thread) {
    this.thread = thread;
  }

  /** Returns an executor with one thread, which ends when it is idle. */
  private static Executor newThread() {
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread created = new Thread(task, "fsync");
              created.setDaemon(true);
              return created;
            });
    thread.allowCoreThreadTimeOut(true);
    return thread;
  }

  /**
   * Adds a request, and waits for earlier requests if there are too many.
   *
   * @throws IOException if an earlier request has failed; the new request runs nevertheless
   */
  void add(Io.Action request) throws IOException {
    FutureTask<?> added =
        new FutureTask<>(
            () -> {
              request.run();
              return true;
            });
    pending.add(added);
    thread.execute(added);
    while (pending.size() > MAX_PENDING || !pending.isEmpty() && pending.element().isDone()) {
      await(pending.remove());
    }
  }

  /**
   * Waits until all requests are finished.
   *
   * @throws IOException if a request has failed
   */
  void await() throws IOException {
    while (!pending.isEmpty()) {
      await(pending.remove());
    }
  }

  private static void await(FutureTask<?> request) throws IOException {
    try {
      request.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IOException(e.getCause());
    }
  }
}
