package org.saevhadoop.converters.console;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.program.Launched;

/**
 * Runs commands, one after the other, in another JVM with little memory. A command that runs out of
 * memory or time ends that JVM, and the next command starts a new one.
 */
public final class SmallHeapCommands {
  private final List<String> command;
  private Process process;

  public SmallHeapCommands(List<String> jvmOptions) {
    this(List.of(), command(jvmOptions));
  }

  /** Takes the words of a program, such as strace, and of the command that it starts. */
  public SmallHeapCommands(List<String> starter, List<String> command) {
    this.command = Stream.concat(starter.stream(), command.stream()).toList();
  }

  /** Returns the command that starts the JVM. */
  public static List<String> command(List<String> jvmOptions) {
    return Launched.command(Server.class, jvmOptions);
  }

  /**
   * Runs a command.
   *
   * @throws AssertionError if the JVM ends, or the command does not within the limit
   */
  public synchronized Cli run(Duration limit, Object... args)
      throws IOException, InterruptedException {
    if (process == null) {
      process = Launched.server(command);
    }
    DataInputStream in = new DataInputStream(process.getInputStream());
    DataOutputStream out = new DataOutputStream(process.getOutputStream());
    out.writeInt(args.length);
    for (Object arg : args) {
      writeBytes(out, arg.toString().getBytes(StandardCharsets.UTF_8));
    }
    out.flush();
    CompletableFuture<Cli> answer = CompletableFuture.supplyAsync(() -> answer(in));
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      close();
      throw new AssertionError("did not end within " + limit, e);
    } catch (ExecutionException e) {
      close();
      throw new AssertionError("the JVM ended: " + e.getCause(), e);
    }
  }

  private static Cli answer(DataInputStream in) {
    try {
      int exitCode = in.readInt();
      byte[] stdout = readBytes(in);
      return new Cli(exitCode, stdout, new String(readBytes(in), StandardCharsets.UTF_8), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the JVM. */
  public synchronized void close() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
      process = null;
    }
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** The program of the other JVM. */
  static final class Server {
    private Server() {}

    public static void main(String[] args) throws IOException {
      DataInputStream in = new DataInputStream(System.in);
      DataOutputStream answers = new DataOutputStream(System.out);
      System.setOut(
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
      HadoopLog.silence();
      while (true) {
        String[] words;
        try {
          words = new String[in.readInt()];
        } catch (EOFException e) {
          return; // no more commands
        }
        for (int i = 0; i < words.length; i++) {
          words[i] = new String(readBytes(in), StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode =
            Main.run(
                new Configuration(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                words);
        answers.writeInt(exitCode);
        writeBytes(answers, out.toByteArray());
        writeBytes(answers, err.toByteArray());
        answers.flush();
      }
    }
  }
}
