package org.saevhadoop.converters.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.console.SmallHeapCommands;
import org.saevhadoop.converters.storage.LossyDisk;

/**
 * The calls of the system that change files below a folder, from a trace of strace -f -y. The
 * traced JVM runs one command after the other.
 */
public final class SystemCalls {
  /**
   * A successful call.
   *
   * @param name the name of the call
   * @param paths the paths among its arguments, also those of open files
   * @param text the whole line
   */
  public record Call(String name, List<Path> paths, String text) {
    /** Applies the call to a model. */
    public void applyTo(LossyDisk disk) {
      switch (name) {
        case "mkdir", "mkdirat" -> disk.createFolder(paths.get(0));
        case "openat", "open", "creat" -> {
          if (text.contains("O_CREAT")) {
            disk.openForWriting(paths.get(paths.size() - 1));
          }
        }
        case "write", "pwrite64", "sendfile", "ftruncate" -> disk.write(paths.get(0));
        case "fsync", "fdatasync" -> disk.force(paths.get(0));
        case "rename", "renameat", "renameat2" -> disk.rename(paths.get(0), paths.get(1));
        case "unlink", "unlinkat", "rmdir" -> disk.delete(paths.get(0));
        default -> throw new IllegalArgumentException(text);
      }
    }
  }

  private static final String TRACED =
      "openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,fsync,"
          + "fdatasync,write,pwrite64,sendfile,ftruncate";

  private static final Pattern UNFINISHED =
      Pattern.compile("^(\\d+) +(.*) <unfinished \\.\\.\\.>$");
  private static final Pattern RESUMED = Pattern.compile("^(\\d+) +<\\.\\.\\. \\w+ resumed>(.*)$");
  private static final Pattern CALL = Pattern.compile("^\\d+ +(\\w+)\\((.*)\\) += (\\d+).*$");
  private static final Pattern PATH = Pattern.compile("\"([^\"]*)\"|\\d+<([^>]*)>");

  /** By the number of written bytes that the text of a call has. */
  private static final Map<Integer, SystemCalls> TRACED_JVMS = new HashMap<>();

  private final SmallHeapCommands commands;
  private final FileChannel trace;

  /** Starts a JVM, which ends with this one. The trace has no name by then. */
  private SystemCalls(int bytes) throws IOException, InterruptedException {
    Path file = Files.createTempFile("calls", ".trace");
    trace = FileChannel.open(file);
    List<String> strace =
        new ArrayList<>(List.of("strace", "-f", "--seccomp-bpf", "-y", "-x", "-s", "" + bytes));
    strace.addAll(List.of("-e", "trace=" + TRACED, "-o", file.toString()));
    commands = new SmallHeapCommands(strace, SmallHeapCommands.command(Launched.SHORT));
    commands.run(Duration.ofMinutes(2), "--version").succeeds();
    Files.delete(file);
  }

  /**
   * Runs a command, which must succeed, and returns its calls that change files below a folder.
   *
   * @param bytes the maximum number of written bytes that the text of a call has
   */
  public static synchronized List<Call> of(Path folder, int bytes, Object... args)
      throws IOException, InterruptedException {
    SystemCalls jvm = TRACED_JVMS.get(bytes);
    if (jvm == null) {
      jvm = new SystemCalls(bytes);
      TRACED_JVMS.put(bytes, jvm);
    }
    return jvm.callsOf(folder, Cli.words(args).toArray());
  }

  private List<Call> callsOf(Path folder, Object... words)
      throws IOException, InterruptedException {
    trace.position(trace.size());
    commands.run(Duration.ofMinutes(5), words).succeeds();
    // not closed, as that would close the trace
    BufferedReader lines =
        new BufferedReader(Channels.newReader(trace, StandardCharsets.ISO_8859_1));
    return read(lines, folder);
  }

  /** Reads a trace, in which a call counts when it returns. */
  private static List<Call> read(BufferedReader trace, Path folder) throws IOException {
    List<Call> calls = new ArrayList<>();
    Map<String, String> unfinished = new HashMap<>();
    for (String line = trace.readLine(); line != null; line = trace.readLine()) {
      Matcher begun = UNFINISHED.matcher(line);
      Matcher resumed = RESUMED.matcher(line);
      if (begun.matches()) {
        unfinished.put(begun.group(1), begun.group(2));
      } else if (resumed.matches()) {
        String head = unfinished.remove(resumed.group(1));
        add(resumed.group(1) + " " + head + resumed.group(2), folder, calls);
      } else {
        add(line, folder, calls);
      }
    }
    return calls;
  }

  private static void add(String line, Path folder, List<Call> calls) {
    Matcher call = CALL.matcher(line);
    if (!call.matches()) {
      return; // failed, or not a call
    }
    String arguments = call.group(2);
    boolean writes = call.group(1).contains("write") || call.group(1).equals("sendfile");
    Matcher path = PATH.matcher(writes ? arguments.replaceFirst(",.*", "") : arguments);
    List<Path> paths = new ArrayList<>();
    while (path.find()) {
      String text = path.group(1) == null ? path.group(2) : path.group(1);
      if (text.startsWith(folder.toString())) {
        paths.add(Path.of(text));
      }
    }
    if (!paths.isEmpty()) {
      calls.add(new Call(call.group(1), paths, line));
    }
  }
}
