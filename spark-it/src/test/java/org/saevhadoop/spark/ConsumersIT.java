package org.saevhadoop.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Projects of users, as docs/using.md describes them: compiled and run against a repository of what
 * this build has made, without a network. Other libraries come from the repository of this machine,
 * as from a server, so nothing of this project gets into it.
 */
@Tag("long")
class ConsumersIT {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Path SOURCES = CHECKOUT.resolve("spark-it/src/test/consumers");
  private static final String PAGE = "docs/using.md";
  private static final String VERSION = System.getProperty("saev.test.version");
  private static final String STAGED_URL = "file://${user.home}/saev-hadoop/dist/target/staged";
  private static final Pattern DEPENDENCIES =
      Pattern.compile("( *<dependencies>.*?</dependencies>)", Pattern.DOTALL);

  private static final Pattern SPARK =
      Pattern.compile(
          "<dependency>\\s*<groupId>org.apache.spark<(?:(?!</dependency>).)*</dependency>",
          Pattern.DOTALL);

  private static final String FIXTURE =
      CHECKOUT.resolve("fixtures/saev/shards/64988989").toString();

  private static final String DIGEST =
      "sha256-blocks:c4bf5d7f98a2a1d031f64edd86b7da49356d0e702d743b5ff002d19e1b21012c";

  /** Those that spark-submit sets. */
  private static final String SPARK_OPENS =
      List.of("java.lang", "java.lang.invoke", "java.nio", "java.util", "sun.nio.ch").stream()
          .map(name -> "--add-opens=java.base/%s=ALL-UNNAMED".formatted(name))
          .collect(Collectors.joining(" "));

  /** The last block of the build file of Gradle. */
  private static final String APPLICATION =
      """
      application {
          mainClass.set("Digests")
      }\
      """;

  @TempDir static Path folder;

  private static Path settings;

  @BeforeAll
  static void stage() throws IOException {
    copy("", "saev-hadoop", Map.of());
    for (String module : List.of("format", "mapreduce", "jobs")) {
      String artifact = "saev-hadoop-" + module;
      Path jar = Path.of(module, "target", "%s-%s.jar".formatted(artifact, VERSION));
      copy(module, artifact, Map.of("", jar));
    }
    copy(
        "dist",
        "saev-hadoop-dist",
        Map.of("-all", Path.of("converters", "target", "saev-hadoop.jar")));
    settings =
        Files.writeString(
            folder.resolve("settings.xml"),
            """
            <settings>
              <localRepository>%s</localRepository>
              <mirrors>
                <mirror>
                  <id>machine</id>
                  <mirrorOf>*,!saev-hadoop</mirrorOf>
                  <url>%s</url>
                </mirror>
              </mirrors>
            </settings>
            """
                .formatted(folder.resolve("local"), machine()));
  }

  /** Returns the URL of the repository of what this build has made. */
  private static String staged() {
    return folder.resolve("staged").toUri().toString();
  }

  /** Returns the URL of the repository of this machine. */
  private static String machine() {
    return Path.of(System.getProperty("saev.test.repository")).toUri().toString();
  }

  /** Copies the POM of a module and its jars, by their classifiers. */
  private static void copy(String module, String artifact, Map<String, Path> jars)
      throws IOException {
    Path target =
        Files.createDirectories(
            folder.resolve("staged/org/saevhadoop/" + artifact + "/" + VERSION));
    String name = artifact + "-" + VERSION;
    Files.copy(CHECKOUT.resolve(module).resolve("pom.xml"), target.resolve(name + ".pom"));
    for (Map.Entry<String, Path> jar : jars.entrySet()) {
      Files.copy(CHECKOUT.resolve(jar.getValue()), target.resolve(name + jar.getKey() + ".jar"));
    }
  }

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("(?ms)^```%s\\n(.*?)\\n```$".formatted(language))
        .matcher(Files.readString(CHECKOUT.resolve(PAGE)))
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /** Writes the classes of a program. */
  private static Path sources(String program, String folderName) throws IOException {
    Path project = Files.createDirectories(folder.resolve(folderName));
    Path code = Files.createDirectories(project.resolve("src/main/java"));
    try (Stream<Path> files = Files.list(SOURCES.resolve(program))) {
      for (Path file : files.toList()) {
        Files.copy(file, code.resolve(file.getFileName()));
      }
    }
    return project;
  }

  /** Writes a project: the POM of the page, if need be with other dependencies, and a class. */
  private static Path project(String name, String dependencies) throws IOException {
    Path project = sources(name, name);
    String pom = blocks("xml").get(0);
    assertThat(pom).contains(STAGED_URL);
    pom = pom.replace(STAGED_URL, staged());
    pom = DEPENDENCIES.matcher(pom).replaceFirst(Matcher.quoteReplacement(dependencies));
    Files.writeString(project.resolve("pom.xml"), pom);
    return project;
  }

  /** Compiles and runs a project, and returns what it prints. */
  private static String run(Path project, String goal, String... properties)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("saev.test.maven"), "bin", "mvn").toString());
    command.addAll(
        List.of("-B", "-q", "-Dstyle.color=never", "-s", settings.toString(), "compile", goal));
    command.addAll(List.of(properties));
    return execute(project, command);
  }

  private static String execute(Path project, List<String> command)
      throws IOException, InterruptedException {
    Path out = folder.resolve(project.getFileName() + ".out");
    Path err = folder.resolve(project.getFileName() + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(project.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    int exitCode = builder.start().waitFor();
    assertThat(exitCode).as(Files.readString(out) + Files.readString(err)).isZero();
    return Files.readString(out);
  }

  @Test
  void aProgramReadsDatasetsWithTheFormatAlone() throws Exception {
    Path project = project("format", blocks("xml").get(1));
    assertThat(run(project, "exec:java", "-Dexec.mainClass=Shapes", "-Dexec.args=" + FIXTURE))
        .contains("vectors=70");
    assertThat(run(project, "exec:java", "-Dexec.mainClass=Norms", "-Dexec.args=" + FIXTURE))
        .contains("30720.754");
  }

  @Test
  void aProgramCallsVerbs() throws Exception {
    Path project =
        project(
            "verbs",
            DEPENDENCIES
                .matcher(blocks("xml").get(0))
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElseThrow());
    String arguments = FIXTURE + " " + project.resolve("written");
    String printed =
        run(project, "exec:java", "-Dexec.mainClass=Digests", "-Dexec.args=" + arguments);
    assertThat(printed.lines().filter(line -> line.contains(DIGEST))).hasSize(2);
    assertThat(run(project, "exec:java", "-Dexec.mainClass=LayerMeans", "-Dexec.args=" + FIXTURE))
        .contains("13 30720.754");
  }

  @Test
  void aSparkApplicationReadsADataset() throws Exception {
    assumeTrue(Runtime.version().feature() < 24, "Spark's client of Hadoop is 3.4.2");
    Path project =
        project("spark", SPARK.matcher(blocks("xml").get(2)).replaceFirst(ofThisModule()));
    String arguments =
        "%s -Dspark.master=local[1] -Dspark.driver.host=localhost -Dspark.ui.enabled=false -cp %%classpath Counts %s"
            .formatted(SPARK_OPENS, FIXTURE);
    assertThat(
            run(
                project,
                "exec:exec",
                "-Dexec.executable=" + Path.of(System.getProperty("java.home"), "bin", "java"),
                "-Dexec.classpathScope=compile",
                "-Dexec.args=" + arguments))
        .contains("vectors=70");
  }

  /** Returns Spark as this module has it: without the parts that it has not fetched. */
  private static String ofThisModule() throws IOException {
    String pom = Files.readString(CHECKOUT.resolve("spark-it/pom.xml"));
    String version = pom.replaceAll("(?s).*?<spark.version>(.*?)<.*", "$1");
    assertThat(blocks("xml").get(2)).contains("<version>" + version + "</version>");
    String spark =
        SPARK
            .matcher(pom)
            .results()
            .map(MatchResult::group)
            .collect(Collectors.joining())
            .replace("${spark.version}", version)
            .replace("<scope>test</scope>", "<scope>provided</scope>");
    return Matcher.quoteReplacement(spark);
  }

  /** Writes a project for Gradle: the page's build file, with one group of its dependencies. */
  private static Path gradleProject(String program, String group, String call) throws IOException {
    String build = blocks("kotlin").get(0);
    String dependencies =
        build.replaceFirst("(?s).*    // %s\n(.*?)\n(\n|}).*".formatted(group), "$1");
    assertThat(dependencies).doesNotContain("//").contains("org.saevhadoop:");
    for (String replaced : List.of("file://${System.getProperty(\"user.home\")}", APPLICATION)) {
      assertThat(build).contains(replaced);
    }
    build =
        build
            .replaceFirst(
                "(?s)dependencies \\{\n.*?\n}",
                Matcher.quoteReplacement("dependencies {\n" + dependencies + "\n}"))
            .replaceFirst("uri\\(\"file:.*staged\"\\)", "uri(\"%s\")".formatted(staged()))
            .replace("mavenCentral()", "maven { url = uri(\"%s\") }".formatted(machine()))
            .replace(APPLICATION, call);
    Path project = sources(program, "gradle-" + program);
    Files.writeString(project.resolve("build.gradle"), build);
    Files.writeString(project.resolve("settings.gradle"), "");
    return project;
  }

  /** Runs a program with the Gradle of the PATH, such as Debian's 4.4. */
  @ParameterizedTest
  @CsvSource({"format, without Hadoop, Shapes", "verbs, verbs, Digests"})
  void gradleRunsPrograms(String program, String group, String main) throws Exception {
    assumeTrue("true".equals(System.getenv("CI")) || isOnPath("gradle"), "no gradle");
    String call =
        """
        if (GradleVersion.current() < GradleVersion.version("6.4")) {
            mainClassName = "%s"
        } else {
            %s
        }
        run { args("%s", "%s") }
        """
            .formatted(
                main,
                APPLICATION.replace("Digests", main),
                FIXTURE,
                folder.resolve("gradle-" + program).resolve("written"));
    Path project = gradleProject(program, group, call);
    String home = folder.resolve("gradle-home").toString();
    String printed =
        execute(project, List.of("gradle", "--offline", "--no-daemon", "-q", "-g", home, "run"));
    assertThat(printed.lines().filter(line -> line.contains(DIGEST) || line.equals("vectors=70")))
        .hasSize(program.equals("verbs") ? 2 : 1);
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
  }

  @Test
  void gradleHasTheDependenciesOfMaven() throws IOException {
    TreeSet<String> maven = new TreeSet<>();
    TreeMap<String, String> versions = new TreeMap<>();
    String pom = blocks("xml").get(0);
    for (String property : List.of("saev-hadoop.version", "hadoop.version")) {
      versions.put(
          "${" + property + "}",
          pom.replaceAll("(?s).*<%1$s>(.*?)</%1$s>.*".formatted(property), "$1"));
    }
    assertThat(versions).containsEntry("${saev-hadoop.version}", VERSION);
    Pattern dependency =
        Pattern.compile(
            "<dependency>\\s*<groupId>(.*?)</groupId>\\s*<artifactId>(.*?)</artifactId>\\s*"
                + "<version>(.*?)</version>(?:\\s*<classifier>(.*?)</classifier>)?");
    for (String block : blocks("xml")) {
      dependency
          .matcher(block)
          .results()
          .forEach(
              found ->
                  maven.add(
                      "%s:%s:%s%s"
                          .formatted(
                              found.group(1),
                              found.group(2),
                              versions.getOrDefault(found.group(3), found.group(3)),
                              found.group(4) == null ? "" : ":" + found.group(4))));
    }
    TreeSet<String> gradle =
        Pattern.compile("\\w\\(\"([^:\"]+:[^\"]+)\"\\)")
            .matcher(blocks("kotlin").get(0))
            .results()
            .map(found -> found.group(1))
            .filter(text -> !text.startsWith("file:"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(gradle).isEqualTo(maven);
  }
}
