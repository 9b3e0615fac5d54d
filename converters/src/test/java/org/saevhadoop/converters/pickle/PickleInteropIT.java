package org.saevhadoop.converters.pickle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.testing.Python;

/**
 * Pickles, loaded by CPythons with numpy as the specification tells to, and as the project behind
 * it does. A line of a script is a sample with the types of all its values.
 */
@Tag("python")
class PickleInteropIT {
  private static final List<Integer> PROTOCOLS = List.of(2, 4, 5);
  private static final Map<Python, List<String>> SPEC = new ConcurrentHashMap<>();
  private static final Map<List<Object>, Path> CONVERTED = new ConcurrentHashMap<>();

  @TempDir static Path folder;

  @ParameterizedTest
  @EnumSource(Python.class)
  void everyPythonLoadsTheFixturesTheSame(Python python) throws Exception {
    assertThat(spec(python)).hasSize(24).isEqualTo(spec(Python.MACHINE));
    assertThat(run(python, "check_real.py", Fixtures.pickle("real_bf16"), 19)).hasSize(14);
    assertThat(run(python, "check_real.py", Fixtures.pickle("ragged"), 10, 11, 12)).hasSize(36);
  }

  @Test
  void aWarningOfNumpyIsAFailure() throws Exception {
    Path dataset = folder.resolve("of-numpy-1.26");
    run(Python.NUMPY_1_26, "write_spec.py", dataset, "--protocol", 5);
    assertThat(run(Python.NUMPY_1_26, "check_spec.py", dataset)).hasSize(24);
    assertThatThrownBy(() -> run(Python.NUMPY_2_1, "check_spec.py", dataset))
        .hasMessageContaining("DeprecationWarning: numpy.core.numeric is deprecated");
  }

  @Nested
  class OfOurs {
    @ParameterizedTest
    @EnumSource(Python.class)
    void everyPythonLoadsEqualObjectsAfterTheWayThroughOtherFormats(Python python)
        throws Exception {
      List<String> expected = spec(python);
      for (int protocol : PROTOCOLS) {
        String format = protocol == 4 ? "safetensors" : "saev";
        Path between = convert(Fixtures.pickle("spec"), "--to", format);
        assertSameLines(run(python, "check_spec.py", toPickle(between, protocol)), expected);
      }
    }

    @ParameterizedTest
    @EnumSource(Python.class)
    void theRealToolsLoadTheDialectThatTheyKnow(Python python) throws Exception {
      Path tensors = convert(Fixtures.pickle("real_bf16"), "--to", "safetensors");
      List<String> expected = run(python, "check_real.py", Fixtures.pickle("real_bf16"), 19);
      for (int protocol : PROTOCOLS) {
        Path out = toPickle(tensors, protocol, "--dialect", "real");
        assertSameLines(run(python, "check_real.py", out, 19), expected);
      }
    }

    @ParameterizedTest
    @EnumSource(Python.class)
    void numbersOfADatasetWithoutSampleMetadataAreKept(Python python) throws Exception {
      Path source = Fixtures.saev(Fixtures.D768);
      List<String> lines = run(python, "check_spec.py", toPickle(source, 5));
      assertThat(digests(lines)).isEqualTo(blockDigests(source));
      assertThat(lines)
          .allMatch(line -> line.contains("{\"str\": \"text_preview\"}, {\"str\": \"\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--uncompressed", "--single-member", "--compression-level=9"})
    void theContainerMakesNoDifference(String option) throws Exception {
      Path saev = convert(Fixtures.pickle("spec"), "--to", "saev");
      Path out = toPickle(saev, 4, option);
      assertSameLines(run(Python.MACHINE, "check_spec.py", out), spec(Python.MACHINE));
    }

    /** Converts to pickles and checks that they have the protocol that was asked for. */
    private static Path toPickle(Path source, int protocol, String... options) throws IOException {
      List<String> words = new ArrayList<>(List.of(options));
      words.addAll(List.of("--to", "pickle", "--pickle-protocol", "" + protocol));
      Path out = convert(source, words.toArray(String[]::new));
      try (InputStream shard = shard(out)) {
        assertThat(shard.readNBytes(2)).containsExactly(0x80, protocol);
      }
      return out;
    }

    /** Converts to a folder of its own, once for all Pythons. */
    private static Path convert(Path source, String... options) {
      return CONVERTED.computeIfAbsent(
          List.of(source, List.of(options)),
          key -> {
            Path target = folder.resolve("converted-" + CONVERTED.size());
            return Cli.run("convert", source, target, options).succeeds().lastLinePath();
          });
    }

    private static InputStream shard(Path dataset) throws IOException {
      Path plain = dataset.resolve("shard_0001.pkl");
      return Files.exists(plain)
          ? Files.newInputStream(plain)
          : new GZIPInputStream(Files.newInputStream(dataset.resolve("shard_0001.pkl.gz")));
    }

    private static void assertSameLines(List<String> found, List<String> expected) {
      assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static List<String> run(Python python, String script, Object... args) throws Exception {
    return python.with("numpy").run(script, args);
  }

  /** Returns the lines of the fixture, for which a Python is asked once. */
  private static List<String> spec(Python python) throws Exception {
    if (!SPEC.containsKey(python)) {
      SPEC.put(python, run(python, "check_spec.py", Fixtures.pickle("spec")));
    }
    return SPEC.get(python);
  }

  /** What the scripts say of numbers: layer/sample -> SHA-256. */
  private static TreeMap<String, String> digests(List<String> lines) throws IOException {
    TreeMap<String, String> digests = new TreeMap<>();
    for (String line : lines) {
      JsonNode fields = new ObjectMapper().readTree(line).get("sample").get("dict");
      String sample = fields.get(0).get(1).get("int").textValue();
      JsonNode array = fields.get(1).get(1).get("numpy.ndarray");
      String layer = new ObjectMapper().readTree(line).get("layer").textValue();
      digests.put(layer + "/" + sample, array.get("sha256").textValue());
    }
    return digests;
  }

  /** The same of a SAEV 1.0.0 dataset, from its bytes. */
  private static TreeMap<String, String> blockDigests(Path saev)
      throws IOException, NoSuchAlgorithmException {
    JsonNode metadata = Fixtures.json(saev.resolve("metadata.json"));
    int tokens = metadata.get("n_patches_per_img").asInt() + 1;
    int size = tokens * metadata.get("d_vit").asInt() * Float.BYTES;
    TreeMap<String, String> digests = new TreeMap<>();
    int sample = 0;
    for (JsonNode shard : Fixtures.json(saev.resolve("shards.json"))) {
      byte[] bytes = Files.readAllBytes(saev.resolve(shard.get("name").textValue()));
      int at = 0;
      for (int i = 0; i < shard.get("n_imgs").asInt(); i++, sample++) {
        for (JsonNode layer : metadata.get("layers")) {
          MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
          sha256.update(bytes, at, size);
          digests.put("layer_" + layer + "/" + sample, HexFormat.of().formatHex(sha256.digest()));
          at += size;
        }
      }
    }
    return digests;
  }
}
