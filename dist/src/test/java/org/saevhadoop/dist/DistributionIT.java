package org.saevhadoop.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The archive as a user unpacks it, in a folder whose name has a space. */
class DistributionIT {
  private static final Path CHECKOUT = UnpackedArchive.CHECKOUT;

  /** Programs that the launcher calls, and env, which its first line names. */
  private static final List<String> SYSTEM = List.of("bash", "env", "readlink", "mktemp");

  private static final String JAVA_HOME = System.getProperty("java.home");

  /** Sends the arguments of a command to its output, and what it is told by the environment. */
  private static final String ECHO =
      """
      printf '%s\\n' "$0" "$@" "skip=$HADOOP_CLIENT_SKIP_UNJAR" "options=$HADOOP_CLIENT_OPTS"
      """;

  @TempDir static Path folder;

  private static Path home;
  private static Path programs;

  @BeforeAll
  static void unpack() throws Exception {
    home = UnpackedArchive.in(Files.createDirectory(folder.resolve("a place")));
    programs = Files.createDirectory(folder.resolve("programs"));
    for (String program : SYSTEM) {
      Files.createSymbolicLink(programs.resolve(program), find(program).orElseThrow());
    }
  }

  /** Finds a program on the PATH. */
  private static Optional<Path> find(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(path -> Path.of(path, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Path launcher() {
    return home.resolve("bin/saev-hadoop");
  }

  private static Launch launch(Map<String, String> environment, String... args) throws Exception {
    String[] command =
        Stream.concat(Stream.of(launcher().toString()), Stream.of(args)).toArray(String[]::new);
    return Launch.of(folder, environment, command);
  }

  /** Returns a folder with an executable script. */
  private static Path program(String folderName, String name, String script) throws IOException {
    Path bin = Files.createDirectories(folder.resolve(folderName).resolve("bin"));
    Path file = Files.writeString(bin.resolve(name), "#!/usr/bin/env bash\n" + script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return bin.getParent();
  }

  private static String path(Object... folders) {
    return Stream.of(folders).map(Object::toString).collect(Collectors.joining(":"));
  }

  @Test
  void itConvertsWithoutHadoopFromAnyFolderThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("linked here"), launcher());
    Launch launch =
        Launch.of(
            folder,
            Map.of("JAVA_HOME", JAVA_HOME, "PATH", programs.toString()),
            link.toString(),
            "convert",
            home.resolve("fixtures/saev/shards/64988989").toString(),
            "written here",
            "--to",
            "safetensors");
    assertThat(launch.exitCode()).as(launch.stderr()).isZero();
    Path written = folder.resolve("written here");
    assertThat(launch.stdout().strip()).isEqualTo(written.toRealPath().toString());
    assertThat(written).isDirectoryContaining("glob:**.safetensors");
  }

  /** The index is a Parquet file, whose library logs. */
  @Test
  void aConversionWithAnIndexPrintsNothingOfTheLogOfLibraries() throws Exception {
    Launch launch =
        launch(
            Map.of("JAVA_HOME", JAVA_HOME, "PATH", programs.toString(), "SAEV_HADOOP_CDS", "off"),
            "convert",
            home.resolve("fixtures/saev/shards/64988989").toString(),
            "with index",
            "--to",
            "safetensors",
            "--kv");
    assertThat(launch.exitCode()).as(launch.stderr()).isZero();
    assertThat(folder.resolve("with index")).isDirectoryContaining("glob:**.parquet");
    assertThat(launch.stderr().lines()).allMatch(line -> line.matches("(convert|note|next): .*"));
  }

  @Test
  void theHadoopOfHadoopHomeIsUsed() throws Exception {
    Path hadoop = program("in home", "hadoop", ECHO);
    Path other = program("other", "hadoop", "exit 7");
    Launch launch =
        launch(
            Map.of(
                "HADOOP_HOME",
                hadoop.toString(),
                "HADOOP_CLIENT_OPTS",
                "-Dfirst=1",
                "SAEV_HADOOP_OPTS",
                "-Xmx300m",
                "PATH",
                path(other.resolve("bin"), programs)),
            "digest",
            "two words");
    assertThat(launch.exitCode()).as(launch.stderr()).isZero();
    assertThat(launch.stdout())
        .isEqualTo(
            """
            %s
            jar
            %s
            digest
            two words
            skip=true
            options=-Dfirst=1 -Dsaev.terminal=false -Xmx300m
            """,
            hadoop.resolve("bin/hadoop"), home.resolve("lib/saev-hadoop.jar"));
  }

  /** Hadoop's own RunJar starts the class that the manifest names. */
  @Test
  void theHadoopOfThePathRunsTheJar() throws Exception {
    Path hadoop =
        program(
            "on path",
            "hadoop",
            """
            shift
            exec '%s/bin/java' -cp '%s/lib/hadoop/*' org.apache.hadoop.util.RunJar "$@"
            """
                .formatted(JAVA_HOME, home));
    Map<String, String> environment = Map.of("PATH", path(hadoop.resolve("bin"), programs));
    Launch launch = launch(environment, "--version");
    assertThat(launch.exitCode()).as(launch.stderr()).isZero();
    assertThat(launch.stdout()).startsWith("saev-hadoop 0.");
    assertThat(launch(environment, "convert").exitCode()).isEqualTo(2);
  }

  @Test
  void theBundledClientIsUsedOnRequest() throws Exception {
    Path hadoop = program("unused", "hadoop", "exit 7");
    Launch launch =
        launch(
            Map.of(
                "HADOOP_HOME",
                hadoop.toString(),
                "SAEV_HADOOP_LIBRARIES",
                "bundled",
                "JAVA_HOME",
                JAVA_HOME,
                "PATH",
                programs.toString()),
            "--version");
    assertThat(launch.stdout()).as(launch.stderr()).startsWith("saev-hadoop 0.");
  }

  @ParameterizedTest
  @CsvSource({"cluster, no command hadoop, 1", "any, SAEV_HADOOP_LIBRARIES is \"any\", 2"})
  void aMissingHadoopOrAWrongChoiceIsOneLine(String choice, String part, int exitCode)
      throws Exception {
    Launch launch =
        launch(Map.of("SAEV_HADOOP_LIBRARIES", choice, "PATH", programs.toString()), "digest");
    assertOneLine(launch, part, exitCode);
  }

  @Test
  void aMissingJavaIsOneLine() throws Exception {
    assertOneLine(launch(Map.of("PATH", programs.toString())), "no java on the PATH", 1);
    assertOneLine(
        launch(Map.of("JAVA_HOME", "/none", "PATH", programs.toString())), "/none/bin/java", 1);
  }

  private static void assertOneLine(Launch launch, String part, int exitCode) {
    assertThat(launch.exitCode()).isEqualTo(exitCode);
    assertThat(launch.stderr().lines()).hasSize(1);
    assertThat(launch.stderr()).startsWith("saev-hadoop: ").contains(part);
    assertThat(launch.stdout()).isEmpty();
  }

  /** Java 8 ends with an error of its own if it is given flags of later versions. */
  @ParameterizedTest
  @CsvSource({"1.8.0_452, 0", "11.0.2, 0", "17.0.15, 1", "25, 3"})
  void anOlderJvmGetsOnlyFlagsThatItHas(String version, int flags) throws Exception {
    Path java = program("java " + version, "java", "printf '%s\\n' \"$@\"\n");
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    Launch launch =
        launch(Map.of("JAVA_HOME", java.toString(), "PATH", programs.toString()), "digest");
    assertThat(launch.stdout().lines().filter(arg -> arg.startsWith("--"))).hasSize(flags);
    assertThat(launch.stdout()).endsWith("org.saevhadoop.converters.ClientLauncher\ndigest\n");
  }

  /** The beginning of a line, and the word to which its last one is completed. */
  static Stream<Arguments> completions() {
    return Stream.of(
        Arguments.of("saev-hadoop conv", "convert"),
        Arguments.of("saev-hadoop convert a b --to safe", "safetensors"),
        Arguments.of("saev-hadoop convert --overwrite --targ", "--target-shard-mb"),
        Arguments.of("saev-hadoop digest LIC", "LICENSE"),
        Arguments.of("saev-hadoop convert --overwrite LIC", "LICENSE"));
  }

  @ParameterizedTest
  @MethodSource("completions")
  void bashCompletesCommandsOptionsValuesAndPaths(String line, String completed) throws Exception {
    // what bash does at a tab: the function, then names of files if it found nothing
    String script =
        """
        cd "$2" && . share/bash-completion/completions/saev-hadoop
        complete -p saev-hadoop | grep -q -- '-o default' || exit 3
        COMP_LINE=$1 COMP_POINT=${#1}
        read -ra COMP_WORDS <<<"$1"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        compopt() { exit 4; }
        _complete_saev-hadoop
        [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
        printf '%s\\n' "${COMPREPLY[@]}"
        """;
    Launch launch =
        Launch.of(
            folder,
            Map.of("PATH", System.getenv("PATH")),
            "bash",
            "-c",
            script,
            "bash",
            line,
            home.toString());
    assertThat(launch.exitCode()).as(launch.stderr()).isZero();
    assertThat(launch.stdout().strip()).isEqualTo(completed);
  }

  @ParameterizedTest
  @MethodSource("completions")
  void fishCompletesCommandsOptionsValuesAndPaths(String line, String completed) throws Exception {
    Launch launch =
        launchIfThere(
            "fish",
            "--no-config",
            "-c",
            "cd $argv[2]; source share/fish/vendor_completions.d/saev-hadoop.fish; complete -C $argv[1]",
            line,
            home.toString());
    assertThat(launch.exitCode()).as(launch.stderr()).isZero();
    assertThat(launch.stdout().lines().map(word -> word.split("\t")[0])).containsOnly(completed);
  }

  @Test
  void groffFormatsTheManualPageWithoutAWarning() throws Exception {
    Path page = home.resolve("share/man/man1/saev-hadoop.1");
    // but for lines that cannot be broken, as some options with their values are long
    Launch launch =
        launchIfThere("groff", "-man", "-Tutf8", "-P-cbou", "-ww", "-Wbreak", page.toString());
    assertThat(launch.stderr()).isEmpty();
    assertThat(launch.stdout())
        .containsPattern(
            "\nNAME\n +saev-hadoop +- +converts, +inspects, +compares +and +shuffles +activation")
        .contains("\nsaev-hadoop convert\n")
        .contains("\n       --max-parquet-bytes=N\n");
  }

  private static Launch launchIfThere(String... command) throws Exception {
    assumeTrue(
        "true".equals(System.getenv("CI")) || find(command[0]).isPresent(), "no " + command[0]);
    Map<String, String> environment =
        Map.of("PATH", System.getenv("PATH"), "HOME", folder.toString(), "LC_ALL", "C.UTF-8");
    return Launch.of(folder, environment, command);
  }

  @ParameterizedTest
  @MethodSource("completions")
  void zshCompletesCommandsOptionsValuesAndPaths(String line, String completed) throws Exception {
    assumeTrue("true".equals(System.getenv("CI")) || find("zsh").isPresent(), "no zsh");
    // completes a line in a terminal of its own, where a key prints the line that results
    String script =
        """
        zmodload zsh/zpty
        zpty shell "exec zsh -f -i"
        zpty -w shell "PROMPT=; cd ${(q)2}; fpath=(${(q)2}/share/zsh/site-functions \\$fpath)"
        zpty -w shell "autoload -Uz compinit && compinit -u -D"
        zpty -w shell 'complete-line() { zle complete-word; print -rn -- "<<<$BUFFER>>>"; zle kill-whole-line }'
        zpty -w shell 'zle -N complete-line; bindkey "^T" complete-line'
        zpty -w shell "{ setopt; alias } > before; print READ''Y"
        zpty -r -m shell seen '*READY*'
        zpty -w -n shell "$1"$'\\x14'
        zpty -r -m shell seen '*<<<*>>>*'
        print -r -- "${${seen##*<<<}%%>>>*}"
        zpty -w shell "{ setopt; alias } > after; print DON''E"
        zpty -r -m shell seen '*DONE*'
        cmp "$2/before" "$2/after"
        """;
    Launch launch =
        Launch.of(
            folder,
            Map.of("PATH", System.getenv("PATH"), "HOME", folder.toString()),
            "timeout",
            "60",
            "zsh",
            "-f",
            "-c",
            script,
            "zsh",
            line,
            home.toString());
    assertThat(launch.exitCode()).as(launch.stdout() + launch.stderr()).isZero();
    assertThat(launch.stdout().strip())
        .isEqualTo(line.substring(0, line.lastIndexOf(' ') + 1) + completed);
  }

  @Test
  void itHasTheDocsAndTheLibrariesOfTheLauncher() throws IOException {
    assertThat(names(home.resolve("docs"))).isEqualTo(names(CHECKOUT.resolve("docs")));
    assertThat(names(home.resolve("lib/hadoop")))
        .isEqualTo(names(CHECKOUT.resolve("converters/target/lib")));
    assertThat(names(home.resolve("docs/commands")))
        .isEqualTo(names(CHECKOUT.resolve("docs/commands")));
    assertThat(home.resolve("fixtures/saev/shards/64988989"))
        .isDirectory()
        .matches(folder -> !Files.isSymbolicLink(folder));
    assertThat(home.resolve("NOTICE")).isRegularFile();
  }

  @Test
  void eachLibraryHasALicense() throws IOException {
    for (String name : names(home.resolve("lib/hadoop"))) {
      try (JarFile jar = new JarFile(home.resolve("lib/hadoop").resolve(name).toFile())) {
        boolean inside =
            jar.stream()
                .anyMatch(e -> e.getName().matches("META-INF/(LICENSE|licenses-binary/).*"));
        boolean beside = names(home.resolve("licenses")).stream().anyMatch(name::startsWith);
        assertThat(inside || beside).as(name).isTrue();
      }
    }
  }

  private static TreeSet<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
