package org.saevhadoop.format.gzip;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads shared by all files; idle threads end after some time. */
final class CompressionWorkers {
  static final int MAX_THREADS = Runtime.getRuntime().availableProcessors();

  private static final int IDLE_SECONDS = 5;
  private static final ThreadPoolExecutor POOL =
      new ThreadPoolExecutor(
          MAX_THREADS,
          MAX_THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> {
            Thread thread = new Thread(task, "gzip");
            thread.setDaemon(true);
            return thread;
          });

  static {
    POOL.allowCoreThreadTimeOut(true);
  }

  private CompressionWorkers() {}

  static void start(FutureTask<?> task) {
    POOL.execute(task);
  }

  /** Waits for a task, or runs it in the calling thread if no worker has started it. */
  static <T> T result(FutureTask<T> task, String path) throws IOException {
    task.run();
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException(path + ": interrupted").initCause(e);
    } catch (ExecutionException e) {
      throw new IOException(path + ": a thread of gzip failed: " + e.getCause(), e.getCause());
    }
  }
}
