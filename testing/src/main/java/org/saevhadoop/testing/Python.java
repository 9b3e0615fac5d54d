package org.saevhadoop.testing;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Python interpreters that run scripts: the machine's, one with pyarrow, and three with numpy
 * that {@code mvn verify} unpacks on Linux on x86-64. Each interpreter starts once per JVM, imports
 * modules once, and forks for each script, whose warnings are errors (see python.py in the
 * resources). A test that requires a missing package is skipped, or fails in CI.
 */
public enum Python {
  /**
   * The program that PYTHON_WITH_TORCH names, or /usr/bin/python3 if it has numpy, or else python3.
   */
  MACHINE(null),
  /** The program that PYTHON_WITH_PYARROW names, or else python3. */
  PYARROW(null),
  NUMPY_1_26("numpy-1.26.3"),
  NUMPY_2_1("numpy-2.1.3"),
  NUMPY_2_4("numpy-2.4.2");

  /** Applies the function {@code answer} of a script to each line of standard input. */
  private static final String ANSWER_LINES =
      """

      import sys
      for line in sys.stdin.buffer:
          print(answer(line[:-1]))
      """;

  private static final byte[] NO_INPUT = {};

  private final @Nullable String folder;
  private @Nullable Server server;

  Python(@Nullable String folder) {
    this.folder = folder;
  }

  /** Imports a module for all scripts; without the module, the test is skipped. */
  public Python with(String module) throws IOException, InterruptedException {
    Programs.require(has(module), "python3 with " + module);
    return this;
  }

  /** Returns whether a module can be imported, and imports it for all scripts. */
  public boolean has(String module) throws IOException, InterruptedException {
    return server().imports(module);
  }

  /**
   * Runs a script, which is either a file in the folder {@code python} of the test resources or the
   * text of the script.
   *
   * @return the lines that the script printed
   * @throws AssertionError if the script fails; the message contains all output of the script
   */
  public List<String> run(String script, Object... args) throws IOException, InterruptedException {
    return lines(NO_INPUT, script, args);
  }

  /** Runs a script with some standard input and returns the lines that the script printed. */
  public List<String> lines(byte[] input, String script, Object... args)
      throws IOException, InterruptedException {
    return text(bytes(input, script, args)).lines().toList();
  }

  /** Runs a script and returns its output, without a line break at the end. */
  public String output(String script, Object... args) throws IOException, InterruptedException {
    return text(bytes(NO_INPUT, script, args)).strip();
  }

  /**
   * Passes lines to a script, which answers each line.
   *
   * @param script code that defines {@code answer}, a function from the bytes of a line to a line
   * @return the answer to each line
   */
  public List<String> answers(String script, List<byte[]> lines)
      throws IOException, InterruptedException {
    ByteArrayOutputStream input = new ByteArrayOutputStream();
    for (byte[] line : lines) {
      input.write(line);
      input.write('\n');
    }
    // Python's lines end only at a line feed
    String answers = text(bytes(input.toByteArray(), script + ANSWER_LINES));
    return answers.isEmpty() ? List.of() : List.of(answers.split("\n"));
  }

  /** Runs a script with the given standard input and returns its standard output. */
  public byte[] bytes(byte[] input, String script, Object... args)
      throws IOException, InterruptedException {
    Server running = server();
    Path files = Files.createTempDirectory("python");
    try {
      Path file = script.endsWith(".py") ? resource(script) : files.resolve("script.py");
      if (file.startsWith(files)) {
        Files.writeString(file, script);
      }
      Stream<Object> words = Stream.concat(Stream.of(file), Stream.of(args));
      Files.writeString(
          files.resolve("words"), words.map(String::valueOf).collect(Collectors.joining("\0")));
      Files.write(files.resolve("in"), input);
      Path output = Files.createFile(files.resolve("out"));
      Path errors = Files.createFile(files.resolve("err"));
      int code = running.ask("run", files.toString());
      if (code != 0) {
        String said = Files.readString(output) + Files.readString(errors);
        throw new AssertionError("%s failed in %s: %d, %s".formatted(script, this, code, said));
      }
      return Files.readAllBytes(output);
    } finally {
      try (Stream<Path> all = Files.list(files)) {
        for (Path file : all.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(files);
    }
  }

  /**
   * Returns input that consists of byte strings, each preceded by its length (u64, little-endian).
   */
  public static byte[] records(List<byte[]> records) throws IOException {
    ByteArrayOutputStream input = new ByteArrayOutputStream();
    for (byte[] one : records) {
      ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      input.write(length.putLong(0, one.length).array());
      input.write(one);
    }
    return input.toByteArray();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static Path resource(String name) {
    URL url = Objects.requireNonNull(Python.class.getResource("/python/" + name), name);
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  private synchronized Server server() throws IOException, InterruptedException {
    if (server == null) {
      server = folder == null ? new Server(program()) : unpacked(folder);
    }
    return server;
  }

  private String program() throws InterruptedException {
    if (this == PYARROW) {
      return System.getenv().getOrDefault("PYTHON_WITH_PYARROW", "python3");
    }
    String named = System.getenv().getOrDefault("PYTHON_WITH_TORCH", "/usr/bin/python3");
    return Programs.succeeds(named, "-c", "import numpy") ? named : "python3";
  }

  private static Server unpacked(String folder) throws IOException {
    Path pythons = Path.of("target/pythons").toAbsolutePath();
    Path home = pythons.resolve(folder).resolve("org/bytedeco/cpython/linux-x86_64");
    File python = home.resolve("bin/python3").toFile();
    Programs.require(python.exists(), folder + " as mvn verify unpacks it");
    // a jar has no permissions
    if (!python.canExecute() && !python.setExecutable(true)) {
      throw new IOException(python + ": cannot be made executable");
    }
    Path numpy = pythons.resolve(folder).resolve("org/bytedeco/numpy/linux-x86_64/python");
    Path openblas = pythons.resolve("openblas/org/bytedeco/openblas/linux-x86_64");
    return new Server(
        python.getPath(),
        Map.of(
            "PYTHONHOME", home.toString(),
            "PYTHONPATH", numpy.toString(),
            "LD_LIBRARY_PATH", home + File.pathSeparator + openblas));
  }

  /**
   * The end of a script, or the end of the process without an answer. A latch is used, because
   * while a test waits for a future, JUnit's pool runs more tests than it has threads.
   */
  private static final class Answer {
    final CountDownLatch given = new CountDownLatch(1);
    volatile int code = -1;
  }

  /**
   * A process of python.py, which ends when its standard input ends, and therefore with this JVM.
   */
  private static final class Server {
    private final Process process;
    private final PrintStream requests;
    private final Map<String, Answer> asked = new ConcurrentHashMap<>();
    private final Map<String, Boolean> modules = new HashMap<>();

    Server(String python) throws IOException {
      this(python, Map.of());
    }

    Server(String python, Map<String, String> environment) throws IOException {
      ProcessBuilder builder = new ProcessBuilder(python, "-c", source());
      builder.environment().putAll(environment);
      builder.environment().put("PYTHONIOENCODING", "utf-8");
      // compiled once, and not into the sources
      builder.environment().remove("PYTHONDONTWRITEBYTECODE");
      String cache = Path.of("target/pycache").toAbsolutePath().toString();
      builder.environment().put("PYTHONPYCACHEPREFIX", cache);
      builder.environment().put("OPENBLAS_NUM_THREADS", "1");
      // datasets calls no server, and leaves nothing in the home folder
      builder.environment().put("HF_HUB_OFFLINE", "1");
      builder.environment().put("HF_HOME", Path.of("target/datasets").toAbsolutePath().toString());
      process = start(builder.redirectError(ProcessBuilder.Redirect.INHERIT));
      requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
      Thread answers = new Thread(this::takeAll, python);
      answers.setDaemon(true);
      answers.start();
    }

    private static Process start(ProcessBuilder builder) throws IOException {
      try {
        return builder.start();
      } catch (IOException e) {
        Programs.require(false, builder.command().get(0));
        throw e;
      }
    }

    private static String source() throws IOException {
      try (InputStream in = Objects.requireNonNull(Python.class.getResourceAsStream("python.py"))) {
        return text(in.readAllBytes());
      }
    }

    private void takeAll() {
      process.inputReader().lines().forEach(this::take);
      asked.values().forEach(answer -> answer.given.countDown());
    }

    private void take(String line) {
      int space = line.lastIndexOf(' ');
      Answer answer = Objects.requireNonNull(asked.remove(line.substring(0, space)), line);
      answer.code = Integer.parseInt(line.substring(space + 1));
      answer.given.countDown();
    }

    int ask(String verb, String name) throws InterruptedException {
      Answer answer = new Answer();
      asked.put(name, answer);
      synchronized (requests) {
        requests.print(verb + " " + name + "\n");
        if (requests.checkError()) {
          throw new IllegalStateException("Python has ended");
        }
      }
      answer.given.await();
      return answer.code;
    }

    synchronized boolean imports(String module) throws InterruptedException {
      Boolean known = modules.get(module);
      if (known == null) {
        known = ask("import", module) == 0;
        modules.put(module, known);
      }
      return known;
    }
  }
}
