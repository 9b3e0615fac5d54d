package org.saevhadoop.converters.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.DimensionStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.jobs.stats.LayerStatistics.Occurrence;
import org.saevhadoop.jobs.stats.NormStatistics;
import org.saevhadoop.jobs.stats.Statistics;
import org.saevhadoop.jobs.stats.StatisticsFiles;
import org.saevhadoop.testing.Python;

/** Statistics of random datasets, which numpy and Python's exact sums compute as well. */
@Tag("python")
@Tag("sampled")
class StatsNumpyIT {
  private static final int CASES = TestExtent.of(27, 81);
  private static final int ROWS = TestExtent.of(20_000, 156_250);
  private static final double PRECISION = 1e-12;
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  @TempDir Path folder;

  private static DatasetStatistics run(Path path, Configuration conf) throws Exception {
    return Statistics.of(path.toString(), conf).run(RunListener.NONE);
  }

  @Test
  void theStatisticsOfRandomDatasetsAreThoseOfNumpy() throws Exception {
    assertThat(Python.MACHINE.with("numpy").run("stats_random.py", folder, CASES))
        .containsExactly("made");
    for (int number = 0; number < CASES; number++) {
      Path here = folder.resolve(Integer.toString(number));
      JsonNode expected = JSON.readTree(here.resolve("case.json").toFile());
      Configuration conf = new Configuration(false);
      expected
          .get("conf")
          .properties()
          .forEach(key -> conf.set(key.getKey(), key.getValue().asText()));
      String name = "case %d, %s %s".formatted(number, expected.get("to"), expected.get("conf"));
      DatasetStatistics found = run(dataset(here, expected, conf), conf);
      assertThat(found.layers()).as(name).hasSize(expected.get("layers").size());
      for (int i = 0; i < found.layers().size(); i++) {
        check(name + ", layer " + i, found.layers().get(i), expected.get("layers").get(i));
      }
    }
  }

  /** Returns the dataset of a case, converted as it asks for. */
  private static Path dataset(Path here, JsonNode expected, Configuration conf) throws IOException {
    Path source = here.resolve(expected.get("source").asText());
    String to = expected.get("to").asText();
    if (to.isEmpty()) {
      return source;
    }
    List<String> options = new ArrayList<>();
    if (conf.get("saev.input.ragged") != null) {
      options.add("--ragged=" + conf.get("saev.input.ragged"));
      if (!to.equals("pickle")) { // whose samples have their lengths again
        conf.unset("saev.input.ragged");
      }
    }
    Path converted =
        Cli.convert(source, here.resolve("out"), to, options).succeeds().lastLinePath();
    if (!expected.get("labels").asBoolean()) {
      return converted;
    }
    Files.copy(here.resolve("labels.bin"), converted.resolve("labels.bin"));
    String then = expected.get("then").asText();
    return then.isEmpty()
        ? converted
        : Cli.convert(converted, here.resolve("then"), then).succeeds().lastLinePath();
  }

  private static void check(String name, LayerStatistics found, JsonNode expected) {
    assertThat(found.layer()).as(name).isEqualTo(expected.get("layer").asInt());
    assertThat(found.vectors()).as(name).isEqualTo(expected.get("vectors").asLong());
    assertThat(found.padding()).as(name).isEqualTo(expected.get("padding").asLong());
    checkDimensions(name, found.values(), expected);
    checkOccurrence(name + ", NaN", found.nan(), expected.get("nan"));
    checkOccurrence(name + ", Inf", found.infinite(), expected.get("infinite"));
    checkOccurrence(name + ", zero", found.zeroVectors(), expected.get("zero_vectors"));
    checkNorms(name, found.norms(), expected);
    assertThat(found.byToken()).as(name).hasSize(expected.get("by_token").size());
    for (int token = 0; token < found.byToken().size(); token++) {
      String at = name + ", token " + token;
      checkMean(at, found.byToken().get(token), expected.get("by_token").get(token));
    }
    assertThat(found.byLabel()).as(name).hasSize(expected.get("by_label").size());
    found
        .byLabel()
        .forEach(
            (label, mean) ->
                checkMean(
                    name + ", label " + label, mean, expected.get("by_label").get("" + label)));
    checkClose(name + ", scale", found.scale(), expected.get("scale").asDouble());
    checkClose(
        name + ", centered", found.scaleCentered(), expected.get("scale_centered").asDouble());
  }

  /** Asserts |difference| <= 1e-12 |expected|. */
  private static void checkClose(String name, double found, double expected) {
    checkWithin(name, found, expected, PRECISION * Math.abs(expected));
  }

  private static void checkWithin(String name, double found, double expected, double limit) {
    boolean isClose = Math.abs(found - expected) <= limit || Double.compare(found, expected) == 0;
    assertThat(isClose).as("%s: found %s, expected %s", name, found, expected).isTrue();
  }

  private static void checkDimensions(String name, DimensionStatistics found, JsonNode expected) {
    assertThat(found.dim()).as(name).isEqualTo(expected.get("columns").size());
    for (int d = 0; d < found.dim(); d++) {
      String at = name + ", dim " + d;
      JsonNode column = expected.get("columns").get(d);
      assertThat(found.counts()[d]).as(at).isEqualTo(column.get(0).asLong());
      checkClose(at + " mean", found.mean()[d], column.get(1).asDouble());
      checkClose(at + " variance", found.variance()[d], column.get(2).asDouble());
      checkClose(at + " |x|", found.meanAbsolute()[d], column.get(3).asDouble());
      checkWithin(at + " min", found.min()[d], column.get(4).asDouble(), 0);
      checkWithin(at + " max", found.max()[d], column.get(5).asDouble(), 0);
      assertThat(found.zeros()[d]).as(at).isEqualTo(column.get(6).asLong());
    }
    assertThat(found.dead()).as(name).containsExactly(numbers(expected.get("dead")));
    assertThat(found.dominant()).as(name).containsExactly(numbers(expected.get("dominant")));
  }

  private static int[] numbers(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).mapToInt(JsonNode::asInt).toArray();
  }

  private static void checkOccurrence(String name, Occurrence found, JsonNode expected) {
    if (expected.isNull()) {
      assertThat(found).as(name).isNull();
      return;
    }
    int[] at = numbers(expected);
    assertThat(found)
        .as(name)
        .isEqualTo(new Occurrence(at[0], at[1], at[2], at[3] < 0 ? null : at[3]));
  }

  private static void checkNorms(String name, NormStatistics found, JsonNode expected) {
    JsonNode norms = expected.get("norms");
    assertThat(found.vectors()).as(name).isEqualTo(norms.get(0).asLong());
    checkClose(name + ", norm", found.mean(), norms.get(1).asDouble());
    checkClose(name + ", squared norm", found.meanSquare(), norms.get(2).asDouble());
    checkClose(name + ", smallest norm", found.min(), expected.get("min").asDouble());
    checkClose(name + ", largest norm", found.max(), expected.get("max").asDouble());
    int i = 0;
    for (var quantile : found.quantiles().entrySet()) {
      double rank = expected.get("quantiles").get(i++).asDouble();
      String at = name + ", quantile " + quantile.getKey();
      checkWithin(at, quantile.getValue(), rank, 0.004 * rank);
    }
    assertThat(i).isEqualTo(expected.get("quantiles").size());
  }

  private static void checkMean(String name, MeanNorm found, JsonNode expected) {
    assertThat(found.vectors()).as(name).isEqualTo(expected.get(0).asLong());
    checkClose(name, found.mean(), expected.get(1).asDouble());
  }

  private static final String MAKE_LARGE =
      """
      import sys, numpy as np
      r, rows = np.random.RandomState(7), int(sys.argv[2])
      x = r.standard_normal((rows, 64)) * 10 ** r.uniform(-3, 3, 64)
      x *= 10 ** r.uniform(-3, 3, (rows, 1))
      np.save(sys.argv[1], x.astype("f4"))
      """;

  /** Compares the files, and the values that were computed, with numpy's. */
  private static final String CHECK_LARGE =
      """
      import json, math, sys, numpy as np
      x = np.load(sys.argv[1] + "/large.npy").astype("f8")
      values = np.fromfile(sys.argv[1] + "/values.bin", "<f8")
      with open(sys.argv[1] + "/statistics.safetensors", "rb") as f: data = f.read()
      size = int.from_bytes(data[:8], "little")
      header = json.loads(data[8:8 + size])
      def tensor(name):
          t = header["layer_0." + name]
          begin, end = t["data_offsets"]
          return np.frombuffer(data[8 + size + begin:8 + size + end],
                               {"F64": "<f8", "I64": "<i8"}[t["dtype"]]).reshape(t["shape"])
      assert sorted(header) == ["layer_0." + n for n in (
          "count", "mean", "scale", "scale_centered", "variance")], sorted(header)
      found = np.concatenate([tensor(n) for n in ("mean", "variance", "scale", "scale_centered")])
      assert found.tobytes() == values.tobytes()
      assert tensor("count").tolist() == [len(x)]
      def close(found, expected):
          worst = np.max(np.abs(found - expected) / np.abs(expected))
          assert worst <= 1e-12, worst
      exact = np.array([math.fsum(x[:, d]) for d in range(64)]) / len(x)
      close(tensor("mean"), exact)
      mean = x.mean(axis=0, dtype="f8")
      assert np.all(np.abs(tensor("mean") - mean) <= 1e-12 * np.abs(x).mean(axis=0))
      var = x.var(axis=0, dtype="f8")
      close(tensor("variance"), var)
      close(tensor("scale"), np.sqrt(64 / (x * x).sum(axis=1).mean()))
      close(tensor("scale_centered"), np.sqrt(64 / var.sum()))
      with open(sys.argv[1] + "/statistics.json") as f: s = json.load(f)
      assert sorted(s) == ["M2", "mean", "norm", "std"], sorted(s)
      assert np.array(s["mean"]).tobytes() == tensor("mean").tobytes()
      close(np.array(s["std"]), np.sqrt(var))
      close(np.array(s["M2"]), var * len(x))
      close(s["norm"], np.sqrt((x * x).sum(axis=1)).mean())
      print("same")
      """;

  @Test
  void valuesOfMixedMagnitudeHaveTheMeansAndVariancesOfNumpy() throws Exception {
    Path large = folder.resolve("large.npy");
    Python.MACHINE.with("numpy").output(MAKE_LARGE, large, ROWS);
    DatasetStatistics statistics = run(large, new Configuration(false));
    LayerStatistics layer = statistics.layers().get(0);
    Files.write(folder.resolve("statistics.safetensors"), StatisticsFiles.safetensors(statistics));
    Files.write(folder.resolve("statistics.json"), StatisticsFiles.activault(layer));
    double[] values =
        Stream.of(
                Arrays.stream(layer.values().mean()),
                Arrays.stream(layer.values().variance()),
                DoubleStream.of(layer.scale(), layer.scaleCentered()))
            .flatMapToDouble(part -> part)
            .toArray();
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(values);
    Files.write(folder.resolve("values.bin"), bytes.array());
    assertThat(Python.MACHINE.with("numpy").output(CHECK_LARGE, folder)).isEqualTo("same");
  }
}
