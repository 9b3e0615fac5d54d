package org.saevhadoop.converters.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Programs;

/** Someone with an unknown folder types what each command names as the next one. */
class NewcomersPathTest {
  private static final Pattern NOTE = Pattern.compile("next: saev-hadoop (.*)");

  @TempDir Path folder;
  private int outputs;

  /** Runs the command that another one has named. */
  private Cli next(Cli before, String command) throws Exception {
    Matcher note =
        before
            .stderr()
            .lines()
            .map(NOTE::matcher)
            .filter(Matcher::matches)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no note: " + before.stderr()));
    byte[] split = Programs.output("sh", "-c", "printf '%s\\n' " + note.group(1));
    List<String> words =
        new ArrayList<>(new String(split, StandardCharsets.UTF_8).lines().toList());
    words.replaceAll(
        word -> word.equals("OUT") ? folder.resolve("out" + outputs++).toString() : word);
    assertThat(words.get(0)).isEqualTo(command);
    return Cli.run(words);
  }

  private void walk(Object... inspect) throws Exception {
    walk(Cli.run("inspect", inspect).succeeds());
  }

  private void walk(Cli inspect) throws Exception {
    Cli verify = next(inspect, "verify").succeeds();
    assertThat(verify.text()).doesNotContain("error ").contains(" vectors");
    Cli convert = next(verify, "convert").succeeds();
    Cli diff = next(convert, "diff").succeeds();
    assertThat(diff.text()).endsWith("identical\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "speculators",
        "vllm",
        "llamascopium",
        "llamascopium-pt",
        "crosscoder",
        "activault/llama3.3_70b"
      })
  void anUnknownFolderIsInspectedVerifiedConvertedAndCompared(String name) throws Exception {
    walk(Fixtures.arrays(name));
  }

  @Test
  void aReadingThatIsOneOfSeveralIsConfirmedBeforeItIsVerified() throws Exception {
    Path own = folder.resolve("own/a.npy");
    OwnArrays.writeNpy(own, DType.F32, List.of(3L, 4L, 5L), new byte[240]);
    Cli inspect = Cli.run("inspect", own, "--from", "npy").succeeds();
    assertThat(inspect.stderr())
        .contains("note: there are several ways to read it; inspect confirms the");
    Cli confirmed = next(inspect, "inspect").succeeds();
    assertThat(confirmed.stderr())
        .contains(" --from npy ", " --tensor array=example,token,dim")
        .doesNotContain("npy npy");
    assertThat(confirmed.text()).contains("warnings             0").doesNotContain("suggestion");
    walk(confirmed);
    walk(next(Cli.run("inspect", Fixtures.arrays("specforge/rows_2-4")).succeeds(), "inspect"));
  }

  @Test
  void aFindingInValuesEndsInTheCommandThatShowsItsSample() throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    float[] values = new float[10];
    OwnArrays.writeSafetensors(own.resolve("hs_0.safetensors"), 3, 1, 2, 1, 2, 3, 4, 5, 6);
    values[9] = Float.NaN; // in the last of 8 tokens
    OwnArrays.writeSafetensors(own.resolve("hs_1.safetensors"), 5, 1, 2, values);
    String tensor = "--tensor=hidden_states=token,layer,dim";
    Cli verify = Cli.run("verify", own, tensor);
    assertThat(verify.exitCode()).isEqualTo(1);
    String sample = next(verify, "cat").succeeds().text();
    assertThat(sample).startsWith("{\"example\": 7").contains("hs_1");
    Path out = folder.resolve("flat");
    Cli.convert(own, out, "npy --ragged flatten", tensor).succeeds();
    assertThat(next(Cli.run("verify", out), "cat").succeeds().text()).isEqualTo(sample);
    Path plain = folder.resolve("plain");
    Cli.convert(own, plain, "npy --ragged flatten --no-sample-metadata", tensor).succeeds();
    assertThat(next(Cli.run("verify", plain), "cat").succeeds().text())
        .isEqualTo("7 0 0 0.0 NaN\n");
  }

  @Test
  void aKnownDatasetIsToo() throws Exception {
    walk(Fixtures.small());
    walk(Fixtures.pickle("spec"));
  }

  @Test
  void afterAConversionTheStatisticsFollow() throws Exception {
    for (String format : List.of("safetensors", "npy", "parquet")) {
      Path out = folder.resolve("written-" + format);
      Cli.convert(Fixtures.small(), out, format).succeeds();
      assertThat(next(Cli.run("verify", out).succeeds(), "stats").succeeds().text()).isNotEmpty();
    }
  }

  @Test
  void thereAreNoNotesForPrograms() {
    for (String option : List.of("--json", "--quiet")) {
      assertThat(Cli.run("inspect", Fixtures.small(), option).stderr()).isEmpty();
      assertThat(Cli.run("verify", Fixtures.small(), option).stderr()).isEmpty();
    }
  }

  @Test
  void anErrorEndsInTheCommandThatHelps() throws Exception {
    Path vllm = Fixtures.arrays("vllm");
    assertThat(next(Cli.run("verify", vllm), "verify").succeeds().text()).contains(" vectors");
    for (String verb : List.of("digest", "stats", "list", "shuffle")) {
      Cli cli = Cli.run(verb, vllm, verb.equals("shuffle") ? List.of(folder) : List.of());
      assertThat(cli.stderr()).contains("; inspect proposes commands)\nnext: ");
      assertThat(next(cli, "inspect").succeeds().text()).contains(" --ragged flatten ");
    }
  }

  @Test
  void aComparisonHasTheOptionsThatItsSourceNeeds() {
    Path source = Fixtures.arrays("speculators");
    String options = "npy --no-sample-metadata --tensor hidden_states=token,layer,dim";
    assertThat(Cli.convert(source, folder.resolve("out"), options).succeeds().stderr())
        .contains(
            "\nnext: saev-hadoop diff -D saev.input.0.tensors=hidden_states=token,layer,dim "
                + source);
  }
}
