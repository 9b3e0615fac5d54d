package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.testing.Programs;

class CalledProgramTest {
  private static final List<String> ARGS = List.of("inspect", "a b");

  private static String name(@Nullable String launched, @Nullable String command) {
    return CalledProgram.name(launched, command, "my jars/saev.jar", ARGS);
  }

  @Test
  void theLauncherNamesItself() {
    assertThat(name("bin/saev-hadoop", "x.Launcher inspect a b")).isEqualTo("bin/saev-hadoop");
    assertThat(name("my saev", null)).isEqualTo("'my saev'");
  }

  @Test
  void aJarIsRunByHadoopOrByJava() {
    assertThat(name(null, "org.apache.hadoop.util.RunJar my jars/saev.jar inspect a b"))
        .isEqualTo("hadoop jar 'my jars/saev.jar'");
    assertThat(name("", "my jars/saev.jar inspect a b")).isEqualTo("java -jar 'my jars/saev.jar'");
  }

  @Test
  void anotherProgramThatRunsCommandsIsNotNamed() {
    assertThat(name(null, "x.Server /etc/conf")).isEqualTo("saev-hadoop");
    assertThat(name(null, "x.Main inspect a b")).isEqualTo("saev-hadoop");
    assertThat(name(null, null)).isEqualTo("saev-hadoop");
  }

  @Test
  void commandsBeginWithTheProgramAndKeepGenericOptions() {
    Cli cli =
        Cli.run(
            new Configuration(),
            Map.of(CalledProgram.VARIABLE, "../bin/saev-hadoop"),
            "inspect",
            Fixtures.small(),
            List.of("-D", "fs.x=1", "-Dsaev.input.limit=2", "-D", "saev.output.overwrite=true"));
    assertThat(cli.succeeds().stderr())
        .contains(
            "next: ../bin/saev-hadoop verify -D saev.input.limit=2 -D fs.x=1 " + Fixtures.small());
    cli =
        Cli.run(
            new Configuration(), Map.of(CalledProgram.VARIABLE, "../bin/saev-hadoop"), "digest");
    cli.failsAsUsage("(see ../bin/saev-hadoop digest --help)");
  }

  @Test
  void theLauncherPassesThePathUnlessThatIsAnEntryOfPath(@TempDir Path folder) throws Exception {
    String bin = Corpus.checkout().resolve("bin").toString();
    // in place of java: prints the variable
    String java = folder.resolve("bin/java").toString();
    String script =
        """
        mkdir -p "${2%/*}" && printf '#!/bin/sh\\necho "$SAEV_HADOOP_PROGRAM"\\n' >"$2" && chmod +x "$2"
        export JAVA_HOME="$3" SAEV_HADOOP_LIBRARIES=bundled SAEV_HADOOP_CDS=off
        cd "$1/.." && bin/saev-hadoop && "$1/saev-hadoop" && PATH="$1:$PATH" saev-hadoop
        """;
    byte[] output = Programs.output("bash", "-c", script, "-", bin, java, folder.toString());
    assertThat(new String(output, StandardCharsets.UTF_8))
        .isEqualTo("bin/saev-hadoop\n" + bin + "/saev-hadoop\nsaev-hadoop\n");
  }
}
