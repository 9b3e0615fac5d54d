package org.saevhadoop.jobs.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.saevhadoop.jobs.run.JobRunner;

/**
 * Work on several sources at the same time, with the results, the events and the failure of work on
 * one source after another.
 */
final class SourceTurns {
  private SourceTurns() {}

  /** Work on one source. */
  @FunctionalInterface
  interface Work<R> {
    R on(int source, JobRunner runner) throws IOException, InterruptedException;
  }

  /**
   * Works on sources, and returns their results. If the work on a source fails, no further work is
   * begun, the work on earlier sources is awaited, and the work on later ones is stopped. If
   * several sources fail, the failure of the first one is thrown.
   *
   * @param sources the indexes of the sources in their order
   * @param work is called for each source, with a runner for this source
   * @throws InterruptedException if the thread is interrupted; all work has ended, as after any
   *     other failure
   */
  static <R> SortedMap<Integer, R> run(List<Integer> sources, Work<R> work, JobRunner runner)
      throws IOException, InterruptedException {
    SortedMap<Integer, R> results = new TreeMap<>();
    List<TurnListener> turns = new ArrayList<>();
    ExecutorService threads =
        Executors.newFixedThreadPool(runner.maxJobs(), task -> new Thread(task, "source"));
    try {
      List<Future<R>> ends = new ArrayList<>();
      AtomicInteger failed = new AtomicInteger(Integer.MAX_VALUE);
      for (int source : sources) {
        TurnListener turn = new TurnListener(runner.listener());
        JobRunner own = runner.reportingTo(turn);
        turns.add(turn);
        Callable<R> call = unlessFailed(failed, turns.size(), () -> work.on(source, own));
        ends.add(threads.submit(own.asUser(call)));
      }
      for (int i = 0; i < ends.size(); i++) {
        turns.get(i).begin();
        results.put(sources.get(i), result(ends.get(i)));
      }
      return results;
    } finally {
      stop(threads);
      turns.forEach(TurnListener::end);
    }
  }

  /**
   * Stops all work and waits for its end, as long as jobs are killed. A further interrupt does not
   * shorten the wait, because the caller deletes the folders to which the work writes.
   */
  private static void stop(ExecutorService threads) {
    threads.shutdownNow();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns a call that does work unless the work on an earlier source has failed. The failure of a
   * later source does not matter: its thread may have begun first.
   *
   * @param failed the lowest turn whose work has failed
   */
  private static <R> Callable<R> unlessFailed(AtomicInteger failed, int turn, Callable<R> work) {
    return () -> {
      if (failed.get() < turn) {
        throw new CancellationException(); // nothing asks for it after the failure
      }
      try {
        return work.call();
      } catch (Throwable e) {
        failed.accumulateAndGet(turn, Math::min);
        throw e;
      }
    };
  }

  private static <R> R result(Future<R> end) throws IOException, InterruptedException {
    try {
      return end.get();
    } catch (ExecutionException e) {
      Throwable failure = e.getCause();
      if (failure instanceof IOException io) {
        throw io;
      }
      if (failure instanceof RuntimeException runtime) {
        throw runtime;
      }
      if (failure instanceof Error error) {
        throw error;
      }
      throw new IOException(failure);
    }
  }
}
