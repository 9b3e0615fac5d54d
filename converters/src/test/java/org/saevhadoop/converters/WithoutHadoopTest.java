package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.storage.LocalTree;

/** Commands that need no service of Hadoop load none of its classes, which take longer to start. */
class WithoutHadoopTest {
  @TempDir Path folder;
  @TempDir Path other;

  /** The classes of the program, which notes those of Hadoop and its log. */
  private static final class NotingLoader extends URLClassLoader {
    private final Set<String> noted = new ConcurrentSkipListSet<>();

    NotingLoader(URL[] classPath) {
      super(classPath, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.apache.hadoop.") || name.startsWith("org.apache.log4j.")) {
        noted.add(name);
      }
      return super.loadClass(name, resolve);
    }

    /** Hides the site files of tests. */
    @Override
    public URL getResource(String name) {
      return name.endsWith("-site.xml") ? null : super.getResource(name);
    }
  }

  /** What a command has printed, and the classes of Hadoop that it or one before it has loaded. */
  private record Run(int exitCode, String out, String err, Set<String> hadoop) {}

  /** The program, which all commands run that load no class of Hadoop. */
  private static NotingLoader shared;

  @BeforeAll
  static void openLoader() throws MalformedURLException {
    shared = loader();
  }

  @AfterAll
  static void closeLoader() throws IOException {
    shared.close();
  }

  private static NotingLoader loader() throws MalformedURLException {
    String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
    URL[] urls = new URL[entries.length];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = Path.of(entries[i]).toUri().toURL();
    }
    return new NotingLoader(urls);
  }

  private static Run run(NotingLoader loader, String... words) throws Throwable {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      thread.setContextClassLoader(loader);
      // reflection would load the types of all methods
      Class<?> main = loader.loadClass(Main.class.getName());
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(main, MethodHandles.lookup());
      MethodHandle create =
          lookup.findConstructor(
              main, MethodType.methodType(void.class, PrintStream.class, PrintStream.class));
      MethodHandle run =
          lookup.findVirtual(main, "run", MethodType.methodType(int.class, String[].class));
      Object program = create.invoke(new PrintStream(out, true), new PrintStream(err, true));
      int exitCode = (int) run.invoke(program, words);
      return new Run(exitCode, text(out), text(err), new TreeSet<>(loader.noted));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "0, --version",
    "0, --help",
    "0, inspect --help-all",
    "2, inspct x",
    "2, inspect SAEV --jsn",
    "2, cat SAEV",
    "1, inspect MISSING/x --json",
    "1, cat MISSING/x --example 0",
    "1, list MISSING/x",
    "0, inspect SAEV",
    "0, inspect SAEV --json",
    "0, verify SAEV --structure",
    "0, inspect PICKLE",
    "0, cat SAEV --example 0",
    "0, cat SAEV --index 3 --format npy",
    "0, list SAEV",
    "0, list SAEV --digests --limit 2",
    "0, list PICKLE",
    "0, digest SAEV",
    "0, digest SAEV --json --layers 13",
    "0, digest ARRAYS",
    "0, digest PICKLE --json",
    "0, digest COMPRESSED --examples=1:2",
    "0, digest SDZ --save=MISSING/x",
    "0, merge SAEV MISSING/merged --verify",
    "0, merge SAEV MISSING/planned --dry-run",
    "1, merge SAEV SAEV",
    "0, stats PICKLE",
    "0, inspect SDZ --json",
    "0, inspect COMPRESSED",
    "0, stats SAEV",
    "0, stats SAEV --json --vectors --sample 50%",
    "0, verify SAEV",
    "0, verify SAEV --json",
    "0, verify SAEV --structure",
    "0, diff SAEV SAEV",
    "1, diff SAEV ARRAYS --json",
    "0, digest SAEV --save=MISSING/x",
    "0, digest ARRAYS --save=MISSING/x --json",
    "0, digest SAEV --expect=SUMS",
    "1, digest ARRAYS --expect=SUMS",
    "1, digest SAEV --expect=MISSING/x",
    "1, digest MISSING/x",
    "0, convert SAEV MISSING/out --to safetensors",
    "0, convert SAEV MISSING/out --to npy --verify --digest",
    "0, convert SAEV MISSING/out --to saev --layers 13 --no-fsync",
    "0, convert SAEV MISSING/out --to pickle --resume",
    "0, convert SAEV MISSING/out --to samediff --dtype F16",
    "0, convert SAEV MISSING/out --to parquet",
    "0, convert SAEV MISSING/out --to npy --dry-run",
    "0, convert ARRAYS MISSING/new/out --to safetensors",
    "0, convert PICKLE MISSING/out --to saev",
    "0, convert PICKLE MISSING/out --to npy --verify --examples=3:9",
    "0, convert COMPRESSED MISSING/out --to safetensors --digest",
    "0, convert SDZ MISSING/out --to npy",
    "0, convert PICKLE MISSING/out --to npy --dry-run",
    "1, convert MISSING/x MISSING/out --to npy",
    "1, convert SAEV SAEV --to npy"
  })
  void theseCommandsLoadNoClassOfHadoop(int exitCode, String line) throws Throwable {
    Path sums = other.resolve("sums");
    if (line.contains("SUMS")) {
      Cli.run("digest", Fixtures.small(), "--save=" + sums).succeeds();
    }
    String[] words =
        Stream.of(line.split(" "))
            .map(
                word ->
                    word.replace("SUMS", sums.toString())
                        .replace("SAEV", Fixtures.small().toString())
                        .replace("PICKLE", Fixtures.pickle("spec").toString())
                        .replace("ARRAYS", Fixtures.arrays("scripts/hooks.npz").toString())
                        .replace("COMPRESSED", Fixtures.arrays("scripts/compressed.npz").toString())
                        .replace(
                            "SDZ",
                            Corpus.checkout()
                                .resolve("fixtures/samediff/sdz/activations.sdz")
                                .toString())
                        .replace("MISSING", folder.toString()))
            .toArray(String[]::new);
    Run run = run(shared, words);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    assertThat(run.hadoop()).isEmpty();
    try (Stream<Path> written = Files.list(folder)) {
      for (Path path : written.toList()) {
        LocalTree.delete(path);
      }
    }
    // and the result is that of the command with a configuration
    Cli configured = Cli.run(new Configuration(), (Object[]) words);
    assertThat(run.out()).isEqualTo(configured.text());
    assertThat(messages(run.err().replaceAll("\n  (?=\\S)", " ")))
        .isEqualTo(messages(configured.stderr()));
  }

  /** Replaces the path of the folder of a stage, which is new in each run. */
  private static String messages(String text) {
    return text.replaceAll("\\S+/saev-hadoop-staged-\\S+", "STAGED");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shuffle SAEV OUT --layers 13 --verify",
        "shuffle SAEV OUT --unit example --sample 60% --verify",
        "shuffle SAEV OUT --partition train=0.5,val=0.5 --provenance --resume",
        "shuffle PADDED OUT --to safetensors --verify"
      })
  void theseCommandsWriteDatasetsWithoutHadoop(String line) throws Throwable {
    Path padded = folder.resolve("padded");
    Cli.run("convert", Fixtures.pickle("ragged"), padded, "--to=safetensors", "--ragged=pad:9");
    Path labelled = Fixtures.labelled(Fixtures.SMALL, folder);
    String words = line.replace("SAEV", labelled.toString()).replace("PADDED", padded.toString());
    Path written = folder.resolve("written");
    Run run = run(shared, words.replace("OUT", written.toString()).split(" "));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.hadoop()).isEmpty();
    // and the dataset is that of the command with a configuration
    Path configured = folder.resolve("configured");
    Object[] others = words.replace("OUT", configured.toString()).split(" ");
    assertThat(Cli.run(new Configuration(), others).exitCode()).isZero();
    ConvertedDatasets.assertSameFiles(written, configured);
  }

  @Test
  void aCommandThatNeedsHadoopLoadsIt() throws Throwable {
    try (NotingLoader loader = loader()) {
      Run run = run(loader, "inspect", "hdfs:///x");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.hadoop()).contains("org.apache.hadoop.conf.Configuration");
    }
  }
}
