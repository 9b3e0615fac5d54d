package org.saevhadoop.converters.console;

import java.io.PrintStream;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.io.Quote;

/**
 * The surroundings of a command: a configuration of its own, which it may change, and the streams
 * to which it prints. Commands use nothing else of the JVM, so several can run in it at once.
 */
public final class Console {
  private final Configuration conf;
  private final PrintStream out;
  private final PrintStream err;
  private final PrintWriter text;

  /**
   * @param conf becomes the command's own
   * @param out takes results
   * @param err takes progress, warnings and errors
   */
  public Console(Configuration conf, PrintStream out, PrintStream err) {
    this.conf = conf;
    this.out = out;
    this.err = err;
    this.text = new PrintWriter(out, true);
  }

  public Configuration conf() {
    return conf;
  }

  /** Returns the writer of results that are text. */
  public PrintWriter out() {
    return text;
  }

  /** Returns the stream of results that are bytes. */
  public PrintStream bytes() {
    return out;
  }

  /** Returns the stream of everything but results. */
  public PrintStream err() {
    return err;
  }

  /** Prints a warning, on one line. */
  public void warn(String warning) {
    err.println("warning: " + Quote.show(warning));
  }
}
