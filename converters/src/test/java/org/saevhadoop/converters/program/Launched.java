package org.saevhadoop.converters.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.Main;

/** The command line as a process of its own, to give it little memory or to kill it. */
public final class Launched {
  /** Options of JVMs that live for a few seconds and need little memory. */
  public static final List<String> SHORT =
      List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private Launched() {}

  /** Returns the options of short-lived JVMs and others. */
  public static List<String> shortWith(String... options) {
    return Stream.concat(SHORT.stream(), Stream.of(options)).toList();
  }

  /** Returns the file of standard error of a process whose standard output goes to a file. */
  public static Path errors(Path output) {
    return output.resolveSibling(output.getFileName() + ".err");
  }

  /** Returns all that a process has said, to describe a failure. */
  public static String said(Path output) throws IOException {
    return Files.readString(output) + Files.readString(errors(output));
  }

  public static Process start(Path output, List<String> jvmOptions, Object... args)
      throws IOException {
    return start(Main.class, output, jvmOptions, args);
  }

  /** Starts another program of the same class path. */
  public static Process start(Class<?> main, Path output, List<String> jvmOptions, Object... args)
      throws IOException {
    // what a killed process leaves behind goes with the folder of the test
    List<String> options = new ArrayList<>();
    options.add("-Djava.io.tmpdir=" + output.toAbsolutePath().getParent());
    options.addAll(jvmOptions);
    return new ProcessBuilder(command(main, options, args))
        .redirectError(ProcessBuilder.Redirect.appendTo(errors(output).toFile()))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
        .start();
  }

  /** Starts a program that is asked through its standard input and answers on standard output. */
  public static Process server(Class<?> main, List<String> jvmOptions, Object... args)
      throws IOException {
    return server(command(main, jvmOptions, args));
  }

  public static Process server(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  public static List<String> command(Class<?> main, List<String> jvmOptions, Object... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    if (Runtime.version().feature() >= 24) { // as bin/saev-hadoop does
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    Cli.words(args).forEach(command::add);
    return command;
  }

  /** Runs a command, whose output goes to two files, and returns its exit code. */
  public static int run(List<String> command, Path output)
      throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectError(errors(output).toFile())
        .redirectOutput(output.toFile())
        .start()
        .waitFor();
  }

  /** Runs a command to which a folder is a mount point, by a script in which it is {@code $0}. */
  public static int mounted(String mount, Path point, List<String> command, Path output)
      throws IOException, InterruptedException {
    List<String> all =
        new ArrayList<>(List.of("unshare", "-Urm", "sh", "-c", mount + " && exec \"$@\""));
    all.add(point.toString());
    all.addAll(command);
    return run(all, output);
  }

  public static void succeeds(Path output, List<String> jvmOptions, Object... args)
      throws IOException, InterruptedException {
    int exitCode = start(output, jvmOptions, args).waitFor();
    if (exitCode != 0) {
      throw new AssertionError("exit code " + exitCode + ":\n" + said(output));
    }
  }
}
