package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;

/** The report of a conversion for programs. */
class ConvertReportTest {
  @TempDir Path folder;

  private JsonNode convert(Path source, String to, Object... options) throws IOException {
    return Cli.convert(source, folder.resolve(to), to + " --json", options).succeeds().json();
  }

  @Test
  void theReportIsOneObjectWithThePathAndThePlan() throws IOException {
    JsonNode report = convert(Fixtures.small(), "safetensors");
    assertThat(report.fieldNames())
        .toIterable()
        .containsExactly(
            ("schema path format examples layers tokens dim dtype stored_dtype bytes files plan"
                    + " counters seconds jobs")
                .split(" "));
    assertThat(report.get("files").longValue()).isEqualTo(1);
    assertThat(report.get("bytes")).isEqualTo(report.get("counters").get("bytes_written"));
    assertThat(report.get("examples").longValue()).isEqualTo(7);
    assertThat(report.get("layers").toString()).isEqualTo("[13,21,23]");
    assertThat(report.get("stored_dtype").textValue()).isEqualTo("F32");
    assertThat(report.get("path").textValue()).isEqualTo(folder + "/safetensors");
    assertThat(report.get("plan").textValue()).isEqualTo("map-only");
    assertThat(report.get("seconds").doubleValue()).isPositive();
    assertThat(report.get("jobs").get(0).has("application")).isFalse();
  }

  /** Of a part of the source, so that it differs from that of the source. */
  @Test
  void theDigestIsThatOfTheDatasetThatWasWritten() throws IOException {
    Path source = Fixtures.small();
    JsonNode report = convert(source, "safetensors", "--examples", "0:3", "--digest");
    String digest = report.get("digest").textValue();
    assertThat(digest)
        .contains("examples=3")
        .isEqualTo(Cli.run("digest", source, "--examples", "0:3").succeeds().lastLine());
    Path again = folder.resolve("again");
    Cli lines = Cli.convert(source, again, "saev --examples 0:3 --digest");
    assertThat(lines.succeeds().text().lines().toList()).containsExactly(digest, lines.lastLine());
  }

  @Test
  void theCountersAreThoseOfTheBlocksAndOfTheFiles() throws IOException {
    JsonNode counters =
        convert(Fixtures.small(), "safetensors", "--batch-size", "2").get("counters");
    long written = 0;
    for (String name : ConvertTest.files(folder.resolve("safetensors"))) {
      boolean document = name.endsWith(".json");
      written += document ? 0 : Files.size(folder.resolve("safetensors").resolve(name));
    }
    assertCounters(counters, written);
  }

  @Test
  void aShuffleCountsEachBlockOnce() throws IOException {
    JsonNode report = convert(Fixtures.small(), "safetensors", "-Dsaev.convert.plan=shuffle");
    assertThat(report.get("plan").textValue()).isEqualTo("shuffle");
    assertCounters(report.get("counters"), report.get("counters").get("bytes_written").longValue());
  }

  /** 7 examples of 3 layers, 10 tokens, 16 dims. */
  private static void assertCounters(JsonNode counters, long written) {
    assertThat(counters.get("examples").longValue()).isEqualTo(7);
    assertThat(counters.get("blocks").longValue()).isEqualTo(7 * 3);
    assertThat(counters.get("bytes_read").longValue()).isBetween(13_440L, 26_880L); // with gaps
    assertThat(counters.get("bytes_written").longValue()).isEqualTo(written).isGreaterThan(13_440);
    assertThat(counters.get("values_changed").longValue()).isZero();
    assertThat(counters.has("values_converted")).isFalse();
  }

  @Test
  void changedValuesAreCountedByTheirKinds() throws IOException {
    JsonNode counters = convert(Fixtures.small(), "safetensors", "--dtype", "bf16").get("counters");
    assertThat(counters.get("values_converted").longValue()).isEqualTo(7 * 3 * 10 * 16);
    assertThat(counters.get("values_changed"))
        .isEqualTo(counters.get("values_rounded"))
        .isNotNull();
    assertThat(counters.get("values_changed").longValue()).isPositive();
  }

  @Test
  void stagingAndVerificationAreJobsOfTheirOwnWithTheNameOfTheSource() throws IOException {
    JsonNode jobs = convert(Fixtures.pickle("spec"), "safetensors", "--verify").get("jobs");
    assertThat(jobs.findValuesAsText("name"))
        .containsExactly(
            "saev-hadoop unpack spec",
            "saev-hadoop verify spec",
            "saev-hadoop convert spec to safetensors",
            "saev-hadoop verify spec to safetensors",
            "saev-hadoop verify spec",
            "saev-hadoop verify spec");
    assertThat(jobs.get(0).get("counters").get("bytes_read").longValue()).isPositive();
    assertThat(jobs.get(0).get("counters").get("bytes_written").longValue()).isPositive();
    assertThat(jobs.get(1).get("counters").get("bytes_read"))
        .isEqualTo(jobs.get(0).get("counters").get("bytes_read"));
    assertThat(jobs.get(3).get("counters").get("bytes_compared"))
        .isEqualTo(jobs.get(2).get("counters").get("bytes_written"));
    assertThat(jobs.get(3).get("counters").get("bytes_written").longValue()).isZero();
  }

  @Test
  void aFailureLeavesItsErrorOnStandardOutput() throws IOException {
    Cli cli = Cli.convert(folder, folder.resolve("out"), "saev --json");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.json().get("error").get("kind").textValue()).isEqualTo("UNKNOWN_FORMAT");
  }
}
