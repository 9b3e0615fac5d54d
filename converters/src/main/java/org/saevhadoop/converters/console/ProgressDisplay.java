package org.saevhadoop.converters.console;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.saevhadoop.format.io.ByteSizes;

/**
 * Shows the progress of a job or a command on standard error: as a bar on a terminal, otherwise as
 * a line every ten seconds.
 */
public interface ProgressDisplay extends AutoCloseable {
  /** Shows nothing. */
  ProgressDisplay NONE =
      new ProgressDisplay() {
        @Override
        public void at(long bytes) {
          // not shown
        }

        @Override
        public void close() {
          // nothing is shown
        }
      };

  /** Shows that a number of bytes has been read. */
  void at(long bytes);

  @Override
  void close();

  /**
   * Returns a display. The launcher sets the system properties {@code saev.terminal}, if standard
   * error is a terminal, and {@code saev.columns}, its width: Java 17 cannot determine them.
   *
   * @param color whether ANSI sequences for colors are permitted
   */
  static ProgressDisplay of(String name, long bytes, boolean color, PrintStream err) {
    return Boolean.getBoolean("saev.terminal")
        ? new Bar(name, bytes, color, err)
        : new Lines(name, bytes, err);
  }

  /** A bar that shows the bytes, the rate and the remaining time. */
  final class Bar implements ProgressDisplay {
    private static final int COLUMNS = 80;

    /** The width below which the remaining time is not shown, so that there is room for the bar. */
    private static final int MIN_WITH_TIME = 60;

    private final ProgressBar bar;

    Bar(String name, long bytes, boolean color, PrintStream err) {
      int known = Integer.getInteger("saev.columns", COLUMNS);
      int columns = known > 0 ? known : COLUMNS; // some terminals have no size
      ProgressBarBuilder builder =
          new ProgressBarBuilder()
              .setTaskName(name)
              .setInitialMax(bytes)
              .setUnit(" MiB", 1 << 20)
              .setStyle(
                  color ? ProgressBarStyle.COLORFUL_UNICODE_BLOCK : ProgressBarStyle.UNICODE_BLOCK)
              .setConsumer(new ConsoleProgressBarConsumer(err, columns));
      if (columns >= COLUMNS) {
        builder.showSpeed();
      }
      if (columns < MIN_WITH_TIME) {
        builder.hideEta();
      }
      bar = builder.build();
    }

    @Override
    public void at(long bytes) {
      bar.stepTo(bytes);
    }

    @Override
    public void close() {
      bar.close();
    }
  }

  /** A line every ten seconds, and no line for shorter jobs. */
  final class Lines implements ProgressDisplay {
    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final long bytes;
    private final PrintStream err;
    private final long start = System.nanoTime();
    private long last = start;

    Lines(String name, long bytes, PrintStream err) {
      this.name = name;
      this.bytes = bytes;
      this.err = err;
    }

    @Override
    public void at(long done) {
      long now = System.nanoTime();
      if (now - last >= INTERVAL) {
        last = now;
        err.println(line(name, done, bytes, (now - start) / 1e9));
      }
    }

    @Override
    public void close() {
      // lines need no cleanup
    }

    public static String line(String name, long done, long bytes, double seconds) {
      double rate = done / seconds;
      String left = done == 0 ? "?" : String.valueOf(Math.round((bytes - done) / rate));
      return String.format(
          Locale.ROOT,
          "%s: %s of %s, %d %%, %s/s, %s s left",
          name,
          ByteSizes.show(done),
          ByteSizes.show(bytes),
          bytes == 0 ? 100 : done * 100 / bytes,
          ByteSizes.show((long) rate),
          left);
    }
  }
}
