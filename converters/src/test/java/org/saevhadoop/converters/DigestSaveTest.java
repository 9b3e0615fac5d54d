package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.jobs.digest.DigestError;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/** The sums that {@code digest --save} writes, and what {@code digest --expect} compares. */
@Tag("late")
class DigestSaveTest {
  @TempDir Path folder;
  private Path dataset;
  private Path sums;

  @BeforeEach
  void copyOfADataset() throws IOException {
    dataset = Fixtures.labelled(Fixtures.SMALL, folder);
    sums = folder.resolve(Fixtures.SMALL + ".sha256");
  }

  private void assertOnlySumsAreAdded() throws IOException {
    assertThat(ConvertTest.files(folder))
        .containsExactly(Fixtures.SMALL, Fixtures.SMALL + ".sha256");
  }

  @ParameterizedTest
  @ValueSource(strings = {"npy", "samediff", "safetensors", "pickle", "parquet"})
  void sumsOfAWrittenDatasetHaveItsDigest(String format) throws IOException {
    Path written =
        Cli.convert(dataset, folder.resolve("written"), format).succeeds().lastLinePath();
    assertThat(save(written, "--save")).isEqualTo(save(dataset));
    assertThat(Cli.run("digest", written, "--expect", written + ".sha256").exitCode()).isZero();
  }

  private String save(Object... options) {
    return Cli.run("digest", options).succeeds().lastLine();
  }

  /** Runs the real program in the folder; skips the test where it is absent. */
  private String sha256sum(Path file) throws IOException, InterruptedException {
    Path program = Path.of("/usr/bin/sha256sum");
    Assumptions.assumeTrue(Files.isExecutable(program), "no sha256sum");
    Process process =
        new ProcessBuilder(program.toString(), "--strict", "-c", file.toString())
            .directory(new File(folder.toString()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + "\n" + output;
  }

  @ParameterizedTest
  @ValueSource(strings = {"before", "after", "named"})
  void sha256sumAcceptsTheFile(String form) throws Exception {
    String line =
        switch (form) {
          case "before" -> save("--save", dataset);
          case "after" -> save(dataset, "--save");
          default -> save(dataset + "/", "--save=" + sums);
        };
    assertThat(line).isEqualTo(save(dataset));
    assertThat(sums).content().startsWith("# " + line + "\n");
    assertThat(Files.readAllLines(sums)).hasSize(1 + ConvertTest.files(dataset).size());
    assertOnlySumsAreAdded();
    assertThat(sha256sum(sums)).startsWith("0\n").contains("/labels.bin: OK");
    Path data = dataset.resolve("acts000001.bin");
    byte[] bytes = Files.readAllBytes(data);
    bytes[17] ^= 4;
    Files.write(data, bytes);
    assertThat(sha256sum(sums)).startsWith("1\n").contains("/acts000001.bin: FAILED");
  }

  @Test
  void namesWithSpecialCharactersAreThoseOfSha256sum() throws Exception {
    Path odd = Files.move(dataset, folder.resolve("a b\\c\nd"));
    Files.writeString(odd.resolve("note #1\r"), "x");
    // by a link, as paths of Hadoop have no backslash
    Path link = Files.createSymbolicLink(folder.resolve("link"), odd);
    Files.writeString(odd.resolve("back\\slash"), "x");
    save(link, "--save=" + sums);
    assertThat(sha256sum(sums)).startsWith("0\n");
    save(link, "--expect", sums);
  }

  @Test
  void aFileOfOneTensorFileNamesItAndItsSidecar() throws Exception {
    Path out = folder.resolve("out");
    Path described =
        new NaiveActivations(3, List.of(4), 2, 3, false, true).writeSaev(folder.resolve("naive"));
    Cli.convert(described, out, "safetensors").succeeds();
    Path part = NaiveTensors.parts(out).get(0);
    save(part, "--save");
    Path saved = part.resolveSibling(part.getFileName() + ".sha256");
    assertThat(Files.readAllLines(saved)).hasSize(3);
    Path sidecar =
        part.resolveSibling(
            part.getFileName().toString().replace(".safetensors", ".examples.jsonl.gz"));
    assertThat(saved).content().contains("  " + sidecar.getFileName() + "\n");
    save(part, "--expect", saved);
    Files.write(sidecar, new byte[] {1});
    Cli.run("digest", part, "--expect", saved).failsWith(DigestError.DIFFERENT_SUM, sidecar);
  }

  @Test
  void columnsThatAreNotActivationsHaveADigestToo() throws IOException {
    Path table = Files.createDirectory(folder.resolve("table"));
    SmallFile.ofThree(table.resolve("p.safetensors"), "1__x", "2__x");
    SmallFile.manifest(table, "p.safetensors:2");
    String line = save(table, "--save");
    assertThat(line).startsWith("sha256-blocks:").endsWith(" examples=2 columns=[\"x U8[3]\"]");
    assertThat(save(table, "--expect", line)).isEqualTo(line);
    Path part = table.resolve("p.safetensors");
    Fixtures.flip(part, (int) Files.size(part) - 1);
    Cli.run("digest", table, "--expect", line).failsWith(DigestError.DIFFERENT_DIGEST, table);
  }

  @Test
  void aDifferentMissingOrExtraFileIsNamed() throws IOException {
    String line = save(dataset, "--save");
    assertThat(save(dataset, "--expect", sums)).isEqualTo(line);
    Path extra = Files.writeString(dataset.resolve("note"), "x");
    Cli.run("digest", dataset, "--expect", sums).failsWith(DigestError.EXTRA_FILE, extra);
    Files.delete(extra);
    Path labels = dataset.resolve("labels.bin");
    byte[] bytes = Files.readAllBytes(labels);
    Files.delete(labels);
    Cli.run("digest", dataset, "--expect", sums).failsWith(DigestError.MISSING_FILE, labels);
    bytes[0]++;
    Files.write(labels, bytes);
    Cli.run("digest", dataset, "--expect", sums).failsWith(DigestError.DIFFERENT_SUM, labels);
    // the values are the same
    assertThat(save(dataset, "--expect", line)).isEqualTo(line);
  }

  @Test
  void aFileThatWindowsHasEditedIsExpectedAndReplaced() throws IOException {
    String line = save(dataset, "--save");
    String text = Files.readString(sums);
    Files.writeString(sums, "\ufeff" + text.replace("\n", "\r\n"));
    assertThat(save(dataset, "--expect", sums)).isEqualTo(line);
    save(dataset, "--save");
    assertThat(sums).content().isEqualTo(text);
  }

  @Test
  void aDigestIsComparedWithItsShapeOrWithout() throws IOException {
    String line = save(dataset);
    assertThat(save(dataset, "--expect", line.substring(0, line.indexOf(' ')))).isEqualTo(line);
    String other = line.replace("examples=7", "examples=8");
    Cli.run("digest", dataset, "--expect", other).failsWith(DigestError.DIFFERENT_DIGEST, dataset);
    String part = save(dataset, "--layers=13");
    assertThat(save(dataset, "--layers=13", "--expect", part)).isEqualTo(part);
    Cli.run("digest", dataset, "--expect", part).failsWith(DigestError.DIFFERENT_DIGEST, dataset);
  }

  @Test
  void aDigestHas64DigitsInEitherCase() throws IOException {
    String line = save(dataset);
    String digest = line.substring(0, line.indexOf(' '));
    String digits = digest.substring(digest.indexOf(':') + 1);
    String upper = digest.replace(digits, digits.toUpperCase(Locale.ROOT));
    assertThat(save(dataset, "--expect", upper)).isEqualTo(line);
    assertThat(save(dataset, "--expect", line.replace(digest, upper))).isEqualTo(line);
    String truncated = digest.substring(0, digest.length() - 1);
    String[] wrong = {
      truncated,
      digest + "0",
      truncated + "g",
      "SHA256-BLOCKS:" + digits,
      "sha256:" + digits,
      "sha256-blocks:"
    };
    for (String text : wrong) {
      Cli.run("digest", dataset, "--expect=" + text)
          .failsAsUsage(text + " is not a digest", "sha256-blocks: and 64 hexadecimal digits");
    }
    save(dataset, "--save");
    String saved = Files.readString(sums);
    Files.writeString(sums, saved.replace(digest, upper));
    assertThat(save(dataset, "--expect", sums)).isEqualTo(line);
    Files.writeString(sums, saved.replace(digest, truncated));
    Cli.run("digest", dataset, "--expect", sums).failsWith(DigestError.BAD_SUMS, sums);
    Files.writeString(sums, saved.replaceFirst("(?m)^[0-9a-f]", ""));
    Cli.run("digest", dataset, "--expect", sums).failsWith(DigestError.BAD_SUMS, sums);
  }

  @Test
  void theDigestInTheFileIsComparedToo() throws IOException {
    String line = save(dataset, "--save");
    Files.writeString(sums, Files.readString(sums).replace(line, line.replace("dim=16", "dim=8")));
    Cli.run("digest", dataset, "--expect", sums).failsWith(DigestError.DIFFERENT_DIGEST, dataset);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--save", "--expect"})
  void sumsOfAPartAreRefused(String option) {
    save(dataset, "--save");
    Object word = option.equals("--save") ? option : option + "=" + sums;
    Cli.run("digest", dataset, word, "--layers=13").failsAsUsage(option, "needs the whole dataset");
  }

  @Test
  void onlyAFileOfSumsIsReplaced() throws IOException {
    Files.writeString(sums, "a thesis\n");
    Cli.run("digest", dataset, "--save").failsWith(FileError.NOT_REPLACEABLE, sums);
    assertThat(sums).hasContent("a thesis\n");
    String foreign = "0".repeat(64) + "  thesis.pdf\n";
    Files.writeString(sums, foreign);
    Cli.run("digest", dataset, "--save").failsWith(FileError.NOT_REPLACEABLE, sums);
    assertThat(sums).hasContent(foreign);
    Cli.run("digest", dataset, "--save=" + dataset)
        .failsWithText(FileError.OVERLAP, dataset + ": overlaps with ");
    Path other = Files.createDirectory(folder.resolve("other"));
    Cli.run("digest", dataset, "--save=" + other).failsWith(FileError.NOT_REPLACEABLE, other);
    Files.delete(other);
    Files.delete(sums);
    save(dataset, "--save");
    String first = Files.readString(sums);
    Files.delete(dataset.resolve("labels.bin"));
    save(dataset, "--save");
    assertThat(sums).content().isNotEqualTo(first).doesNotContain("labels.bin");
  }

  @Test
  void aStorageOfHadoopHasItsSumsBesideTheDatasetToo() throws Exception {
    String remote = FaultyFileSystem.uri(dataset);
    Cli first = Cli.run(FaultyFileSystem.conf(), "digest", remote, "--save").succeeds();
    String saved = Files.readString(sums);
    Cli.run(FaultyFileSystem.conf(), "digest", remote, "--save").succeeds();
    assertThat(sums).hasContent(saved);
    assertThat(sha256sum(sums)).startsWith("0\n");
    assertThat(save(dataset, "--expect", sums)).isEqualTo(first.lastLine());
    assertOnlySumsAreAdded();
    Configuration flipping = FaultyFileSystem.flipping("acts000000.bin", 77, true);
    Cli.run(flipping, "digest", remote, "--expect", FaultyFileSystem.uri(sums))
        .failsWith(DigestError.DIFFERENT_SUM, "acts000000.bin");
  }

  @Test
  void aPathThatIsNoFileOfSumsIsRefused() throws IOException {
    Path missing = folder.resolve("missing");
    Cli.run("digest", dataset, "--expect", missing).failsWith(FileError.NOT_FOUND, missing);
    Cli.run("digest", dataset, "--expect", dataset).failsWith(FileError.NOT_A_FILE, dataset);
    Path note = Files.writeString(folder.resolve("note"), "sha256:00\n");
    Cli.run("digest", dataset, "--expect", note).failsWith(DigestError.BAD_SUMS, note);
  }
}
