package org.saevhadoop.jobs.server;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.ContactKeys;

/**
 * Polls the NameNodes that a command uses, and reports when one does not answer and when it answers
 * again: Hadoop's clients wait for minutes without a message.
 */
final class ServerWatch implements Closeable {
  /** The number of requests within the time limit of the first contact. */
  private static final long QUESTIONS = 3;

  private final Consumer<String> warnings;
  private final Configuration conf;
  private final long seconds;

  /**
   * The time at which each server stopped answering, by the URI of its file system; null if it
   * answers.
   */
  private final Map<URI, Long> silent = new HashMap<>();

  private final ScheduledExecutorService asker =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "watch of servers");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Creates a watch of servers.
   *
   * @param command the configuration of the command, which is not changed
   * @param warnings accepts warnings, on a thread of the watch
   */
  ServerWatch(Configuration command, Consumer<String> warnings) {
    this.warnings = warnings;
    this.conf = new Configuration(command);
    this.seconds = Math.max(1, ConfSettings.get(conf, ContactKeys.TIMEOUT) / QUESTIONS);
    ConfSettings.set(conf, ContactKeys.TIMEOUT, seconds);
  }

  /**
   * Watches a server that has answered.
   *
   * @param root the URI of its file system
   */
  synchronized void add(RemoteServer server, URI root) {
    if (!silent.containsKey(root)) {
      silent.put(root, null);
      asker.scheduleWithFixedDelay(() -> ask(server, root), seconds, seconds, TimeUnit.SECONDS);
    }
  }

  private void ask(RemoteServer server, URI root) {
    try {
      boolean answers = new Servers(conf, warning -> {}).answers(server, root);
      report(server, root, answers);
    } catch (IOException e) {
      // the command itself reports the problem, such as an expired ticket
    }
  }

  private synchronized void report(RemoteServer server, URI root, boolean answers) {
    Long since = silent.get(root);
    long now = System.nanoTime();
    if (!answers && since == null) {
      silent.put(root, now);
      warnings.accept(
          "the %s %s does not answer; requests to it are repeated %s"
              .formatted(
                  server.role(), server.shownAddresses(), ServerRetries.nameNodeTimes(conf)));
    } else if (answers && since != null) {
      silent.put(root, null);
      warnings.accept(
          "the %s %s answers again, after %d s"
              .formatted(
                  server.role(),
                  server.shownAddresses(),
                  TimeUnit.NANOSECONDS.toSeconds(now - since)));
    }
  }

  @Override
  public void close() {
    asker.shutdownNow();
  }
}
