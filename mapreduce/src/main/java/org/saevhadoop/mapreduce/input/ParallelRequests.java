package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends requests to a storage system, a limited number at a time. */
final class ParallelRequests implements AutoCloseable {
  /** A NameNode answers a request in a fraction of the time that the request takes to arrive. */
  private static final int MAX_CONCURRENT = 16;

  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          MAX_CONCURRENT,
          task -> {
            Thread thread = new Thread(task, "block-locations");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Runs requests and waits for all of them.
   *
   * @throws IOException if a request fails
   */
  void run(List<Callable<Void>> requests) throws IOException {
    List<Future<Void>> running = new ArrayList<>(requests.size());
    requests.forEach(request -> running.add(threads.submit(request)));
    try {
      for (Future<Void> request : running) {
        request.get();
      }
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

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
