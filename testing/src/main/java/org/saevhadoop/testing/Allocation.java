package org.saevhadoop.testing;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/** Bounds the memory that code allocates on the heap. */
public final class Allocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /** Code that may throw an {@code IOException}. */
  @FunctionalInterface
  public interface Body<T> {
    T run() throws IOException;
  }

  /**
   * Runs code, and checks, even if the code fails, that it allocates at most the given number of
   * bytes. If the code allocates more, it is run again, because classes are loaded, and
   * instrumented for a fuzzer, only once.
   */
  public static <T> T atMost(long bytes, Body<T> body) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      return body.run();
    } finally {
      if (THREADS.getCurrentThreadAllocatedBytes() - before > bytes) {
        check(bytes, body);
      }
    }
  }

  private static void check(long bytes, Body<?> body) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      body.run();
    } catch (IOException e) {
      // the first run fails in the same way
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    if (allocated > bytes) {
      throw new AssertionError(allocated + " bytes were allocated, more than " + bytes);
    }
  }
}
