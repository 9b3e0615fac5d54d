package org.saevhadoop.converters.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.testing.Programs;

/**
 * CPythons with numpy, which run the scripts of {@code src/test/resources/python}: the machine's
 * (Debian's, where there is one), and three that {@code mvn verify} unpacks on Linux on x86-64. A
 * test that asks for one that is not there is skipped, and fails in CI.
 */
public enum Pythons {
  MACHINE(null),
  NUMPY_1_26("numpy-1.26.3"),
  NUMPY_2_1("numpy-2.1.3"),
  NUMPY_2_4("numpy-2.4.2");

  private static String machine;

  private final String folder;

  Pythons(String folder) {
    this.folder = folder;
  }

  /**
   * Runs a script with all warnings as errors; the lines that it printed.
   *
   * @throws AssertionError with all that it said, if it fails
   */
  public List<String> run(String script, Object... args) throws IOException, InterruptedException {
    return output(List.of("-W", "error", script(script).toString()), args).lines().toList();
  }

  /** Runs the text of a script and returns what it printed, without a line break at the end. */
  public String output(String text, Object... args) throws IOException, InterruptedException {
    return output(List.of("-c", text), args).strip();
  }

  private String output(List<String> script, Object... args)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(script);
    Stream.of(args).map(String::valueOf).forEach(words::add);
    Result result = run(start(words));
    assertThat(result.exitCode()).as("%s of %s: %s", script, this, result).isZero();
    return result.output();
  }

  private static Path script(String name) {
    return Corpus.checkout().resolve("converters/src/test/resources/python").resolve(name);
  }

  private static Path target() {
    return Corpus.checkout().resolve("converters/target");
  }

  private ProcessBuilder start(List<String> args) throws InterruptedException {
    return folder == null ? machines(args) : unpacked(args);
  }

  private static synchronized ProcessBuilder machines(List<String> args)
      throws InterruptedException {
    if (machine == null) {
      machine = find();
    }
    Programs.require(!machine.isEmpty(), "python3 with numpy");
    return builder(machine, args);
  }

  /** Returns the machine's Python; empty if there is none with numpy. */
  private static String find() throws InterruptedException {
    for (String python : List.of("/usr/bin/python3", "python3")) {
      if (Programs.succeeds(python, "-c", "import numpy")) {
        return python;
      }
    }
    return "";
  }

  private ProcessBuilder unpacked(List<String> args) {
    Path pythons = target().resolve("pythons");
    Path home = pythons.resolve(folder).resolve("org/bytedeco/cpython/linux-x86_64");
    File python = home.resolve("bin/python3").toFile();
    Programs.require(python.exists(), folder + " as mvn verify unpacks it");
    // a jar has no permissions
    assertThat(python.canExecute() || python.setExecutable(true)).isTrue();
    ProcessBuilder process = builder(python.getPath(), args);
    Path numpy = pythons.resolve(folder).resolve("org/bytedeco/numpy/linux-x86_64/python");
    Path openblas = pythons.resolve("openblas/org/bytedeco/openblas/linux-x86_64");
    process.environment().put("PYTHONHOME", home.toString());
    process.environment().put("PYTHONPATH", numpy.toString());
    process.environment().put("LD_LIBRARY_PATH", home + File.pathSeparator + openblas);
    return process;
  }

  private static ProcessBuilder builder(String python, List<String> args) {
    List<String> command = new ArrayList<>(List.of(python));
    command.addAll(args);
    ProcessBuilder process = new ProcessBuilder(command);
    process.environment().put("PYTHONIOENCODING", "utf-8");
    // compiled once, and not into the sources
    process.environment().remove("PYTHONDONTWRITEBYTECODE");
    process.environment().put("PYTHONPYCACHEPREFIX", target().resolve("pycache").toString());
    process.environment().put("OPENBLAS_NUM_THREADS", "1");
    return process;
  }

  private record Result(int exitCode, String output, String errors) {}

  private static Result run(ProcessBuilder python) throws IOException, InterruptedException {
    Path output = Files.createTempFile("python", ".txt");
    Path errors = Launched.errors(output);
    try {
      Process process =
          python.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
      boolean ended = process.waitFor(5, TimeUnit.MINUTES);
      process.destroyForcibly();
      assertThat(ended).as("ended within 5 minutes").isTrue();
      return new Result(process.exitValue(), Files.readString(output), Files.readString(errors));
    } finally {
      Files.delete(output);
      Files.deleteIfExists(errors);
    }
  }
}
