package org.saevhadoop.converters.console;

import java.io.PrintStream;
import org.apache.hadoop.mapred.LocalJobRunner;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;

/**
 * Configures Hadoop's log. The log is off by default, except that failures of the local runner are
 * passed to listeners, because they are reported nowhere else.
 */
public final class HadoopLog {
  private static final Logger ROOT = Logger.getRootLogger();
  private static final Logger LOCAL = Logger.getLogger(LocalJobRunner.class);

  private static boolean configured;
  private static int shown;

  private final WriterAppender appender;

  private HadoopLog(WriterAppender appender) {
    this.appender = appender;
  }

  /** Silences the log, unless a command already shows it. */
  public static synchronized void silence() {
    if (!configured) {
      configured = true;
      ROOT.removeAllAppenders();
      setLevels();
    }
  }

  /** Shows the log on a stream, until it is closed. */
  public static synchronized HadoopLog show(PrintStream err) {
    silence();
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

  /** Stops showing the log. */
  public void close() {
    synchronized (HadoopLog.class) {
      ROOT.removeAppender(appender);
      shown--;
      setLevels();
    }
  }
}
