package org.saevhadoop.dist;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The archive of classes from which the launcher starts the JVM. */
@Tag("sampled")
class SharedClassesIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String DATASET = "fixtures/saev/shards/64988989";

  /** On a busy machine, the archive would be made after minutes only. */
  private static final String HURRIED = "[ \"$1 $2\" = '-n 19' ] && shift 2 && exec \"$@\"";

  @TempDir static Path folder;

  /** The folder that the variable XDG_CACHE_HOME names. */
  @TempDir Path caches;

  private static Path home;
  private static Path made;
  private static Launch first;
  private static Launch flagsWithoutArchive;

  /** A damaged archive, or one that another user could have changed. */
  private enum Fault {
    TRUNCATED,
    EMPTY,
    GARBAGE,
    WRITABLE_FILE,
    WRITABLE_FOLDER,
    LINK;

    void make(Path cache) throws IOException {
      Path archive = archive(cache);
      byte[] bytes = Files.readAllBytes(archive);
      switch (this) {
        case TRUNCATED -> replace(archive, Arrays.copyOf(bytes, bytes.length / 2));
        case EMPTY -> replace(archive, new byte[0]);
        case GARBAGE -> {
          Arrays.fill(bytes, (byte) 'x');
          replace(archive, bytes);
        }
        case WRITABLE_FILE -> Files.setPosixFilePermissions(archive, fromString("rw-rw----"));
        case WRITABLE_FOLDER ->
            Files.setPosixFilePermissions(cache.resolve("saev-hadoop"), fromString("rwxrwx---"));
        case LINK -> {
          Path elsewhere = Files.move(archive, cache.resolve("elsewhere"));
          Files.createSymbolicLink(archive, elsewhere);
        }
      }
    }

    private static void replace(Path archive, byte[] bytes) throws IOException {
      Files.delete(archive);
      Files.write(archive, bytes);
      Files.setPosixFilePermissions(archive, fromString("r--------"));
    }
  }

  @BeforeAll
  static void theFirstCommandMakesAnArchive() throws Exception {
    home = UnpackedArchive.in(folder);
    made = Files.createDirectory(folder.resolve("made"));
    Path saev = Files.createDirectory(made.resolve("saev-hadoop"));
    Files.setPosixFilePermissions(saev, fromString("rwx------"));
    for (int age = 1; age <= 3; age++) { // in days, of archives of other versions
      Path old = Files.createDirectory(saev.resolve(age + "-1"));
      Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(age))));
    }
    Path programs = Files.createDirectory(folder.resolve("programs"));
    first = launch(made, Map.of("PATH", nice(programs, HURRIED)), "inspect", DATASET);
    flagsWithoutArchive = flags(made, Map.of("SAEV_HADOOP_CDS", "off"), "inspect", DATASET);
    Instant end = Instant.now().plus(PATIENCE);
    while (folders(saev).size() != 2 || archive(made) == null) {
      assertThat(Instant.now()).as("%s", folders(saev)).isBefore(end);
      Thread.sleep(200);
    }
  }

  /** Returns a PATH on which nice is a script. */
  private static String nice(Path programs, String script) throws IOException {
    Path nice =
        Files.createFile(programs.resolve("nice"), asFileAttribute(fromString("rwx------")));
    Files.writeString(nice, "#!/bin/sh\n" + script + "\n");
    return programs + ":" + System.getenv("PATH");
  }

  private static List<Path> folders(Path saev) throws IOException {
    try (Stream<Path> entries = Files.list(saev)) {
      return entries.sorted().toList();
    }
  }

  /** Returns the archive in a cache; null if there is none. */
  private static Path archive(Path cache) throws IOException {
    try (Stream<Path> files = Files.walk(cache)) {
      return files.filter(file -> file.toString().endsWith(".jsa")).findFirst().orElse(null);
    }
  }

  private static Launch launch(Path cache, Map<String, String> more, String... args)
      throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", System.getenv("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SAEV_HADOOP_LIBRARIES", "bundled");
    environment.put("XDG_CACHE_HOME", cache.toString());
    environment.putAll(more);
    String launcher = home.resolve("bin/saev-hadoop").toString();
    String[] command = Stream.concat(Stream.of(launcher), Stream.of(args)).toArray(String[]::new);
    return Launch.of(home, environment, command);
  }

  /** Runs a command, and returns how many classes of this project came from an archive. */
  private static long shared(Path cache, Map<String, String> more, Launch expected)
      throws Exception {
    Path log = Files.createTempFile(folder, "classes", ".txt");
    Map<String, String> environment = new HashMap<>(more);
    environment.merge("SAEV_HADOOP_OPTS", "-Xlog:class+load:file=" + log, (a, b) -> a + " " + b);
    assertThat(launch(cache, environment, "inspect", DATASET)).isEqualTo(expected);
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.contains(" org.saevhadoop.") && line.contains("shared objects file"))
          .count();
    }
  }

  /**
   * Returns what the JVM of a command prints when it ends before the command begins: with which
   * flags the launcher starts it.
   */
  private static Launch flags(Path cache, Map<String, String> more, String... args)
      throws Exception {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("SAEV_HADOOP_OPTS", "-XX:+PrintCommandLineFlags -version");
    return launch(cache, environment, args);
  }

  private Path copy() throws Exception {
    Launch.of(folder, Map.of(), "cp", "-a", made + "/.", caches.toString());
    return caches;
  }

  @Test
  void theNextCommandStartsFromItAndPrintsTheSame() throws Exception {
    assertThat(first.exitCode()).as(first.stderr()).isZero();
    assertThat(shared(made, Map.of(), first)).isGreaterThan(300);
  }

  @Test
  void onlyTheUserCanReadIt() throws Exception {
    Path archive = archive(made);
    assertThat(Files.getPosixFilePermissions(archive)).isEqualTo(fromString("r--------"));
    for (Path above : List.of(archive.getParent(), made.resolve("saev-hadoop"))) {
      assertThat(Files.getPosixFilePermissions(above)).isEqualTo(fromString("rwx------"));
    }
    assertThat(folders(archive.getParent()))
        .containsExactlyInAnyOrder(archive, archive.resolveSibling("long"));
  }

  @Test
  void theTwoNewestAreKept() throws Exception {
    Path newest = archive(made).getParent();
    assertThat(folders(made.resolve("saev-hadoop")))
        .containsExactlyInAnyOrder(newest, newest.resolveSibling("1-1"));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aFaultyArchiveIsIgnoredInSilence(Fault fault) throws Exception {
    fault.make(copy());
    if (fault == Fault.GARBAGE || Boolean.getBoolean("saev.test.long")) {
      assertThat(shared(caches, Map.of(), first)).isZero();
    }
    if (fault != Fault.GARBAGE) { // which only the JVM recognizes
      assertThat(flags(caches, Map.of(), "inspect", DATASET)).isEqualTo(flagsWithoutArchive);
    }
  }

  @Test
  void anotherJarNeedsAnotherArchive() throws Exception {
    String path = nice(caches, "exit 1"); // so that no archive is made
    Path jar = home.resolve("lib/saev-hadoop.jar");
    FileTime time = Files.getLastModifiedTime(jar);
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
    try {
      Path saev = copy().resolve("saev-hadoop");
      assertThat(shared(caches, Map.of("PATH", path), first)).isZero();
      Instant end = Instant.now().plus(PATIENCE);
      while (folders(saev).stream().noneMatch(this::isNew)) {
        assertThat(Instant.now()).as("%s", folders(saev)).isBefore(end);
        Thread.sleep(50);
      }
    } finally {
      Files.setLastModifiedTime(jar, time);
    }
  }

  private boolean isNew(Path entry) {
    return !Files.exists(made.resolve("saev-hadoop").resolve(entry.getFileName()));
  }

  @Test
  void itCanBeSwitchedOff() throws Exception {
    assertThat(flagsWithoutArchive.exitCode()).as(flagsWithoutArchive.stderr()).isZero();
    assertThat(flagsWithoutArchive.stdout()).contains("GC").doesNotContain("SharedArchiveFile");
    Map<String, String> off = Map.of("SAEV_HADOOP_CDS", "off");
    assertThat(flags(made, off, "inspect", DATASET)).isEqualTo(flagsWithoutArchive);
    assertThat(flags(caches, off, "inspect", DATASET)).isEqualTo(flagsWithoutArchive);
    assertThat(caches).isEmptyDirectory();
  }

  @Test
  void aCacheThatCannotBeWrittenIsIgnoredInSilence() throws Exception {
    Path file = Files.createFile(caches.resolve("file"));
    Map<String, String> underFile = Map.of("HOME", file + "/home");
    assertThat(launch(Path.of(""), underFile, "inspect", DATASET)).isEqualTo(first);
    for (String none : List.of(file + "/home", "/proc/none", "", "relative")) {
      assertThat(flags(Path.of(""), Map.of("HOME", none), "inspect", DATASET))
          .isEqualTo(flagsWithoutArchive);
    }
  }

  /** Options that the launcher recognizes, and one that only the JVM does. */
  static Stream<String> options() {
    Path another = Path.of(System.getProperty("java.home"), "lib/server/classes.jsa");
    Stream<String> some =
        Stream.of("-XX:+UseG1GC", "-Xshare:off", "-XX:SharedArchiveFile=" + another);
    return Boolean.getBoolean("saev.test.long")
        ? Stream.concat(
            some,
            Stream.of(
                "-XX:+UseSerialGC", "-Xmx64m", "-XX:-UseCompressedOops", "-Xbootclasspath/a:lib"))
        : some;
  }

  @ParameterizedTest
  @MethodSource("options")
  void optionsOfTheJvmThatExcludeItAreObeyedInSilence(String option) throws Exception {
    Map<String, String> environment = Map.of("SAEV_HADOOP_OPTS", option);
    assertThat(launch(made, environment, "inspect", DATASET)).isEqualTo(first);
  }

  /** The JVM accepts a folder after the jars of the archive, and none before them. */
  @Test
  void theConfigurationOfAClusterIsReadBesideIt() throws Exception {
    Files.writeString(
        caches.resolve("core-site.xml"),
        """
        <configuration>
          <property><name>fs.defaultFS</name><value>nosuch://server</value></property>
        </configuration>
        """);
    for (String variable : List.of("HADOOP_CONF_DIR", "HADOOP_CLASSPATH")) {
      Path log = Files.createTempFile(folder, "classes", ".txt");
      String logged = "-Xlog:class+load:file=" + log;
      Map<String, String> environment =
          Map.of(variable, caches.toString(), "SAEV_HADOOP_OPTS", logged);
      Launch launch = launch(made, environment, "inspect", DATASET);
      assertThat(launch.exitCode()).isEqualTo(1);
      assertThat(launch.stderr()).contains("nosuch");
      assertThat(log).content().containsPattern(" org\\.saevhadoop\\..*shared objects file");
    }
  }

  /** The optimizing compiler costs more time than a command that reads headers only. */
  @ParameterizedTest
  @CsvSource({
    "--version, true",
    "no-such-command, true",
    "inspect DATASET, true",
    "inspect DATASET --digests, false",
    "verify DATASET --structure, false",
    "-D a=b digest DATASET, false"
  })
  void shortCommandsAreCompiledQuickly(String command, boolean quick) throws Exception {
    Launch launch = flags(made, Map.of(), command.replace("DATASET", DATASET).split(" "));
    assertThat(launch.stdout()).contains("SharedArchiveFile=" + archive(made));
    assertThat(launch.stdout().contains("-XX:TieredStopAtLevel=1")).isEqualTo(quick);
  }
}
