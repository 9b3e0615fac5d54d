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
 * The surroundings of a command: a configuration of its own, which it may change, and the streams
 * to which it prints, progress and warnings of its jobs included. Commands use nothing else of the
 * JVM, so several can run in one JVM.
 */
public final class Console implements RunListener, Closeable {
  /**
   * The property of the folder to which snappy-java extracts its native library. If java.io.tmpdir
   * is full, it prints a stack trace.
   */
  private static final String SNAPPY_FOLDER = "org.xerial.snappy.tempdir";

  /** The line that reports a signal. */
  public static final String INTERRUPTED = "interrupted";

  /** The beginning of the last line of a note or an error, which has a command to paste. */
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

  /** Creates the surroundings of a command whose configuration exists already. */
  public Console(Configuration conf, DatasetFormats formats, PrintStream out, PrintStream err) {
    this(CommandConfiguration.of(conf), formats, out, err);
  }

  /**
   * @param conf becomes the command's own
   * @param out takes results
   * @param err takes progress, warnings and errors
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

  /** Sets what the command shows in addition to results and errors. */
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
   * Shows a note that ends in a command.
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

  /** Returns the path of the dataset that the command reads; null as long as it is not known. */
  public @Nullable String source() {
    return source;
  }

  /** Returns the jobs that have succeeded so far. */
  public List<FinishedJob> jobs() {
    return List.copyOf(jobs);
  }

  /** Sets the command that runs a conversion as its last step, whose messages are its own. */
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
        progress.close(); // what follows must not continue its line
      }
      err.println(INTERRUPTED);
    }
  }

  @Override
  public synchronized void stopped(String line) {
    interrupted();
    if (display.notes() && states.add(line)) { // what is staged has a folder of its own
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
   * Folds a line at spaces to the width of a terminal. A line with a path stays as it is, so that
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
   * these may appear on the same terminal, no bar is drawn between them, but a line is printed
   * every ten seconds.
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
