package org.saevhadoop.jobs.source;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;

/**
 * The events of work on one of several sources. They wait for the turn of the source, so that they
 * appear in the order of the sources.
 */
final class TurnListener implements RunListener {
  private record Event(Runnable call, boolean isWarning) {}

  private final RunListener listener;
  private final List<Event> waiting = new ArrayList<>();
  private boolean hasTurn;

  TurnListener(RunListener listener) {
    this.listener = listener;
  }

  /** Begins the turn: passes on the events that wait, and then each event when it occurs. */
  synchronized void begin() {
    hasTurn = true;
    waiting.forEach(event -> event.call.run());
    waiting.clear();
  }

  /** Passes on the warnings of a source whose turn has not come because the work was stopped. */
  synchronized void end() {
    waiting.removeIf(event -> !event.isWarning);
    begin();
  }

  private synchronized void pass(Runnable call, boolean isWarning) {
    if (hasTurn) {
      call.run();
    } else {
      waiting.add(new Event(call, isWarning));
    }
  }

  @Override
  public void message(String line) {
    pass(() -> listener.message(line), false);
  }

  @Override
  public void detail(String line) {
    pass(() -> listener.detail(line), false);
  }

  @Override
  public void warning(String line) {
    pass(() -> listener.warning(line), true);
  }

  @Override
  public void job(RunningJob job) {
    pass(() -> listener.job(job), false);
  }

  /** {@inheritDoc} Progress before the turn of the source is not shown. */
  @Override
  public synchronized void progress(RunningJob job, long done, long total) {
    if (hasTurn) {
      listener.progress(job, done, total);
    }
  }

  @Override
  public void result(FinishedJob job) {
    pass(() -> listener.result(job), false);
  }
}
