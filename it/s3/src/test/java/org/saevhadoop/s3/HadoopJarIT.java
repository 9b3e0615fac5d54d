package org.saevhadoop.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.RunJar;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Conversions with {@code hadoop jar}, as on an edge node: Hadoop and S3A are on the class path of
 * the system, and the one jar is known to the class loader of {@link RunJar} only. With a
 * cluster.sh (the property {@code it.cluster}), also on YARN.
 */
class HadoopJarIT {
  private static final Path JAR =
      Path.of("..", "..", "converters", "target", "saev-hadoop.jar").toAbsolutePath().normalize();
  private static final String CLUSTER = System.getProperty("it.cluster", "");
  private static final String SOURCE = "/data/saev";

  @TempDir static Path folder;
  private static ObjectServer server;
  private static Path source;
  private static final StringBuilder TABLE = new StringBuilder();

  /** Where the jobs of a command run. */
  private enum Runner {
    LOCAL,
    YARN
  }

  @BeforeAll
  static void start() throws Exception {
    server = new ObjectServer();
    source = ObjectStoreIT.dataset(folder.resolve("saev"));
    writeSiteFile();
    if (!CLUSTER.isEmpty()) {
      cluster("start", "1", "1");
      cluster("hadoop", "fs", "-mkdir", "-p", "/data");
      cluster("hadoop", "fs", "-put", source.toString(), SOURCE);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (!CLUSTER.isEmpty()) {
      cluster("wipe");
    }
    server.stop();
    String head = "| runner | committer | objects copied | result |\n|---|---|---|---|\n";
    Files.writeString(Path.of("target", "hadoop-jar-table.md"), head + TABLE);
  }

  static Stream<Arguments> committers() {
    return Stream.of(Runner.values())
        .filter(runner -> runner == Runner.LOCAL || !CLUSTER.isEmpty())
        .flatMap(
            runner ->
                Stream.of("magic", "directory", "file")
                    .map(committer -> Arguments.of(runner, committer)));
  }

  @ParameterizedTest
  @MethodSource("committers")
  void datasetsAreWrittenAndReadOnS3(Runner runner, String committer) throws Exception {
    String below = "s3a://" + ObjectServer.BUCKET + "/" + runner + "/" + committer + "/";
    String from = runner == Runner.LOCAL ? source.toString() : SOURCE;
    String digest = run(runner, "digest", from);
    long copied = server.copies();
    convert(runner, committer, from, below + "acts", "safetensors", "--verify");
    convert(runner, committer, below + "acts", below + "pickle", "pickle", "--uncompressed");
    convert(runner, committer, below + "pickle", below + "back", "safetensors");
    copied = server.copies() - copied;
    for (String dataset : List.of("acts", "back")) {
      assertThat(run(runner, "digest", below + dataset)).isEqualTo(digest);
    }
    assertThat(server.uploads(runner + "/" + committer + "/")).isEmpty();
    assertThat(copied > 0).as("%d objects were copied", copied).isEqualTo(committer.equals("file"));
    TABLE.append("| %s | %s | %d | same digest |%n".formatted(runner, committer, copied));
  }

  private static void convert(
      Runner runner, String committer, String from, String to, String format, String... options)
      throws Exception {
    List<String> words = new ArrayList<>(List.of("convert", from, to, "--to", format));
    if (!committer.equals("magic")) { // the default
      words.add("-Dfs.s3a.committer.name=" + committer);
    }
    words.addAll(List.of(options));
    assertThat(run(runner, words.toArray(String[]::new))).isEqualTo(to);
  }

  /** Runs a command of the one jar, which succeeds, and returns what it prints. */
  private static String run(Runner runner, String... words) throws Exception {
    if (runner == Runner.YARN) {
      return cluster(
          Stream.concat(Stream.of("hadoop", "jar", JAR.toString()), Arrays.stream(words))
              .toArray(String[]::new));
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.addAll(List.of("-cp", folder + File.pathSeparator + systemClassPath()));
    command.addAll(List.of(RunJar.class.getName(), JAR.toString()));
    command.addAll(List.of(words));
    return run(new ProcessBuilder(command));
  }

  /** Returns the class path of the tests without this project. */
  private static String systemClassPath() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(all.split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !entry.endsWith(JAR.getFileName().toString()))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Runs cluster.sh with S3A on the class paths of its clients and containers. */
  private static String cluster(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(CLUSTER + "/cluster.sh"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> variables = builder.environment();
    variables.put("BASE", base());
    variables.put("EXTRA_CP", libraries().toString());
    variables.put(
        "EXTRA_CORE",
        server.options().stream().map(one -> one.substring(2)).collect(Collectors.joining(" ")));
    return run(builder);
  }

  /** Returns the folder of the cluster, which it/s3.sh wipes even if the tests are killed. */
  private static String base() {
    return Path.of("target", "cluster").toAbsolutePath().toString();
  }

  /** Returns a folder with links to the jars that S3A needs. */
  private static Path libraries() throws IOException {
    Path links = folder.resolve("libraries");
    if (Files.notExists(links)) {
      Files.createDirectory(links);
      for (String entry : systemClassPath().split(File.pathSeparator)) {
        Path jar = Path.of(entry);
        String name = jar.getFileName().toString();
        if (name.matches("(hadoop-aws|bundle|analyticsaccelerator-s3)-\\d.*")) {
          Files.createSymbolicLink(links.resolve(name), jar);
        }
      }
    }
    return links;
  }

  private static String run(ProcessBuilder builder) throws Exception {
    Path err = Files.createTempFile(folder, "err", null);
    builder.environment().put("HADOOP_CLIENT_SKIP_UNJAR", "true");
    // in the local runner, the committer "directory" writes below the current folder
    builder.directory(folder.toFile());
    Process process = builder.redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor())
        .as("%s%n%s%n%s", builder.command(), out, Files.readString(err))
        .isZero();
    return out.strip();
  }

  private static void writeSiteFile() throws IOException {
    Configuration conf = new Configuration(false);
    for (String option : server.options()) {
      String[] pair = option.substring(2).split("=", 2);
      conf.set(pair[0], pair[1]);
    }
    try (OutputStream out = Files.newOutputStream(folder.resolve("core-site.xml"))) {
      conf.writeXml(out);
    }
  }
}
