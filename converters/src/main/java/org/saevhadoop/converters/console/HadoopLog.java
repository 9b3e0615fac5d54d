package org.saevhadoop.converters.console;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapred.LocalJobRunner;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.ConsoleAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Configures Hadoop's log. It is off by default; only failures in the local runner are recorded,
 * because that runner reports them nowhere else.
 */
public final class HadoopLog {
  private static final AtomicReference<Throwable> LAST_LOCAL_FAILURE = new AtomicReference<>();

  private HadoopLog() {}

  public static void configure(boolean verbose) {
    Logger root = Logger.getRootLogger();
    root.removeAllAppenders();
    root.addAppender(
        new ConsoleAppender(
            new PatternLayout("%d{HH:mm:ss} %-5p %c{1}: %m%n"), ConsoleAppender.SYSTEM_ERR));
    root.setLevel(verbose ? Level.INFO : Level.OFF);
    Logger local = Logger.getLogger(LocalJobRunner.class);
    local.removeAllAppenders();
    local.setLevel(verbose ? Level.INFO : Level.WARN);
    local.setAdditivity(verbose);
    local.addAppender(new FailureKeeper());
  }

  /** Returns and clears the last failure that the local runner logged; null if there is none. */
  public static Throwable takeLocalFailure() {
    return LAST_LOCAL_FAILURE.getAndSet(null);
  }

  private static final class FailureKeeper extends AppenderSkeleton {
    @Override
    protected void append(LoggingEvent event) {
      if (event.getThrowableInformation() != null) {
        LAST_LOCAL_FAILURE.set(event.getThrowableInformation().getThrowable());
      }
    }

    @Override
    public void close() {
      // no open resources
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }
}
