package org.saevhadoop.dist;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.saevhadoop.converters.Main;

/**
 * The command line in one JVM, which stays for all commands: a JVM for each takes longer to start
 * than the commands of the documentation to run. A script at the path of the launcher sends it the
 * words of a command.
 */
final class StayingProgram implements AutoCloseable {
  /** Sends the words, then prints both outputs; into one file or pipe, as they were written. */
  private static final String SCRIPT =
      """
      #!/usr/bin/env bash
      exec 3<>/dev/tcp/127.0.0.1/%d
      [ /dev/fd/1 -ef /dev/fd/2 ] && mixed=true || mixed=false
      printf '%%s\\0' "$#" "$mixed" "$@" >&3
      read -r out err exit <&3
      cat "$out"
      cat "$err" >&2
      exit "$exit"
      """;

  private final Process jvm;

  private StayingProgram(Process jvm) {
    this.jvm = jvm;
  }

  /**
   * Starts the JVM in a folder, and makes {@code bin/saev-hadoop} there.
   *
   * @param home the unpacked archive, whose jars it loads
   */
  static StayingProgram in(Path folder, Path home) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dsaev.terminal=false",
                "-cp",
                String.join(
                    ":",
                    home.resolve("lib/saev-hadoop.jar").toString(),
                    home.resolve("lib/hadoop/*").toString(),
                    Path.of("target/test-classes").toAbsolutePath().toString()),
                StayingProgram.class.getName())
            .directory(folder.toFile())
            .redirectError(folder.resolve("staying.log").toFile());
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(Map.of("SAEV_HADOOP_PROGRAM", "bin/saev-hadoop", "LC_ALL", "C.UTF-8"));
    StayingProgram program = new StayingProgram(builder.start());
    Path launcher = Files.createDirectory(folder.resolve("bin")).resolve("saev-hadoop");
    Files.writeString(launcher, SCRIPT.formatted(program.port()));
    if (!launcher.toFile().setExecutable(true)) {
      throw new IOException("not executable: " + launcher);
    }
    return program;
  }

  private int port() throws IOException {
    String line =
        new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    if (line == null) {
      throw new IOException("the JVM ended at once, see staying.log");
    }
    return Integer.parseInt(line);
  }

  @Override
  public void close() {
    jvm.destroyForcibly();
  }

  /** Answers commands, each in a thread, until standard input ends. */
  public static void main(String[] args) throws IOException {
    Thread answering = new Thread(StayingProgram::answerAll, "answering");
    answering.setDaemon(true);
    answering.start();
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0); // threads of Hadoop may still be running
  }

  private static void answerAll() {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      System.out.println(server.getLocalPort());
      while (true) {
        Socket call = server.accept();
        new Thread(() -> answer(call), "command").start();
      }
    } catch (IOException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void answer(Socket call) {
    try (call) {
      DataInputStream in = new DataInputStream(call.getInputStream());
      String[] words = new String[Integer.parseInt(word(in))];
      boolean mixed = Boolean.parseBoolean(word(in));
      for (int i = 0; i < words.length; i++) {
        words[i] = word(in);
      }
      Path outFile = Files.createTempFile("out", null);
      Path errFile = Files.createTempFile("err", null);
      int exit;
      try (PrintStream out = print(outFile);
          PrintStream err = mixed ? out : print(errFile)) {
        exit = Main.runHere(out, err, words);
      }
      String answer = outFile + " " + errFile + " " + exit + "\n";
      call.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      e.printStackTrace();
    }
  }

  private static PrintStream print(Path file) throws IOException {
    return new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8);
  }

  private static String word(DataInputStream in) throws IOException {
    ByteArrayOutputStream word = new ByteArrayOutputStream();
    for (int b = in.readByte(); b != 0; b = in.readByte()) {
      word.write(b);
    }
    return word.toString(StandardCharsets.UTF_8);
  }
}
