package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.dataset.DatasetError;

@Isolated
@Tag("late")
class BenchTest {
  private static final List<String> KINDS = List.of("plain", "ordered", "shuffled", "indexed");

  @Test
  void eachKindOfReadingHasItsLine() {
    Cli cli = bench("--tokens", "special").succeeds();
    assertThat(cli.text().lines().findFirst().orElseThrow()).contains(" MiB/s ");
    assertThat(cli.text().lines().skip(1).map(line -> line.split(" ")[0].strip()))
        .containsExactlyElementsOf(KINDS);
  }

  @Test
  void jsonReportsWhatWasReadAndHowFast() throws IOException {
    JsonNode report = bench("--layer", "13", "--batch-size", "20", "--json").succeeds().json();
    assertThat(report.get("vectors").asLong()).isEqualTo(7 * 9);
    assertThat(report.get("token_selection").asText()).isEqualTo("image");
    assertThat(report.get("tokens").asInt()).isEqualTo(9);
    assertThat(report.get("layers").toString()).isEqualTo("[13]");
    for (String kind : KINDS) {
      assertThat(report.get(kind).get("vectors_per_second").asLong()).isPositive();
    }
    JsonNode plain = report.get("plain");
    assertThat(plain.get("of_plain").asDouble()).isEqualTo(1);
    assertThat(
            plain.get("bytes_per_second").asDouble() / plain.get("vectors_per_second").asDouble())
        .isCloseTo(16 * Float.BYTES, within(0.1));
  }

  @Test
  void whatIsNotThereCanNotBeRead() {
    bench("--layer", "14").failsWith(DatasetError.NO_SUCH_LAYER, Fixtures.SMALL);
    bench("--tokens", "patches").failsAsUsage();
    bench("--layer", "last").failsAsUsage("--layer is \"last\"");
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds, 0",
    "--threads, 0",
    "--batch-size, 0",
    "--buffer-size, -1",
    "--seconds, 0",
    "--seconds, NaN",
    "--seconds, 1e300"
  })
  void whatCanNotBeMeasuredIsAnErrorOfTheCommandLine(String option, String value) {
    Cli cli = Cli.run("bench", Fixtures.small(), option, value).failsAsUsage("(expected ");
    assertThat(cli.stderr()).startsWith(option + " is ");
  }

  private static Cli bench(Object... options) {
    return Cli.run("bench", Fixtures.small(), "--seconds=0.01", "--rounds=1", options);
  }
}
