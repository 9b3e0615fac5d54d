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
 * Forces files to the disk on a thread of its own, so that the disk writes while the next bytes of
 * the same file, or the next files, are made. Requests run in their order. All methods must be
 * called by one thread.
 */
final class ForceQueue {
  /** The number of written bytes of a file after which it is forced. */
  static final int STEP_BYTES = 16 << 20;

  /**
   * Maximum number of requests that have not ended. It limits the number of open files; bytes that
   * are not on the disk are limited to this number of steps.
   */
  static final int MAX_PENDING = 8;

  private static final int IDLE_SECONDS = 1;

  /** Forces a file, or a part of it. */
  @FunctionalInterface
  interface Request {
    void run() throws IOException;
  }

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
   * Adds a request, and waits for earlier ones if there are too many.
   *
   * @throws IOException if an earlier request has failed; this one is carried out nevertheless
   */
  void add(Request request) throws IOException {
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
   * Waits until all requests have ended.
   *
   * @throws IOException if one of them has failed
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
