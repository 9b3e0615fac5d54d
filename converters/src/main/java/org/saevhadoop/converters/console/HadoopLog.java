package org.saevhadoop.converters.console;

import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.mapred.LocalJobRunner;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Configures Hadoop's log. It is off by default; only failures in the local runner are recorded,
 * because that runner reports them nowhere else.
 */
public final class HadoopLog {
  private static final Logger ROOT = Logger.getRootLogger();
  private static final Logger LOCAL = Logger.getLogger(LocalJobRunner.class);

  /** Failures by the ids of their jobs. */
  private static final Map<String, Throwable> LOCAL_FAILURES = new ConcurrentHashMap<>();

  private static boolean configured;
  private static int shown;

  private final WriterAppender appender;

  private HadoopLog(WriterAppender appender) {
    this.appender = appender;
  }

  /** Silences the log, except for the commands that show it already. */
  public static synchronized void silence() {
    if (!configured) {
      configured = true;
      ROOT.removeAllAppenders();
      LOCAL.removeAllAppenders();
      LOCAL.addAppender(new FailureKeeper());
      setLevels();
    }
  }

  /** Shows the log on a stream if that is asked for, until it is closed. */
  public static synchronized HadoopLog open(boolean verbose, PrintStream err) {
    silence();
    if (!verbose) {
      return new HadoopLog(null);
    }
    WriterAppender appender =
        new WriterAppender(new PatternLayout("%d{HH:mm:ss} %-5p %c{1}: %m%n"), err);
    ROOT.addAppender(appender);
    shown++;
    setLevels();
    return new HadoopLog(appender);
  }

  private static void setLevels() {
    ROOT.setLevel(shown > 0 ? Level.INFO : Level.OFF);
    LOCAL.setLevel(shown > 0 ? Level.INFO : Level.WARN);
    LOCAL.setAdditivity(shown > 0);
  }

  /** Shows no more of the log. */
  public void close() {
    synchronized (HadoopLog.class) {
      if (appender != null) {
        ROOT.removeAppender(appender);
        shown--;
        setLevels();
      }
    }
  }

  /** Takes the failure that the local runner logged for a job; null where it logged none. */
  public static Throwable takeLocalFailure(String jobId) {
    return LOCAL_FAILURES.remove(jobId);
  }

  /** The local runner logs a failure with the id of the job as the message. */
  private static final class FailureKeeper extends AppenderSkeleton {
    @Override
    protected void append(LoggingEvent event) {
      if (event.getThrowableInformation() != null) {
        LOCAL_FAILURES.put(
            event.getRenderedMessage(), event.getThrowableInformation().getThrowable());
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
