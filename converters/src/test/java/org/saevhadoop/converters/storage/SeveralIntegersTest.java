package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;

/** Per-token integers of several datasets, which are arrays or sample metadata. */
class SeveralIntegersTest {
  @TempDir Path folder;

  private Path convert(Path from, String name, String options) {
    return Cli.convert(from, folder.resolve(name), options).succeeds().lastLinePath();
  }

  /** Formats have the integers as arrays, or in their sample metadata. */
  @ParameterizedTest
  @CsvSource({
    "saev --family clip --ckpt b, npy, false",
    "safetensors --kv, safetensors, true",
    "npy, saev --family clip --ckpt b, false",
    "safetensors, safetensors --kv, true",
    "npy, npy --no-sample-metadata, true",
  })
  void integersOfTokensStayWhereverTheyAre(String one, String other, boolean merges)
      throws IOException {
    Path vllm = Fixtures.arrays("vllm");
    String options = " --ragged pad:20 --tensor hidden_states=token,layer,dim";
    Path first = convert(vllm, "first", one + options);
    Path second = convert(vllm, "second", other + options);
    List<JsonNode> expected = new ArrayList<>(integers(first));
    expected.addAll(integers(second));
    assertThat(expected).isNotEmpty();
    int vectors = vectors(first) + vectors(second);
    Object[] both = {first, "--with", second, "--renumber"};
    assertThat(Cli.run("digest", both).succeeds().stderr()).doesNotContain("left out");
    assertThat(vectors(both)).isEqualTo(vectors);
    for (String to :
        List.of("npy", "saev --family clip --ckpt b", "safetensors", "pickle", "parquet")) {
      Path out = convert(first, to.split(" ")[0], to + " --renumber --with " + second);
      assertThat(integers(out)).as(to).isEqualTo(expected);
      assertThat(vectors(out)).as(to).isEqualTo(vectors);
    }
    Cli shuffled =
        Cli.run(
            "shuffle",
            first,
            folder.resolve("rows"),
            "--to",
            "npy",
            "--with",
            second,
            "--renumber");
    assertThat(vectors(shuffled.succeeds().lastLinePath())).isEqualTo(vectors);
    if (merges) {
      Path merged = folder.resolve("merged");
      Cli.run("merge", first, second, merged, "--renumber").succeeds();
      assertThat(integers(merged)).isEqualTo(expected);
      assertThat(vectors(merged)).isEqualTo(vectors);
    }
  }

  /** Returns the token ids of the examples that have some. */
  private static List<JsonNode> integers(Path dataset) throws IOException {
    List<JsonNode> integers = new ArrayList<>();
    for (String line : Cli.run("cat", dataset, "--sample-metadata").succeeds().text().split("\n")) {
      JsonNode ids = new ObjectMapper().readTree(line).findValue("token_ids");
      integers.addAll(ids == null ? List.of() : List.of(ids));
    }
    return integers;
  }

  private static int vectors(Object... source) throws IOException {
    JsonNode stats = Cli.run("stats", source, "--json").succeeds().json();
    return stats.get("layers").get(0).get("vectors").asInt();
  }
}
