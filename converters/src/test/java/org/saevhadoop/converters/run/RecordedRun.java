package org.saevhadoop.converters.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.saevhadoop.converters.program.SystemCalls;
import org.saevhadoop.format.storage.LocalTree;

/**
 * A command whose calls of the system were recorded, so that a folder can be brought into each
 * state in which a kill would have left it.
 */
public final class RecordedRun {
  private static final int MAX_BYTES = 1 << 24;
  private static final Pattern OFFSET = Pattern.compile(", (\\d+)\\) += \\d+");

  /** A copy within the kernel: its source, and the position there. */
  private static final Pattern SENT =
      Pattern.compile("sendfile\\(\\d+<[^>]*>, \\d+<([^>]*)>, \\[(\\d+)\\].*\\) += (\\d+)");

  private static final byte[] FOLDER = {};

  private final Path folder;
  private final List<SystemCalls.Call> calls;
  private final Map<Path, byte[]> before;

  private RecordedRun(Path folder, List<SystemCalls.Call> calls, Map<Path, byte[]> before) {
    this.folder = folder;
    this.calls = calls;
    this.before = before;
  }

  /** Runs a command and records its calls that change entries or lengths below a folder. */
  public static RecordedRun of(Path folder, Object... args)
      throws IOException, InterruptedException {
    Map<Path, byte[]> before = contents(folder);
    List<SystemCalls.Call> changes =
        SystemCalls.of(folder, MAX_BYTES, args).stream().filter(RecordedRun::isChange).toList();
    RecordedRun run = new RecordedRun(folder, changes, before);
    assertThat(text(run.state(changes.size())))
        .as("the state after all recorded calls")
        .isEqualTo(text(contents(folder)));
    return run;
  }

  private static boolean isChange(SystemCalls.Call call) {
    boolean opens = call.name().startsWith("open") || call.name().equals("creat");
    boolean forces = call.name().startsWith("f") && call.name().endsWith("sync");
    return !forces && (!opens || call.text().contains("O_CREAT"));
  }

  /** Returns the number of calls. */
  public int calls() {
    return calls.size();
  }

  /** Returns the index of the first call of a kind that names a path first. */
  public int first(String kind, Path path) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).name().startsWith(kind) && calls.get(i).paths().get(0).equals(path)) {
        return i;
      }
    }
    throw new AssertionError("no " + kind + " of " + path);
  }

  /** Returns the index of the first call that renames something to a path of a pattern. */
  public int firstRename(String pattern) {
    for (int i = 0; i < calls.size(); i++) {
      List<Path> paths = calls.get(i).paths();
      if (calls.get(i).name().startsWith("rename") && paths.get(1).toString().matches(pattern)) {
        return i;
      }
    }
    throw new AssertionError("no rename to " + pattern);
  }

  /** Returns the text of a call, without the bytes that it writes. */
  public String call(int index) {
    String text = calls.get(index).text();
    return text.substring(0, Math.min(200, text.length()));
  }

  /** Returns the calls before which the paths in the folder have a property, in ascending order. */
  public List<Integer> moments(Predicate<Set<Path>> property) {
    TreeMap<Path, byte[]> state = new TreeMap<>(before);
    Map<Path, Integer> positions = new HashMap<>();
    List<Integer> moments = new ArrayList<>();
    for (int call = 0; call < calls.size(); call++) {
      if (property.test(state.keySet())) {
        moments.add(call);
      }
      apply(calls.get(call), state, positions);
    }
    return moments;
  }

  /** Returns the files and folders that there are before a call. */
  public Set<Path> paths(int call) {
    return state(call).keySet();
  }

  /** Brings the folder into the state before a call. */
  public void restore(int call) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : entries.toList()) {
        LocalTree.delete(entry);
      }
    }
    for (Map.Entry<Path, byte[]> entry : state(call).entrySet()) {
      if (entry.getValue() == FOLDER) {
        Files.createDirectories(entry.getKey());
      } else {
        Files.write(entry.getKey(), entry.getValue());
      }
    }
  }

  private Map<Path, byte[]> state(int count) {
    TreeMap<Path, byte[]> state = new TreeMap<>(before);
    Map<Path, Integer> positions = new HashMap<>();
    for (SystemCalls.Call call : calls.subList(0, count)) {
      apply(call, state, positions);
    }
    return state;
  }

  private static void apply(
      SystemCalls.Call call, TreeMap<Path, byte[]> state, Map<Path, Integer> positions) {
    Path path = call.paths().get(0);
    switch (call.name()) {
      case "mkdir", "mkdirat" -> state.put(path, FOLDER);
      case "openat", "open", "creat" -> {
        positions.put(path, 0);
        boolean truncates = call.text().contains("O_TRUNC") || !state.containsKey(path);
        if (truncates) {
          state.put(path, new byte[0]);
        }
      }
      case "write", "pwrite64", "sendfile" -> {
        boolean isSent = call.name().equals("sendfile");
        byte[] bytes = isSent ? sent(call.text()) : bytes(call.text());
        int at = isSent || call.name().equals("write") ? positions.get(path) : offset(call.text());
        byte[] old = state.get(path);
        byte[] now = Arrays.copyOf(old, Math.max(old.length, at + bytes.length));
        System.arraycopy(bytes, 0, now, at, bytes.length);
        state.put(path, now);
        positions.put(path, at + bytes.length);
      }
      case "ftruncate" -> state.put(path, Arrays.copyOf(state.get(path), offset(call.text())));
      case "rename", "renameat", "renameat2" -> rename(path, call.paths().get(1), state);
      default -> state.remove(path);
    }
  }

  /** Returns the bytes of a copy, whose source is as it was. */
  private static byte[] sent(String text) {
    Matcher sent = SENT.matcher(text);
    assertThat(sent.find()).as(text).isTrue();
    int from = Integer.parseInt(sent.group(2));
    try {
      byte[] source = Files.readAllBytes(Path.of(sent.group(1)));
      return Arrays.copyOfRange(source, from, from + Integer.parseInt(sent.group(3)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void rename(Path from, Path to, TreeMap<Path, byte[]> state) {
    for (Path path : state.keySet().stream().filter(p -> p.startsWith(from)).toList()) {
      state.put(path.equals(from) ? to : to.resolve(from.relativize(path)), state.remove(path));
    }
  }

  private static int offset(String text) {
    Matcher offset = OFFSET.matcher(text);
    assertThat(offset.find()).as(text).isTrue();
    return Integer.parseInt(offset.group(1));
  }

  /** Returns the bytes in a call, which strace escapes as C does. */
  private static byte[] bytes(String text) {
    String escaped = text.substring(text.indexOf('"') + 1, text.lastIndexOf("\", "));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c != '\\') {
        bytes.write(c);
        continue;
      }
      char kind = escaped.charAt(++i);
      if (kind == 'x') {
        bytes.write(Integer.parseInt(escaped.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        int known = "ntrvf".indexOf(kind);
        bytes.write(known < 0 ? kind : "\n\t\r\u000b\f".charAt(known));
      }
    }
    return bytes.toByteArray();
  }

  private static Map<Path, byte[]> contents(Path folder) throws IOException {
    Map<Path, byte[]> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.filter(p -> !p.equals(folder)).toList()) {
        contents.put(path, Files.isDirectory(path) ? FOLDER : Files.readAllBytes(path));
      }
    }
    return contents;
  }

  private static Map<String, String> text(Map<Path, byte[]> state) {
    Map<String, String> text = new TreeMap<>();
    state.forEach((path, bytes) -> text.put(path.toString(), show(bytes)));
    return text;
  }

  private static String show(byte[] bytes) {
    return bytes == FOLDER ? "folder" : new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
