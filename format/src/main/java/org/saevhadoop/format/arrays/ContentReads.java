package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The contents of files, in their order. Several threads read headers ahead, because a storage
 * takes longer to open a file than to read its header.
 */
final class ContentReads implements AutoCloseable {
  private static final int THREADS = 8;

  /** The number of files from which on threads are worth starting. */
  static final int MANY_FILES = 32;

  /** The maximum number of contents in memory that have not been asked for. */
  private static final int AHEAD = 32;

  private final Iterator<ArrayFiles.Found> files;
  private final ArrayReader reader;
  private final Queue<Future<ArrayFile>> running = new ArrayDeque<>();
  private final ExecutorService threads;

  ContentReads(List<ArrayFiles.Found> files, ArrayReader reader) {
    this.files = files.iterator();
    this.reader = reader;
    this.threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "array-headers");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Returns the content of the next file, of which there must be one. */
  ArrayFile next() throws IOException {
    while (running.size() < AHEAD && files.hasNext()) {
      ArrayFiles.Found file = files.next();
      running.add(threads.submit(() -> reader.read(file.folder(), file.name())));
    }
    try {
      return running.remove().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      if (e.getCause() instanceof RuntimeException failed) {
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
