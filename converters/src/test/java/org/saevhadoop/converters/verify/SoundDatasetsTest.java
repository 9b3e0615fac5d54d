package org.saevhadoop.converters.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.pickle.PickledCase;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;

/** Sound datasets cause no error; values that are not finite are errors wherever they are. */
@Tag("late")
class SoundDatasetsTest {
  /** Tensors that the reference wrote of any bits. */
  private static final Set<String> OF_ANY_BITS =
      Set.of(
          "real_dtype_F8_E5M2.safetensors",
          "real_file_api.safetensors",
          "real_medium_1MiB.safetensors");

  private static List<Path> children(Path folder) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths
          .filter(path -> !path.toString().matches(".*\\.(json|jsonl|txt|md)"))
          .sorted()
          .toList();
    }
  }

  static List<Path> fixtures() throws IOException {
    Path fixtures = Corpus.checkout().resolve("fixtures");
    List<Path> all = new ArrayList<>();
    for (String part : List.of("pickle", "samediff", "safetensors")) {
      all.addAll(children(fixtures.resolve(part)));
    }
    all.add(Fixtures.small());
    all.add(Fixtures.saev(Fixtures.D768));
    all.add(Fixtures.saev("shards/64988989"));
    return all;
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void aFixtureCausesNoError(Path dataset) throws IOException {
    assertThat(errors(dataset)).isEmpty();
  }

  private static List<JsonNode> errors(Path dataset, String... options) throws IOException {
    Cli cli = Cli.run("verify", dataset, "--json", options);
    assertThat(cli.exitCode()).as(cli.text() + cli.stderr()).isLessThan(2);
    return cli.json()
        .get("findings")
        .valueStream()
        .filter(finding -> finding.get("severity").asText().equals("error"))
        .toList();
  }

  static List<Path> saev() throws IOException {
    List<Path> all = new ArrayList<>();
    all.add(Fixtures.saev(Fixtures.LEGACY));
    for (String generation : List.of("v1", "v100", "v11", "v20", "v21")) {
      for (Path folder : children(Corpus.part("saev/" + generation))) {
        try (Stream<Path> paths = Files.walk(folder)) {
          paths
              .filter(path -> path.endsWith("metadata.json"))
              .map(Path::getParent)
              .forEach(all::add);
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("saev")
  @RequiresCorpus
  void theErrorsOfShardsAreValuesThatAreNotFinite(Path dataset) throws IOException {
    JsonNode shape = Cli.run("inspect", dataset, "--json").succeeds().json();
    int vector = shape.get("dim").asInt() * Float.BYTES;
    int block = shape.get("tokens").asInt() * vector;
    List<Integer> layers = shape.get("layers").valueStream().map(JsonNode::asInt).toList();
    for (JsonNode error : errors(dataset)) {
      Path file = Path.of(error.get("path").asText());
      long first = 0;
      for (JsonNode shard : shape.get("shards")) {
        if (file.endsWith(shard.get("file").asText())) {
          break;
        }
        first += shard.get("examples").asLong();
      }
      long example = error.get("example").asLong() - first;
      int at =
          (int) (example * layers.size() + layers.indexOf(error.get("layer").asInt())) * block
              + error.get("token").asInt() * vector
              + Integer.parseInt(error.get("where").asText().replaceAll(".*dim ", ""))
                  * Float.BYTES;
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
      float value = bytes.getFloat(at);
      assertThat(Float.isNaN(value) ? "NAN" : Float.isInfinite(value) ? "INFINITE" : "finite")
          .as(error.toString())
          .isEqualTo(error.get("kind").asText());
    }
  }

  static List<Path> pickles() throws IOException {
    List<Path> sound = new ArrayList<>();
    for (Path folder : children(Corpus.part("pickle"))) {
      if (!PickledCase.of(folder).mayFail()) {
        sound.add(folder);
      }
    }
    return sound;
  }

  @ParameterizedTest
  @MethodSource("pickles")
  @RequiresCorpus
  void aPickledCaseCausesNoError(Path dataset) throws IOException {
    assertThat(errors(dataset)).isEmpty();
  }

  static List<Path> tensors() throws IOException {
    List<Path> all = new ArrayList<>(children(Corpus.part("safetensors/valid")));
    all.addAll(children(Corpus.part("samediff")));
    // nd4j does not write texts completely
    all.removeIf(path -> path.getFileName().toString().startsWith("nd4j_utf8"));
    for (Path dataset : children(Corpus.part("safetensors-spark"))) {
      if (!dataset.endsWith("bad_outputs") && !dataset.endsWith("empty")) {
        all.add(dataset);
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("tensors")
  @RequiresCorpus
  void tensorsCauseNoErrorButNaN(Path dataset) throws IOException {
    String separator = dataset.endsWith("kv_f16_sep_columns") ? "/" : "__";
    List<JsonNode> errors = errors(dataset, "--lenient", "--from-separator", separator);
    boolean ofAnyBits = OF_ANY_BITS.contains(dataset.getFileName().toString());
    assertThat(errors.stream().map(error -> error.get("kind").asText()).distinct().toList())
        .isEqualTo(ofAnyBits ? List.of("NAN") : List.of());
  }
}
