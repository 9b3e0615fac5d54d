package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
  void allProblemsAreTold() throws IOException {
    write(A, "x");
    write(B, "z");
    Files.write(directory.resolve("c.safetensors"), new byte[9]);
    Files.write(directory.resolve("d.safetensors"), new byte[0]);
    SmallFile.manifest(directory, A + ":3", B + ":2", "c.safetensors:1", A + ":3");
    Files.write(directory.resolve("c.safetensors"), new byte[7]);
    edit("\"total_samples\":9", "\"total_samples\":8");
    edit("\"shards\":[", "\"shards\":[{\"shard_path\":\"e\",\"samples_count\":0,\"bytes\":1},");
    long bytes = 2 * Files.size(directory.resolve(A)) + Files.size(directory.resolve(B)) + 9;
    assertThat(problems())
        .containsExactly(
            "dataset_manifest.json: shard_path is `e` (expected a name that ends in .safetensors)",
            "dataset_manifest.json: total_samples is `8` (expected 9, the sum over shards)",
            "dataset_manifest.json: total_bytes is `%d` (expected %d, the sum over shards)"
                .formatted(bytes, bytes + 1),
            "e: is missing (expected by dataset_manifest.json)",
            "b.safetensors: holds [z U8[]] (expected [x U8[]] as in a.safetensors)",
            "b.safetensors: holds 3 examples (expected 2 as dataset_manifest.json says)",
            "c.safetensors: has 7 bytes (expected 9 as dataset_manifest.json says)",
            "c.safetensors: HeaderTooSmall: the file has 7 bytes (expected at least 8)",
            "a.safetensors: is listed twice by dataset_manifest.json",
            "d.safetensors: is an orphan of 0 bytes: dataset_manifest.json does not list it");
  }

  @Test
  void anIdThatComesTwiceIsToldWithItsFiles() throws IOException {
    write(A, "1__x", "2__x");
    write(B, "2__x", "3__x");
    SmallFile.manifest(directory, A + ":2", B + ":2");
    assertThat(problems())
        .containsExactly(
            directory
                + ": the id `2` is in a.safetensors and again in b.safetensors; examples whose id"
                + " comes again: 1 (expected none)");
  }

  @Test
  void ofOneExampleAFileMayBeOfEitherLayout() throws IOException {
    String one = "{\"k__x\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
    SmallFile.write(directory.resolve(A), one, 1);
    SmallFile.write(directory.resolve(B), one, 1);
    SmallFile.manifest(directory, A + ":1", B + ":1");
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("the id `k` is in", "unless these are columns: --from-layout batch");
    SafetensorsOptions batch =
        new SafetensorsOptions(TensorLayout.BATCH, null, HeaderStrictness.STRICT, List.of());
    assertThat(DatasetCheck.of(new LocalFolder(directory), batch).problems()).isEmpty();
  }

  @Test
  void aManifestThatIsNoneIsAProblemAndTheFilesAreLookedAtAllTheSame() throws IOException {
    write(A, "x");
    Files.write(directory.resolve(B), new byte[0]);
    Files.writeString(
        directory.resolve("dataset_manifest.json"), "{\"format_version\":\"2.0\",\"shards\":[]}");
    assertThat(problems())
        .containsExactly(
            "dataset_manifest.json: format_version is 2.0 (expected \"1.0\")",
            "b.safetensors: HeaderTooSmall: the file has 0 bytes (expected at least 8)");
  }

  @Test
  void aPartThatNobodyListsIsMissedByWhatTheOthersSay() throws IOException {
    SmallFile.write(
        directory.resolve(A),
        "{\"__metadata__\":{\"saev.examples\":\"6\"},"
            + "\"x\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}",
        3);
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("holds 3 examples (expected 6, as its files say): parts are missing");
  }

  private void write(String name, String... tensors) throws IOException {
    SmallFile.ofThree(directory.resolve(name), tensors);
  }

  private void edit(String text, String replacement) throws IOException {
    Path manifest = directory.resolve("dataset_manifest.json");
    Files.writeString(manifest, Files.readString(manifest).replace(text, replacement));
  }

  private List<String> problems() throws IOException {
    return DatasetCheck.of(new LocalFolder(directory), SafetensorsOptions.NONE).problems().stream()
        .map(e -> e.getMessage().replace(directory + "/", ""))
        .toList();
  }
}
