package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/** The end of the JVM by a signal, for which shutdown hooks clean up while all threads go on. */
public final class StoppedJvm {
  private static final Thread PROBE = new Thread(() -> {});
  private static final Object WORK = new Object();

  private StoppedJvm() {}

  /** Returns whether shutdown hooks run, so that what fails is a consequence. */
  public static synchronized boolean isStopping() {
    try {
      Runtime.getRuntime().addShutdownHook(PROBE);
      Runtime.getRuntime().removeShutdownHook(PROBE);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Hadoop's timeout of hooks, for which it would parse its defaults again for each of them. */
  private static final class Timeout {
    static final long SECONDS =
        Math.max(
            1,
            new Configuration()
                .getTimeDuration(
                    CommonConfigurationKeysPublic.SERVICE_SHUTDOWN_TIMEOUT,
                    CommonConfigurationKeysPublic.SERVICE_SHUTDOWN_TIMEOUT_DEFAULT,
                    TimeUnit.SECONDS));
  }

  /**
   * Adds a hook.
   *
   * @param priority a higher number than that of a hook that must run later
   * @throws InterruptedIOException if the JVM is being stopped; the hook may run all the same
   */
  public static void addHook(Thread hook, int priority) throws InterruptedIOException {
    ShutdownHookManager hooks = ShutdownHookManager.get();
    try {
      hooks.addShutdownHook(hook, priority, Timeout.SECONDS, TimeUnit.SECONDS);
    } catch (IllegalStateException e) {
      throw (InterruptedIOException) stopped().initCause(e);
    }
    if (hooks.isShutdownInProgress()) { // the hooks may have been collected before this one
      throw stopped();
    }
  }

  /**
   * Does work that a hook would have to undo, such as the creation of folders.
   *
   * @throws InterruptedIOException if the JVM is being stopped
   */
  public static void unlessStopping(InvocationRaisingIOE work) throws IOException {
    synchronized (WORK) {
      if (isStopping()) {
        throw stopped();
      }
      work.apply();
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
    ShutdownHookManager hooks = ShutdownHookManager.get();
    if (!hooks.isShutdownInProgress()) {
      hooks.removeShutdownHook(hook);
    }
  }
}
