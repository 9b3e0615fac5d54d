package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.ForeignFile;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.safetensors.dataset.SmallFile;

/** {@code --overwrite} deletes the files of a dataset and its side files, and nothing else. */
@Tag("late")
class ReplacedFilesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "saev, .copy_complete",
    "saev, _SUCCESS",
    "saev, .acts000000.bin.crc",
    "saev, .metadata.json.crc",
    "saev, acts000001.examples.jsonl.gz",
    "saev, labels.bin",
    "safetensors, _SUCCESS",
    "safetensors, ._SUCCESS.crc",
    "safetensors, .dataset_manifest.json.crc",
    "safetensors, _tensor_index.parquet",
    "pickle, _SUCCESS",
    "pickle, .shard_0001.pkl.gz.crc"
  })
  void sideFilesAreReplacedWithTheirDataset(String format, String name) throws IOException {
    Path out = dataset(format);
    Files.write(out.resolve(name), new byte[63]);
    convert(out).succeeds();
    assertThat(out.resolve("dataset_manifest.json")).exists();
    assertThat(out.resolve(name)).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "saev, thesis.tex",
    "saev, .hidden",
    "saev, _notes",
    "saev, acts000009.bin",
    "saev, a.safetensors",
    "saev, x.examples.jsonl.gz",
    "saev, .thesis.tex.crc",
    "saev, .crc",
    "saev, dataset_manifest.json",
    "safetensors, thesis.tex",
    "safetensors, acts000000.bin",
    "safetensors, other.safetensors",
    "safetensors, x.parquet",
    "pickle, thesis.tex",
    "pickle, notes.pkl",
    "pickle, shards.json"
  })
  void anythingElseIsRefusedAndNamed(String format, String name) throws IOException {
    Path out = dataset(format);
    Path foreign = Files.writeString(out.resolve(name), "years of work");
    assertKept(out, name);
    assertThat(foreign).hasContent("years of work");
    assertThat(ConvertTest.files(folder)).containsExactly("out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sub", "_temporary", "_logs", ".git"})
  void subfoldersAreNeverReplaced(String name) throws IOException {
    Path out = dataset("safetensors");
    Path thesis = Files.createDirectory(out.resolve(name)).resolve("thesis.tex");
    Files.writeString(thesis, "years of work");
    convert(out).failsWithKind(FileError.NOT_REPLACEABLE.name(), out.resolve(name));
    assertThat(thesis).hasContent("years of work");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "", "{\"model\": \"mine\"}"})
  void aFolderWithADocumentOfTheNameIsNotADataset(String text) throws IOException {
    for (String name :
        new String[] {"metadata.json", "dataset_manifest.json", "model.safetensors.index.json"}) {
      Path out = Files.createDirectory(folder.resolve(name + ".d"));
      Files.writeString(out.resolve(name), text);
      Files.writeString(out.resolve("thesis.tex"), "years of work");
      convert(out).failsWithKind(FileError.NOT_REPLACEABLE.name(), out);
      assertThat(ConvertTest.files(out)).containsExactlyInAnyOrder(name, "thesis.tex");
    }
  }

  @ParameterizedTest
  @CsvSource({"a, b, c, false", "1__x, 2__x, 3__x, false", "a, b, c, true"})
  void aModelWhoseTensorsShareTheirFirstDimensionIsNotADataset(
      String a, String b, String c, boolean indexed) throws IOException {
    Path out = Files.createDirectory(folder.resolve("out"));
    SmallFile.ofThree(out.resolve("model.safetensors"), a, b, c);
    if (indexed) {
      String map = "\"%s\":\"model.safetensors\"";
      Files.writeString(
          out.resolve("model.safetensors.index.json"),
          "{\"weight_map\":{%s,%s,%s}}"
              .formatted(map.formatted(a), map.formatted(b), map.formatted(c)));
    }
    assertKept(out, "model.safetensors: is not known to be", "move it away or choose another path");
  }

  @Test
  void aModelBesideAFileOfADatasetIsKept() throws IOException {
    Path out = dataset("safetensors");
    Files.delete(out.resolve("dataset_manifest.json"));
    Path data = out.resolve(ConvertTest.files(out).get(0));
    ForeignFile.withoutMetadata(data, out.resolve("model.safetensors"));
    assertKept(out, "model.safetensors: is not known to be");
  }

  @Test
  void aDatasetOfTheLayoutOfSparkIsReplacedByItsManifest() throws IOException {
    Path out = Files.createDirectory(folder.resolve("out"));
    SmallFile.ofThree(out.resolve("part-00000-0000.safetensors"), "a", "b");
    SmallFile.manifest(out, "part-00000-0000.safetensors:3");
    convert(out).succeeds();
    assertThat(out.resolve("part-00000-0000.safetensors")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--batch-size=3", "--kv"})
  void aDatasetWithoutItsManifestIsReplacedByTheMetadataOfItsFiles(String option)
      throws IOException {
    Path out = folder.resolve("out");
    Path source = Fixtures.small();
    Cli.convert(source, out, "safetensors " + option).succeeds();
    Files.delete(out.resolve("dataset_manifest.json"));
    convert(out).succeeds();
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec", "real"})
  void aShardThatItsManifestDoesNotListIsKept(String dialect) throws IOException {
    Path out = folder.resolve("out");
    Path source = Fixtures.small();
    Cli.convert(source, out, "pickle --dialect " + dialect).succeeds();
    Path foreign = Files.copy(out.resolve("shard_0001.pkl.gz"), out.resolve("shard_0002.pkl.gz"));
    assertKept(out, foreign + ": ", "is not listed by metadata.json");
    assertThat(ConvertTest.files(out))
        .containsExactly("metadata.json", "shard_0001.pkl.gz", "shard_0002.pkl.gz");
    Files.delete(foreign);
    convert(out).succeeds();
  }

  @Test
  void shardsWithoutAManifestAreReplaced() throws IOException {
    Path out = dataset("pickle");
    Files.delete(out.resolve("metadata.json"));
    convert(out).succeeds();
  }

  @Test
  void aLinkToADatasetIsNotReplacedNorIsItsTarget() throws IOException {
    Path target = dataset("safetensors");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    assertKept(link, link.toString());
    assertThat(link).isSymbolicLink();
  }

  @Test
  void linksInADatasetAreRemovedAndTheirTargetsStay() throws IOException {
    Path out = dataset("saev");
    Path data = out.resolve("acts000000.bin");
    Path elsewhere = Files.move(data, folder.resolve("elsewhere.bin"));
    Files.createSymbolicLink(data, elsewhere);
    long bytes = Files.size(elsewhere);
    convert(out).succeeds();
    assertThat(elsewhere).hasSize(bytes);
    assertThat(data).doesNotExist();
  }

  private Path dataset(String format) throws IOException {
    Path out = folder.resolve("out");
    if (format.equals("saev")) {
      Files.move(Fixtures.copy(Fixtures.SMALL, folder), out);
    } else {
      Cli.convert(Fixtures.small(), out, format).succeeds();
    }
    return out;
  }

  private static void assertKept(Path out, String... parts) throws IOException {
    List<String> before = ConvertTest.files(out);
    Cli run = convert(out).failsWithKind(FileError.NOT_REPLACEABLE.name(), out);
    assertThat(run.stderr()).contains(parts);
    assertThat(ConvertTest.files(out)).isEqualTo(before);
  }

  private static Cli convert(Path out) {
    return Cli.convert(Fixtures.small(), out, "safetensors --overwrite");
  }
}
