package org.saevhadoop.converters.console;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.storage.StoppedJvm;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;
import org.saevhadoop.mapreduce.conf.CommandConfiguration;

/**
 * The environment of a command: its own configuration, which it may change, and the streams to
 * which it and its jobs print. Commands use no other state of the JVM, so several commands can run
 * in one JVM.
 */
public final class Console implements RunListener, Closeable {
  /**
   * The system property that names the folder to which snappy-java extracts its native library. If
   * java.io.tmpdir is full, snappy-java prints a stack trace.
   */
  private static final String SNAPPY_FOLDER = "org.xerial.snappy.tempdir";

  /** The line that reports a signal. */
  public static final String INTERRUPTED = "interrupted";

  /** The prefix of the last line of a note or an error, which contains a command to paste. */
  public static final String NEXT = "next: ";

  private static final int COLUMNS = 80;
  private static final String CONVERT = "convert: ";
  private static final String INDENT = "  ";

  private final CommandConfiguration conf;
  private final DatasetFormats formats;
  private final PrintStream out;
  private final PrintStream err;
  private final PrintWriter text;
  private final List<FinishedJob> jobs = new ArrayList<>();
  private Display display = Display.DEFAULT;
  private CalledProgram called = CalledProgram.UNKNOWN;
  private @Nullable String source;
  private @Nullable JobRunner runner;
  private volatile @Nullable ProgressDisplay progress;
  private final Set<String> states = new HashSet<>();
  private boolean isInterrupted;
  private String converting = "convert";

  /** Creates the environment of a command whose configuration already exists. */
  public Console(Configuration conf, DatasetFormats formats, PrintStream out, PrintStream err) {
    this(CommandConfiguration.of(conf), formats, out, err);
  }

  /**
   * @param conf the configuration that becomes the command's own
   * @param out receives results
   * @param err receives progress, warnings and errors
   */
  public Console(
      CommandConfiguration conf, DatasetFormats formats, PrintStream out, PrintStream err) {
    this.conf = conf;
    this.formats = formats;
    this.out = out;
    this.err = err;
    this.text = new PrintWriter(out, true);
  }

  /** Returns the runner of the command's jobs, which is closed with the console. */
  public JobRunner runner() throws IOException {
    if (runner == null) {
      runner = JobRunner.open(conf, this, formats);
      if (System.getProperty(SNAPPY_FOLDER) == null) {
        System.setProperty(SNAPPY_FOLDER, JobRunner.temporaryRoot(runner.configured()).toString());
      }
    }
    return runner;
  }

  public DatasetFormats formats() {
    return formats;
  }

  /** Returns the writer for text results. */
  public PrintWriter out() {
    return text;
  }

  /** Returns the stream for binary results. */
  public PrintStream bytes() {
    return out;
  }

  /** Returns the stream for all output except results. */
  public PrintStream err() {
    return err;
  }

  /** Sets the output that the command shows in addition to results and errors. */
  public void use(Display shown) {
    display = shown;
  }

  /** Sets how the program was called. */
  public void use(CalledProgram program) {
    called = program;
  }

  /** Returns how the program was called. */
  public CalledProgram called() {
    return called;
  }

  /**
   * Shows a note that ends with a command.
   *
   * @param line the command line
   */
  public synchronized void next(String note, String line) {
    if (showsNotes()) {
      show("note: " + note);
      err.println(NEXT + Quote.show(line));
    }
  }

  /** Records the path of the dataset that the command reads. */
  public void reads(String path) {
    source = path;
  }

  /** Returns the path of the dataset that the command reads; null until it is known. */
  public @Nullable String source() {
    return source;
  }

  /** Returns the jobs that have succeeded so far. */
  public List<FinishedJob> jobs() {
    return List.copyOf(jobs);
  }

  /**
   * Sets the command that runs a conversion as its last step; messages of the conversion name this
   * command.
   */
  public void convertsFor(String command) {
    converting = command;
  }

  @Override
  public synchronized void message(String line) {
    if (showsNotes()) {
      show(line.startsWith(CONVERT) ? converting + line.substring(CONVERT.length() - 2) : line);
    }
  }

  private boolean showsNotes() {
    return display.notes() && !isInterrupted && !StoppedJvm.isStopping();
  }

  private void show(String line) {
    err.println(fold(Quote.show(line)));
  }

  /** Reports, once, that a signal has ended the command. */
  public synchronized void interrupted() {
    if (!isInterrupted) {
      isInterrupted = true;
      if (progress != null) {
        progress.close(); // later output must not continue its line
      }
      err.println(INTERRUPTED);
    }
  }

  @Override
  public synchronized void stopped(String line) {
    interrupted();
    if (display.notes() && states.add(line)) { // staged data has its own folder
      show(line);
    }
  }

  @Override
  public void detail(String line) {
    if (display.details()) {
      message(line);
    }
  }

  @Override
  public void warning(String line) {
    message("warning: " + line);
  }

  /**
   * Folds a line at spaces to the width of a terminal. A line with a path is not folded, so that
   * the path can be copied.
   */
  static String fold(String line) {
    if (line.length() <= COLUMNS || line.indexOf('/') >= 0) {
      return line;
    }
    StringBuilder folded = new StringBuilder();
    int column = 0;
    for (String word : line.split(" ")) {
      if (column > 0 && column + 1 + word.length() > COLUMNS) {
        folded.append(System.lineSeparator()).append(INDENT);
        column = INDENT.length();
      } else if (column > 0) {
        folded.append(' ');
        column++;
      }
      folded.append(word);
      column += word.length();
    }
    return folded.toString();
  }

  @Override
  public void job(RunningJob job) {
    if (job.application() != null) {
      message("%s: %s, %s".formatted(job.step(), job.application(), job.trackingUrl()));
    }
  }

  @Override
  public void progress(RunningJob job, long done, long total) {
    if (!display.progress() || StoppedJvm.isStopping()) {
      return;
    }
    if (progress == null) {
      progress = ProgressDisplay.of(job.step(), total, display.color(), err);
    }
    progress.at(done);
  }

  /**
   * Returns the progress of a command that reads data itself and prints results while it reads. If
   * results can appear on the same terminal, a line is printed every ten seconds instead of a bar.
   *
   * @param bytes the number of bytes that the command reads
   */
  public ProgressDisplay progress(String command, long bytes) {
    if (!display.progress()) {
      return ProgressDisplay.NONE;
    }
    return System.console() == null
        ? ProgressDisplay.of(command, bytes, display.color(), err)
        : new ProgressDisplay.Lines(command, bytes, err);
  }

  @Override
  public void result(FinishedJob job) {
    if (progress != null) {
      progress.close();
      progress = null;
    }
    if (job.succeeded()) {
      jobs.add(job);
    }
  }

  /** Deletes temporary files. */
  @Override
  public void close() throws IOException {
    if (runner != null) {
      runner.close();
    }
  }
}
