package org.saevhadoop.jobs.source;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;

/**
 * The events of work on one of several sources. They wait for the turn of the source, so that they
 * appear in the order of the sources; only the submission of a job is reported at once, because the
 * job can outlive the command.
 */
final class TurnListener implements RunListener {
  private record Event(Runnable call, boolean isMessage) {}

  private final RunListener listener;
  private final List<Event> waiting = new ArrayList<>();
  private boolean hasTurn;

  /**
   * @param listener is used by one thread at a time, which holds its lock
   */
  TurnListener(RunListener listener) {
    this.listener = listener;
  }

  /** Begins the turn: passes on the events that wait, and then each event when it occurs. */
  void begin() {
    synchronized (listener) {
      hasTurn = true;
      waiting.forEach(event -> event.call.run());
      waiting.clear();
    }
  }

  /**
   * Passes on the events of a source whose turn has not come because the work was stopped, except
   * messages, which are about work that no longer matters.
   */
  void end() {
    synchronized (listener) {
      waiting.removeIf(Event::isMessage);
      begin();
    }
  }

  private void pass(Runnable call, boolean isMessage) {
    synchronized (listener) {
      if (hasTurn) {
        call.run();
      } else {
        waiting.add(new Event(call, isMessage));
      }
    }
  }

  @Override
  public void message(String line) {
    pass(() -> listener.message(line), true);
  }

  @Override
  public void detail(String line) {
    pass(() -> listener.detail(line), true);
  }

  @Override
  public void warning(String line) {
    pass(() -> listener.warning(line), false);
  }

  @Override
  public void job(RunningJob job) {
    synchronized (listener) {
      listener.job(job);
    }
  }

  /** {@inheritDoc} Progress before the turn of the source is not shown. */
  @Override
  public void progress(RunningJob job, long done, long total) {
    synchronized (listener) {
      if (hasTurn) {
        listener.progress(job, done, total);
      }
    }
  }

  @Override
  public void result(FinishedJob job) {
    pass(() -> listener.result(job), false);
  }
}
