package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickle.value.PickleError;

@RequiresCorpus
class ManifestCorpusTest {
  @TestFactory
  Stream<DynamicTest> noManifestOfAGoodCaseLosesData() throws IOException {
    Path corpus = Corpus.part("pickle");
    List<Path> cases;
    try (Stream<Path> entries = Files.list(corpus)) {
      cases = entries.filter(Files::isDirectory).sorted().toList();
    }
    return cases.stream().map(c -> dynamicTest(c.getFileName().toString(), () -> assertGood(c)));
  }

  private static void assertGood(Path goodCase) throws IOException {
    List<String> expected = new ArrayList<>();
    for (JsonNode shard :
        new ObjectMapper().readTree(goodCase.resolve("expected.json").toFile()).get("shards")) {
      expected.add(shard.get("filename").textValue());
    }
    ShardFiles files = ShardFiles.of(new LocalFolder(goodCase));
    assertThat(files.shards())
        .extracting(ShardFile::relativePath)
        .containsExactlyInAnyOrderElementsOf(expected);
    for (ShardDirectory directory : files.directories()) {
      List<ShardFacts> facts = ExpectedShards.of(goodCase, directory.path());
      assertThat(facts).hasSameSizeAs(directory.shards());
      if (directory.hasManifest()) {
        ActivationManifest manifest = directory.manifest().orElseThrow();
        assertThat(manifest.shards()).isNotEmpty();
        assertThat(ManifestCheck.all(manifest, facts)).noneMatch(ManifestMismatch::losesData);
      }
    }
  }

  @Test
  void aResumedRunListsTheShardsSinceThenAndItsTotalsCountThemAll() throws IOException {
    Path resumed = Corpus.part("pickle").resolve("real_np242_resume");
    ActivationManifest manifest = ActivationManifest.read(new LocalFolder(resumed));
    List<ManifestMismatch> differences =
        ManifestCheck.all(manifest, ExpectedShards.of(resumed, ""));
    assertThat(differences)
        .extracting(ManifestMismatch::text)
        .containsExactly("lists 2 of the 4 existing shards, as after a resumed run");
  }

  @TestFactory
  Stream<DynamicTest> everyBadManifestIsToldByItsClass() throws IOException {
    Path corpus = Corpus.part("pickle-bad");
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode badCase : new ObjectMapper().readTree(corpus.resolve("cases.json").toFile())) {
      if (badCase.get("group").textValue().equals("metadata")) {
        Path directory = corpus.resolve(badCase.get("file").textValue());
        String error = badCase.get("error").textValue();
        tests.add(
            dynamicTest(
                badCase.get("name").textValue(),
                () -> assertThat(outcome(directory)).isIn((Object[]) error.split(" or "))));
      }
    }
    assertThat(tests).isNotEmpty();
    return tests.stream();
  }

  /** The class of the first error, or OK. */
  private static String outcome(Path directory) throws Exception {
    try {
      ShardDirectory found = ShardFiles.of(new LocalFolder(directory)).directories().get(0);
      List<ManifestMismatch> differences =
          ManifestCheck.all(found.manifest().orElseThrow(), List.of(theBadCasesShard(directory)));
      return differences.stream()
          .filter(ManifestMismatch::losesData)
          .map(difference -> difference.kind().name())
          .findFirst()
          .orElse("OK");
    } catch (FormatException e) {
      return Stream.of(PickleError.values())
          .map(PickleError::name)
          .filter(name -> e.getMessage().contains(": " + name + ": "))
          .findFirst()
          .orElseThrow();
    }
  }

  /** All of these have the same shard: samples 0 and 1 of layer 1. */
  private static ShardFacts theBadCasesShard(Path directory)
      throws IOException, NoSuchAlgorithmException {
    byte[] shard = Files.readAllBytes(directory.resolve("shard_0001.pkl.gz"));
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(shard));
    return new ShardFacts(
        "shard_0001.pkl.gz",
        shard.length,
        sha256,
        true,
        new TreeMap<>(Map.of(1, 2L)),
        2,
        0,
        1,
        0,
        0,
        0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec_p4_gz", "spec_p5_pkl", "list_exact_1000", "gzip_level1"})
  void theSpecificationsFormIsWrittenByteForByte(String name, @TempDir Path folder)
      throws IOException {
    Path source = Corpus.part("pickle").resolve(name);
    ActivationManifest manifest = ActivationManifest.read(new LocalFolder(source));
    Document document =
        ManifestWriter.spec(
            ExpectedShards.of(source, ""),
            manifest.totals().samples(),
            ExtractionConfig.of(manifest));
    assertThat(ManifestWriterTest.write(folder, document))
        .isEqualTo(Files.readString(source.resolve("metadata.json")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "real_np242_tpu_dirs_dup_ids/tpu_0",
        "real_np124_tpu_dirs_dup_ids/tpu_1",
        "real_np242_bf16_multihost/host_00"
      })
  void theRealFormIsWrittenByteForByte(String name, @TempDir Path folder) throws IOException {
    Path source = Corpus.part("pickle").resolve(name);
    ActivationManifest manifest = ActivationManifest.read(new LocalFolder(source));
    double gib = manifest.document().get("shard_size_gb").doubleValue();
    Document document =
        ManifestWriter.real(
            ExpectedShards.of(source.getParent(), source.getFileName().toString()),
            manifest.totals().samples(),
            "/data",
            manifest.document().get("gcs_prefix").textValue(),
            Math.round(gib * (1 << 30)));
    assertThat(ManifestWriterTest.write(folder, document))
        .isEqualTo(Files.readString(source.resolve("metadata.json")));
  }
}
