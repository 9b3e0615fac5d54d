package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;

class DatasetCheckTest {
  private static final String A = "a.safetensors";
  private static final String B = "b.safetensors";

  @TempDir Path directory;

  @Test
  void aSoundDatasetHasNoProblemInEitherLayout() throws IOException {
    write(A, "x", "y");
    write(B, "x", "y");
    assertThat(problems()).as("a listing").isEmpty();
    SmallFile.manifest(directory, A + ":3", B + ":3");
    assertThat(problems()).as("batch").isEmpty();
    write(A, "1__x", "2__x");
    write(B, "3__x", "4__x");
    SmallFile.manifest(directory, A + ":2", B + ":2");
    assertThat(problems()).as("kv").isEmpty();
  }

  @Test
  void allProblemsAreReported() throws IOException {
    write(A, "x");
    write(B, "z");
    Files.write(directory.resolve("c.safetensors"), new byte[9]);
    Files.write(directory.resolve("d.safetensors"), new byte[0]);
    SmallFile.manifest(directory, A + ":3", B + ":2", "c.safetensors:1", A + ":3");
    Files.write(directory.resolve("c.safetensors"), new byte[7]);
    edit("\"total_samples\":9", "\"total_samples\":8");
    edit("\"shards\":[", "\"shards\":[{\"shard_path\":\"e\",\"samples_count\":0,\"bytes\":1},");
    assertProblems(
        "BAD_MANIFEST ./dataset_manifest.json",
        "BAD_MANIFEST ./dataset_manifest.json",
        "BAD_MANIFEST ./dataset_manifest.json",
        "MISSING_FILE ./e",
        "FILES_DISAGREE ./b.safetensors",
        "BAD_MANIFEST ./b.safetensors",
        "BAD_MANIFEST ./c.safetensors",
        "HeaderTooSmall ./c.safetensors",
        "BAD_MANIFEST ./a.safetensors",
        "ORPHAN_FILE ./d.safetensors");
  }

  @Test
  void aTotalThatIsALongTextIsAProblemOfTheManifest() throws IOException {
    write(A, "x");
    SmallFile.manifest(directory, A + ":3");
    edit("\"total_samples\":3", "\"total_samples\":\"" + "3".repeat(20_000_001) + '"');
    assertProblems("LIMIT_EXCEEDED ./dataset_manifest.json");
  }

  @Test
  void anIdThatComesTwiceIsReportedWithItsFiles() throws IOException {
    write(A, "1__x", "2__x");
    write(B, "2__x", "3__x");
    SmallFile.manifest(directory, A + ":2", B + ":2");
    assertProblems("DUPLICATE_ID .");
  }

  @Test
  void ofOneExampleAFileMayBeOfEitherLayout() throws IOException {
    String one = "{\"k__x\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
    SmallFile.write(directory.resolve(A), one, 1);
    SmallFile.write(directory.resolve(B), one, 1);
    SmallFile.manifest(directory, A + ":1", B + ":1");
    assertProblems("DUPLICATE_ID .");
    SafetensorsOptions batch =
        new SafetensorsOptions(
            TensorLayout.BATCH,
            null,
            HeaderStrictness.STRICT,
            List.of(),
            ProvenanceReader.NONE,
            null);
    assertThat(DatasetCheck.of(new LocalFolder(directory), batch).problems()).isEmpty();
  }

  @Test
  void aManifestThatIsNoneIsAProblemAndTheFilesAreLookedAtAllTheSame() throws IOException {
    write(A, "x");
    Files.write(directory.resolve(B), new byte[0]);
    Files.writeString(
        directory.resolve("dataset_manifest.json"), "{\"format_version\":\"2.0\",\"shards\":[]}");
    assertProblems("BAD_MANIFEST ./dataset_manifest.json", "HeaderTooSmall ./b.safetensors");
  }

  @Test
  void aPartThatNobodyListsIsMissedByWhatTheOthersReport() throws IOException {
    SmallFile.write(
        directory.resolve(A),
        "{\"__metadata__\":{\"saev.examples\":\"6\"},"
            + "\"x\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}",
        3);
    assertProblems("MISSING_FILE .");
  }

  private void write(String name, String... tensors) throws IOException {
    SmallFile.ofThree(directory.resolve(name), tensors);
  }

  private void edit(String text, String replacement) throws IOException {
    Path manifest = directory.resolve("dataset_manifest.json");
    Files.writeString(manifest, Files.readString(manifest).replace(text, replacement));
  }

  private List<FormatException> problems() throws IOException {
    return DatasetCheck.of(new LocalFolder(directory), SafetensorsOptions.NONE).problems();
  }

  /** Asserts the problems' kinds and paths, from this folder on. */
  private void assertProblems(String... expected) throws IOException {
    List<FormatException> problems = problems();
    problems.forEach(problem -> assertError(problem.kind(), problem.path(), problem));
    assertThat(problems).extracting(Throwable::getMessage).doesNotHaveDuplicates();
    assertThat(problems)
        .extracting(p -> p.kind() + " " + p.path().replace(directory.toString(), "."))
        .containsExactly(expected);
  }
}
