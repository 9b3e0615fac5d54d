package org.saevhadoop.format.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The end of the JVM by a signal: shutdown hooks clean up while all threads continue. */
public final class StoppedJvm {
  private static final Thread PROBE = new Thread(() -> {});
  private static final Object WORK = new Object();

  /** The hooks that have not run, and their priorities. */
  private static final List<Hook> HOOKS = new ArrayList<>();

  private static final Object RUN = new Object();
  private static boolean isRegistered;

  private record Hook(Thread thread, int priority) {}

  private StoppedJvm() {}

  /** Returns whether shutdown hooks run, so that failures are a consequence. */
  public static synchronized boolean isStopping() {
    try {
      Runtime.getRuntime().addShutdownHook(PROBE);
      Runtime.getRuntime().removeShutdownHook(PROBE);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /**
   * Adds a hook.
   *
   * @param hook the hook; the thread is not started
   * @param priority a higher number than the priority of a hook that must run later
   * @throws InterruptedIOException if the JVM is being stopped; the hook may run nevertheless
   */
  public static void addHook(Thread hook, int priority) throws InterruptedIOException {
    synchronized (HOOKS) {
      if (!isStopping()) {
        HOOKS.add(new Hook(hook, priority));
        if (!isRegistered) {
          Runtime.getRuntime().addShutdownHook(new Thread(StoppedJvm::runHooks));
          isRegistered = true;
        }
      }
    }
    if (isStopping()) { // the hooks may have run before this one was added
      throw stopped();
    }
  }

  /**
   * Runs the hooks, and returns when they have ended, on whatever thread. Storages that end with
   * the JVM call it first.
   */
  public static void runHooks() {
    try {
      synchronized (RUN) {
        for (Thread hook = next(); hook != null; hook = next()) {
          hook.start(); // a failure ends its own thread only
          hook.join();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Hadoop has waited long enough
    }
  }

  private static @Nullable Thread next() {
    synchronized (HOOKS) {
      Hook next = HOOKS.stream().max(Comparator.comparingInt(Hook::priority)).orElse(null);
      HOOKS.remove(next);
      return next == null ? null : next.thread;
    }
  }

  /**
   * Does work that a hook would have to undo, such as the creation of folders.
   *
   * @throws InterruptedIOException if the JVM is being stopped
   */
  public static void unlessStopping(IoAction work) throws IOException {
    synchronized (WORK) {
      if (isStopping()) {
        throw stopped();
      }
      work.run();
    }
  }

  /** Waits, on the thread of a hook, for the end of work that began before. */
  public static void awaitWork() {
    synchronized (WORK) {
      return; // no more work begins
    }
  }

  private static InterruptedIOException stopped() {
    return new InterruptedIOException("the command was stopped");
  }

  /** Removes a hook, unless the JVM is being stopped. */
  public static void removeHook(Thread hook) {
    if (!isStopping()) {
      synchronized (HOOKS) {
        HOOKS.removeIf(found -> found.thread == hook);
      }
    }
  }
}
