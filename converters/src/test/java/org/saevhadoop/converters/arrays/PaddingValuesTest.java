package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;

/** The value of {@code --ragged pad:N:VALUE} is one that the stored type holds, in every verb. */
class PaddingValuesTest {
  @TempDir Path folder;

  private Path source(String dtype) throws IOException {
    Path source = Files.createDirectory(folder.resolve("source"));
    for (long tokens = 2; tokens < 4; tokens++) {
      Found found = Found.of(dtype, List.of(tokens, 4L), new byte[(int) tokens * 8]);
      NaiveTensors.write(source.resolve(tokens + ".safetensors"), Map.of("layer_3", found));
    }
    return source;
  }

  private Cli run(String verb, Path source, String padding) {
    List<Object> words = new ArrayList<>(List.of(verb, source));
    switch (verb) {
      case "convert", "shuffle" -> words.addAll(List.of(folder.resolve("out"), "--to=npy"));
      case "diff" -> words.add(source);
      case "cat" -> words.add("--examples=:");
      case "bench" -> words.addAll(List.of("--seconds=0.001", "--rounds=1"));
      default -> {}
    }
    return Cli.run(words, "--tensor=layer_3=token,dim", "--ragged=pad:6:" + padding);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "convert", "shuffle", "stats", "digest", "verify", "diff", "list", "cat", "inspect", "bench"
      })
  void aPaddingThatTheTypeDoesNotHoldIsRefused(String verb) throws IOException {
    Path source = source("I16");
    for (String padding : List.of("-1.5", "1e9")) {
      Cli cli = run(verb, source, padding);
      assertThat(cli.exitCode()).as("%s: %s", verb, cli.stderr()).isIn(1, 3);
      String printed = verb.equals("verify") ? cli.text() : cli.stderr();
      assertThat(printed.lines().toList().get(0))
          .as(verb)
          .endsWith(
              "%s: its values are I16, which does not hold the padding %s (expected --ragged pad:6:VALUE with a value of I16)"
                  .formatted(source, Double.parseDouble(padding)));
      assertThat(cli.stderr().lines()).as(verb).hasSize(verb.equals("verify") ? 0 : 1);
    }
  }

  @Test
  void aPaddingOfAFloatIsRounded() throws IOException {
    Path source = source("F16");
    assertThat(run("cat", source, "0.1").succeeds().text()).contains("0.099975586");
    Cli cli = run("stats", source, "1e6");
    cli.failsWithText(source + ": its values are F16, which does not hold the padding 1000000.0");
  }

  @Test
  void nothingIsRefusedThatIsNotWritten() throws IOException {
    Path source = source("I16");
    Files.delete(source.resolve("2.safetensors"));
    Cli.run("list", source, "--tensor=layer_3=token,dim", "--ragged=pad:3:-1.5").succeeds();
  }
}
