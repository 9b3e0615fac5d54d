package org.saevhadoop.format.arrays.file;

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
import org.jspecify.annotations.Nullable;

/**
 * The contents of files, in their order. Several threads read headers ahead, because a storage
 * takes longer to open a file than to read its header.
 */
public final class ContentReads implements AutoCloseable {
  private static final int THREADS = 8;

  /** The number of files from which on threads are worth starting. */
  private static final int MANY_FILES = 32;

  /** The maximum number of contents in memory that have not been asked for. */
  private static final int AHEAD = 32;

  private final Iterator<ArrayFiles.Found> files;
  private final ArrayReader reader;
  private final Queue<Future<ArrayFile>> running = new ArrayDeque<>();

  /** Null if there are few files, which the calling thread reads. */
  private final @Nullable ExecutorService threads;

  /** Creates reads of files, none of which has begun. */
  public ContentReads(List<ArrayFiles.Found> files, ArrayReader reader) {
    this.files = files.iterator();
    this.reader = reader;
    this.threads =
        files.size() < MANY_FILES
            ? null
            : Executors.newFixedThreadPool(THREADS, ContentReads::thread);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "array-headers");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the content of the next file, of which there must be one. */
  public ArrayFile next() throws IOException {
    if (threads == null) {
      ArrayFiles.Found file = files.next();
      return reader.read(file.folder(), file.name());
    }
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
    if (threads != null) {
      threads.shutdownNow();
    }
  }
}
