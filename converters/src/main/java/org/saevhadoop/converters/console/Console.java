package org.saevhadoop.converters.console;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.mapreduce.io.HadoopFolder;

/**
 * The surroundings of a command: a configuration of its own, which it may change, and the streams
 * to which it prints. Commands use nothing else of the JVM, so several can run in it at once.
 */
public final class Console implements Closeable {
  private final Configuration conf;
  private final PrintStream out;
  private final PrintStream err;
  private final PrintWriter text;
  private final ScratchFolder scratch;
  private String source;
  private final List<FinishedJob> jobs = new ArrayList<>();
  private final Map<Class<?>, Closeable> companions = new HashMap<>();

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
    this.scratch = new ScratchFolder(conf);
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

  /** Records the path of the dataset that the command reads. */
  public void reads(String path) {
    source = path;
  }

  /** Returns the path of the dataset that the command reads; null as long as it is not known. */
  public String source() {
    return source;
  }

  /** Records a job that the command has run. */
  public void add(FinishedJob job) {
    jobs.add(job);
  }

  /** Returns the jobs that the command has run so far. */
  public List<FinishedJob> jobs() {
    return List.copyOf(jobs);
  }

  /** Prints a warning, on one line. */
  public void warn(String warning) {
    err.println("warning: " + Quote.show(warning));
  }

  /** Returns a folder on the local disk for temporary files, which is deleted with the console. */
  public java.nio.file.Path scratch() throws IOException {
    return scratch.path();
  }

  /**
   * Returns the path of a folder for temporary files that all tasks of a job can reach: in the
   * local folder if the default file system is the local disk, else below /tmp. The folder does not
   * exist yet.
   *
   * @param purpose the purpose, as part of the name
   */
  public Path temporaryFolder(String purpose) throws IOException {
    FileSystem fs = FileSystem.get(conf);
    String name = ScratchFolder.uniqueName(purpose);
    return HadoopFolder.isLocal(fs)
        ? new Path("file", null, scratch().resolve(name).toString())
        : fs.makeQualified(new Path("/tmp", name));
  }

  /**
   * Returns the object of a class that accompanies the command, and is closed with it.
   *
   * @param creator creates the object when it is first needed
   */
  public <T extends Closeable> T companion(Class<T> type, Supplier<T> creator) {
    return type.cast(companions.computeIfAbsent(type, absent -> creator.get()));
  }

  /** Deletes temporary files. */
  @Override
  public void close() throws IOException {
    try {
      for (Closeable companion : companions.values()) {
        companion.close();
      }
    } finally {
      scratch.close();
    }
  }
}
