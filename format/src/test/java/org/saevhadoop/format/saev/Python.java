package org.saevhadoop.format.saev;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;

/**
 * A running python3 that answers lines with lines, for as long as it is open. Where there is none
 * the test that asks is skipped; CI must have it.
 */
public final class Python implements AutoCloseable {
  private static final String FLUSH = "!flush!\n";

  private static final String LOOP =
      """

      import sys
      for line in sys.stdin.buffer:
          if line == b"!flush!\\n":
              sys.stdout.buffer.flush()
          else:
              sys.stdout.buffer.write(answer(line[:-1]).encode("ascii") + b"\\n")
      """;

  private final Process process;
  private final OutputStream questions;
  private final BufferedReader answers;

  /**
   * @param script defines {@code answer}, from the bytes of a line to an ASCII line
   */
  public Python(String script) throws IOException {
    process = start(script + LOOP);
    questions = new BufferedOutputStream(process.getOutputStream(), 1 << 16);
    answers =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII), 1 << 16);
  }

  private static Process start(String script) throws IOException {
    try {
      return new ProcessBuilder("python3", "-c", script)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      if ("true".equals(System.getenv("CI"))) {
        throw e;
      }
      Assumptions.abort("python3 is not installed");
      throw e;
    }
  }

  /** Sends the lines at once and gives the answers as they come in. */
  public CompletableFuture<List<String>> ask(List<byte[]> lines) {
    // a thread each: since JDK 25 the default is the common pool, even of one thread, which would
    // receive only after everything is sent; python3 stops reading while its answers are not read
    CompletableFuture.runAsync(() -> send(lines), Python::inThread);
    return CompletableFuture.supplyAsync(() -> receive(lines.size()), Python::inThread);
  }

  private static void inThread(Runnable task) {
    Thread thread = new Thread(task, "python");
    thread.setDaemon(true);
    thread.start();
  }

  /** Fails with the first line that was not answered as expected. */
  public static void compare(List<byte[]> lines, List<String> ours, List<String> theirs) {
    assertThat(theirs).hasSameSizeAs(lines);
    for (int i = 0; i < lines.size(); i++) {
      if (!ours.get(i).equals(theirs.get(i))) {
        String text = new String(lines.get(i), StandardCharsets.UTF_8);
        assertThat(ours.get(i)).as(text).isEqualTo(theirs.get(i));
      }
    }
  }

  private void send(List<byte[]> lines) {
    try {
      for (byte[] line : lines) {
        questions.write(line);
        questions.write('\n');
      }
      questions.write(FLUSH.getBytes(StandardCharsets.US_ASCII));
      questions.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> receive(int count) {
    List<String> lines = new ArrayList<>(count);
    try {
      for (int i = 0; i < count; i++) {
        String line = answers.readLine();
        if (line == null) {
          throw new IllegalStateException("python3 stopped after " + i + " answers");
        }
        lines.add(line);
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
