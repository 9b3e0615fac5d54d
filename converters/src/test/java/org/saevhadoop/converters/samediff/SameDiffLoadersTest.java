package org.saevhadoop.converters.samediff;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.format.samediff.RealArray;
import org.saevhadoop.format.samediff.RealLoaderRules;

/** What convert writes obeys the rules of all loaders of SameDiff, which see the same values. */
class SameDiffLoadersTest {
  private static final Pattern SHARD = Pattern.compile("/shard_\\d+$");
  private static final int EXAMPLES = 7;
  private static final int TOKENS = 5;
  private static final int DIM = 3;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "activations.sdnb, ''",
    "activations, --max-shard-bytes 400",
    "activations.sdz, --container sdz",
    "activations.sdz, --container sdz --max-shard-bytes 400",
    "activations.sdz, --container sdz --max-shard-bytes 400 --deflate",
    "run_1.sdz, --container sdz --deflate --deflate-level 9 --container-name run_1",
    "activations.sdnb, --creation-time 2026-01-31T12:00:00Z"
  })
  void loadersSeeTheValues(String file, String options) throws IOException {
    NaiveActivations data = new NaiveActivations(EXAMPLES, List.of(3, 7), TOKENS, DIM, true, true);
    Path out = folder.resolve("out");
    String[] words = ("--to samediff " + options).split(" ");
    Cli.run("convert", data.writeSaev(folder), out, words).succeeds();
    Map<String, ByteArrayOutputStream> columns = new TreeMap<>();
    for (RealArray array : sorted(RealLoaderRules.ofOurs(out.resolve(file)))) {
      String column = SHARD.matcher(array.name()).replaceFirst("");
      columns
          .computeIfAbsent(column, name -> new ByteArrayOutputStream())
          .writeBytes(array.bytes());
    }
    assertThat(columns).containsOnlyKeys("labels", "layer_3", "layer_7");
    assertThat(columns.get("labels").size()).isEqualTo(EXAMPLES * (TOKENS - 1));
    for (int layer : data.layers()) {
      assertThat(columns.get("layer_" + layer).toByteArray()).isEqualTo(values(data, layer));
    }
  }

  private static List<RealArray> sorted(List<RealArray> arrays) {
    return arrays.stream()
        .sorted(Comparator.comparing(array -> Integer.parseInt(array.name().split("shard_")[1])))
        .toList();
  }

  private static byte[] values(NaiveActivations data, int layer) {
    ByteArrayOutputStream values = new ByteArrayOutputStream();
    for (int example = 0; example < EXAMPLES; example++) {
      for (int token = 0; token < TOKENS; token++) {
        values.writeBytes(data.vector(example, layer, token));
      }
    }
    return values.toByteArray();
  }
}
