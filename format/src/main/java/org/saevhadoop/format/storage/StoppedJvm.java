package org.saevhadoop.format.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Io;

/** The shutdown of the JVM by a signal: shutdown hooks clean up while all threads continue. */
public final class StoppedJvm {
  private static final Thread PROBE = new Thread(() -> {});
  private static final Object WORK = new Object();

  private static final List<Hook> HOOKS = new ArrayList<>();

  private static final Object RUN = new Object();
  private static boolean isRegistered;

  private record Hook(Thread thread, int priority) {}

  private StoppedJvm() {}

  /** Returns whether the JVM is shutting down; failures of other threads are then a consequence. */
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
   * @param hook the hook, as a thread that has not been started
   * @param priority the priority; hooks with higher numbers run earlier
   * @throws InterruptedIOException if the JVM is being stopped; it is then undefined whether the
   *     hook runs
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
   * Runs the hooks, and returns when all of them have ended, even if other threads run them.
   * Storages that are closed when the JVM ends call this method before they close.
   */
  public static void runHooks() {
    try {
      synchronized (RUN) {
        for (Thread hook = next(); hook != null; hook = next()) {
          hook.start(); // a failure ends only the thread of its hook
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
   * Does work that a hook would have to undo, such as creating folders.
   *
   * @throws InterruptedIOException if the JVM is being stopped
   */
  public static void unlessStopping(Io.Action work) throws IOException {
    synchronized (WORK) {
      if (isStopping()) {
        throw stopped();
      }
      work.run();
    }
  }

  /** Waits for the end of work that began before the JVM was stopped. Called by hooks. */
  public static void awaitWork() {
    synchronized (WORK) {
      return; // no other work can begin now
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
