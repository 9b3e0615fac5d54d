package org.saevhadoop.jobs.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.jobs.run.RunListener;

class StatisticsTest {
  private static final String MAX_SPLIT = "mapreduce.input.fileinputformat.split.maxsize";

  @TempDir Path folder;

  /** Writes float32 values as an array of numpy. */
  private Path npy(String name, int examples, int tokens, int dim, IntToDoubleFunction values)
      throws IOException {
    Path file = folder.resolve(name + ".npy");
    String shape = tokens == 1 ? "%d, %d" : "%d, " + tokens + ", %d";
    String header =
        ("{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }")
            .formatted(examples, dim);
    byte[] text =
        (header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.US_ASCII);
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) text.length, 0});
      out.write(text);
      ByteBuffer example = ByteBuffer.allocate(tokens * dim * Float.BYTES);
      for (int i = 0; i < examples; i++) {
        int from = i * tokens * dim;
        example.clear().order(ByteOrder.LITTLE_ENDIAN);
        IntStream.range(from, from + tokens * dim)
            .forEach(at -> example.putFloat((float) values.applyAsDouble(at)));
        out.write(example.array());
      }
    }
    return file;
  }

  private static DatasetStatistics run(Path path, Configuration conf) throws Exception {
    return Statistics.of(path.toString(), conf).run(RunListener.NONE);
  }

  private static LayerStatistics layer(Path path) throws Exception {
    return run(path, new Configuration(false)).layers().get(0);
  }

  /** Returns statistics as text, by which bits can be compared. */
  private static String text(DatasetStatistics statistics) {
    StringBuilder text =
        new StringBuilder(statistics.toString().replaceAll("values=[^,]*,.*?zeros=[^\\]]*\\]", ""));
    for (LayerStatistics layer : statistics.layers()) {
      DimensionStatistics values = layer.values();
      text.append(Arrays.toString(values.mean())).append(Arrays.toString(values.variance()));
      text.append(Arrays.toString(values.meanAbsolute())).append(Arrays.toString(values.zeros()));
      text.append(Arrays.toString(values.min())).append(Arrays.toString(values.max()));
    }
    return text.toString();
  }

  @Test
  void theResultHasTheSameBitsForAnyNumberOfSplits() throws Exception {
    Random random = new Random(3);
    Path data = npy("acts", 256 << 10, 1, 16, i -> random.nextGaussian() * Math.pow(10, i % 7 - 3));
    Configuration conf = new Configuration(false);
    String one = null;
    for (int splits : new int[] {1, 7, 50}) {
      conf.setLong(MAX_SPLIT, Files.size(data) / splits + (splits == 1 ? 1000 : 0));
      conf.setLong("mapreduce.input.fileinputformat.split.minsize", splits == 1 ? 1L << 40 : 1);
      assertThat(Statistics.of(data.toString(), conf).describe(RunListener.NONE).get(0).tasks())
          .isBetween((long) (splits * 0.7), (long) (splits * 1.5));
      String found = text(run(data, conf));
      assertThat(found).isEqualTo(one == null ? found : one);
      one = found;
    }
    assertThat(one).contains("pairs=4096");
  }

  @Test
  void layersAreReadOneAfterAnotherIfTheirSumsAreLargeAndHaveTheSameStatistics() throws Exception {
    int dim = 80_000;
    Path data = npy("acts", 3, 4, dim, i -> (i % 97 - 40) * 0.37);
    Configuration conf = new Configuration(false);
    conf.set("saev.input.tensors", "array=example,layer,dim");
    DatasetStatistics all = run(data, conf);
    assertThat(all.layers()).hasSize(4);
    for (LayerStatistics layer : all.layers()) {
      conf.set("saev.input.layers", Integer.toString(layer.layer()));
      LayerStatistics alone = run(data, conf).layers().get(0);
      assertThat(alone.values().variance()).isEqualTo(layer.values().variance());
      assertThat(alone.norms()).isEqualTo(layer.norms());
    }
  }

  @Test
  void valuesThatAreNotFiniteAreCountedAndLeftOut() throws Exception {
    double[] values = {
      1,
      0,
      3,
      0, //
      Double.NaN,
      0,
      5,
      Double.NEGATIVE_INFINITY, //
      0,
      0,
      0,
      0, //
      -3,
      0,
      4,
      0
    };
    LayerStatistics found = layer(npy("acts", 2, 2, 4, i -> values[i]));
    assertThat(found.vectors()).isEqualTo(4);
    assertThat(found.nan()).isEqualTo(new LayerStatistics.Occurrence(1, 0, 1, 0));
    assertThat(found.infinite()).isEqualTo(new LayerStatistics.Occurrence(1, 0, 1, 3));
    assertThat(found.zeroVectors()).isEqualTo(new LayerStatistics.Occurrence(1, 1, 0, null));
    DimensionStatistics dimensions = found.values();
    assertThat(dimensions.counts()).containsExactly(3, 4, 4, 3);
    assertThat(dimensions.mean()).containsExactly(-2 / 3.0, 0, 3, 0);
    assertThat(dimensions.variance())
        .containsExactly(new double[] {26 / 9.0, 0, 3.5, 0}, within(1e-15));
    assertThat(dimensions.min()).containsExactly(-3, 0, 0, 0);
    assertThat(dimensions.max()).containsExactly(1, 0, 5, 0);
    assertThat(dimensions.meanAbsolute()).containsExactly(4 / 3.0, 0, 3, 0);
    assertThat(dimensions.zeros()).containsExactly(1, 4, 1, 3);
    assertThat(dimensions.dead()).containsExactly(1, 3);
    double norm = Math.sqrt(10);
    assertThat(found.norms().vectors()).isEqualTo(3);
    assertThat(found.norms().mean()).isEqualTo((norm + 5) / 3);
    assertThat(found.norms().meanSquare()).isEqualTo(35 / 3.0);
    assertThat(found.norms().min()).isZero();
    assertThat(found.norms().max()).isEqualTo(5);
    assertThat(found.byToken())
        .containsExactly(
            new LayerStatistics.MeanNorm(2, norm / 2), new LayerStatistics.MeanNorm(1, 5));
    assertThat(found.scale()).isEqualTo(Math.sqrt(4 / (35 / 3.0)));
    assertThat(found.scaleCentered()).isCloseTo(Math.sqrt(4 / (26 / 9.0 + 3.5)), within(1e-15));
  }

  @Test
  void aDimensionIsDominantAboveFiftyTimesTheMedian() throws Exception {
    double[] means = {2, -100, 2, 100.5, 2};
    LayerStatistics found = layer(npy("acts", 40, 1, 5, i -> means[i % 5]));
    assertThat(found.values().dominant()).containsExactly(3);
  }

  @Test
  void theMedianIsThatOfTheDimensionsWithFiniteValues() throws Exception {
    double[] means = {2, 2, 101, Double.NaN, Double.NaN};
    LayerStatistics found = layer(npy("acts", 10, 1, 5, i -> means[i % 5]));
    assertThat(found.values().dominant()).containsExactly(2);
    assertThat(found.values().dead()).isEmpty();
    LayerStatistics none = layer(npy("none", 10, 1, 5, i -> Double.NaN));
    assertThat(none.values().dominant()).isEmpty();
  }

  @Test
  void aQuantileIsTheNormAtTheRankBelow() throws Exception {
    double[] norms = {16, 1, 4, 8, 2};
    NormStatistics found = layer(npy("acts", 5, 1, 1, i -> norms[i])).norms();
    double[] expected = {1, 1, 2, 4, 8, 8, 8};
    int i = 0;
    for (double quantile : found.quantiles().values()) {
      assertThat(quantile).isCloseTo(expected[i], within(0.004 * expected[i]));
      i++;
    }
    assertThat(i).isEqualTo(expected.length);
  }

  @Test
  void quantilesAreWithinTheNorms() throws Exception {
    NormStatistics found = layer(npy("acts", 5, 1, 1, i -> 3)).norms();
    assertThat(found.quantiles().values()).containsOnly(3.0);
  }

  @Test
  void coordinatesAreThoseOfTheStoredDataset() throws Exception {
    // NaN in example 1, token 3; a zero vector in example 3, token 2
    Path data = npy("acts", 4, 4, 2, i -> i == 15 ? Double.NaN : i == 28 || i == 29 ? 0 : i + 1);
    Configuration conf = new Configuration(false);
    conf.set("saev.input.examples", "3,1");
    conf.set("saev.input.tokens", "2:4");
    LayerStatistics found = run(data, conf).layers().get(0);
    assertThat(found.vectors()).isEqualTo(4);
    assertThat(found.nan()).isEqualTo(new LayerStatistics.Occurrence(1, 1, 3, 1));
    assertThat(found.zeroVectors()).isEqualTo(new LayerStatistics.Occurrence(1, 3, 2, null));
  }

  @Test
  void paddingIsLeftOut() throws Exception {
    Path data = Corpus.checkout().resolve("fixtures/pickle/ragged");
    Configuration conf = new Configuration(false);
    conf.set("saev.input.ragged", "flatten");
    DatasetStatistics flat = run(data, conf);
    conf.set("saev.input.ragged", "pad:9:1e6");
    DatasetStatistics padded = run(data, conf);
    for (int i = 0; i < padded.layers().size(); i++) {
      LayerStatistics found = padded.layers().get(i);
      LayerStatistics expected = flat.layers().get(i);
      assertThat(found.padding()).isPositive();
      assertThat(found.vectors()).isEqualTo(expected.vectors());
      assertThat(found.padding()).isEqualTo(9 * padded.examples() - expected.vectors());
      assertThat(found.norms()).isEqualTo(expected.norms());
      assertThat(found.values().mean()).isEqualTo(expected.values().mean());
      assertThat(found.values().counts()).isEqualTo(expected.values().counts());
      assertThat(found.cosines().max()).isLessThan(0.999);
      assertThat(found.cosines().pairs()).isPositive().isLessThan(expected.cosines().pairs());
    }
  }

  @Test
  void aSampleDrawsItsPairsFromItsOwnVectors() throws Exception {
    Path data = npy("acts", 1000, 2, 3, i -> i % 5 + 1);
    Statistics tenth = new Statistics(data.toString(), 0.1, 5, new Configuration(false));
    assertThat(tenth.run(RunListener.NONE).layers().get(0).cosines().pairs()).isEqualTo(100);
  }

  @Test
  void anEmptyPartHasNoStatistics() throws Exception {
    Configuration conf = new Configuration(false);
    Path data = npy("acts", 0, 1, 4, i -> 0);
    LayerStatistics found = run(data, conf).layers().get(0);
    assertThat(found.vectors()).isZero();
    assertThat(found.norms().mean()).isNaN();
    assertThat(found.values().mean()).containsOnly(Double.NaN);
    assertThat(found.cosines().pairs()).isZero();
  }

  @Test
  void cosinesAreThoseOfTheDrawnPairs() throws Exception {
    // orthogonal to each other, or parallel
    Path data = npy("acts", 64, 1, 2, i -> i / 2 % 2 == i % 2 ? 1 + i : 0);
    LayerStatistics.Cosines found = layer(data).cosines();
    VectorPairs pairs = VectorPairs.draw(32, 64, 0);
    boolean[] isOdd = new boolean[64];
    for (int number = 0; number < 64; number++) {
      isOdd[pairs.slot(number)] = number % 2 == 1;
    }
    long parallel = IntStream.range(0, 32).filter(i -> isOdd[2 * i] == isOdd[2 * i + 1]).count();
    assertThat(found.pairs()).isEqualTo(32);
    assertThat(found.mean()).isEqualTo(parallel / 32.0);
    assertThat(found.min()).isZero();
    assertThat(found.max()).isEqualTo(1);
  }

  @Test
  void aSampleReadsWholeExamplesAndHasTheSeedsChoice() throws Exception {
    Path data = npy("acts", 1000, 2, 3, i -> i / 6 + 1);
    Statistics tenth = new Statistics(data.toString(), 0.1, 5, new Configuration(false));
    DatasetStatistics found = tenth.run(RunListener.NONE);
    assertThat(found.examples()).isEqualTo(1000);
    assertThat(found.sampled()).isEqualTo(100);
    LayerStatistics layer = found.layers().get(0);
    assertThat(layer.vectors()).isEqualTo(200);
    assertThat(layer.byToken().get(0).vectors()).isEqualTo(100);
    assertThat(layer.values().mean()[0]).isBetween(480.0, 520.0).isNotEqualTo(500.5);
    assertThat(text(tenth.run(RunListener.NONE))).isEqualTo(text(found));
    Statistics other = new Statistics(data.toString(), 0.1, 6, new Configuration(false));
    assertThat(other.run(RunListener.NONE).layers().get(0).values().mean()[0])
        .isNotEqualTo(layer.values().mean()[0]);
  }

  @Test
  void labelsHaveTheMeanNormOfTheirVectors() throws Exception {
    Path data = Corpus.checkout().resolve("fixtures/saev/shards/64988989");
    byte[] labels = Files.readAllBytes(data.resolve("labels.bin"));
    for (LayerStatistics layer : run(data, new Configuration(false)).layers()) {
      long[] counts = new long[256];
      layer.byLabel().forEach((label, mean) -> counts[label] = mean.vectors());
      for (byte label : labels) {
        counts[label & 0xff]--;
      }
      assertThat(counts).containsOnly(0);
      double sum =
          layer.byLabel().values().stream().mapToDouble(one -> one.mean() * one.vectors()).sum();
      double ofPatches =
          layer.byToken().stream().skip(1).mapToDouble(one -> one.mean() * one.vectors()).sum();
      assertThat(sum).isCloseTo(ofPatches, within(1e-12 * sum));
    }
  }

  @Test
  void labelsAreThoseOfThePatches() throws Exception {
    Path data = Corpus.checkout().resolve("fixtures/saev/shards/64988989");
    Path copy = Files.createDirectory(folder.resolve("64988989"));
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    DatasetStatistics all = run(data, new Configuration(false));
    int patches = all.tokens() - 1; // without [CLS]
    byte[] labels = new byte[(int) all.examples() * patches];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (byte) (200 + i % patches);
    }
    Files.write(copy.resolve("labels.bin"), labels);
    for (LayerStatistics layer : run(copy, new Configuration(false)).layers()) {
      assertThat(layer.byLabel()).hasSize(patches);
      for (int patch = 0; patch < patches; patch++) {
        assertThat(layer.byLabel().get(200 + patch)).isEqualTo(layer.byToken().get(1 + patch));
      }
    }
  }

  @Test
  void complexValuesAreRefused() throws Exception {
    Path file = folder.resolve("complex.npy");
    byte[] array = Files.readAllBytes(npy("acts", 2, 1, 2, i -> i));
    byte[] header =
        new String(array, 0, 128, StandardCharsets.ISO_8859_1)
            .replace("<f4", "<c8")
            .replace("2, 2)", "2, 1)")
            .getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(header, 0, array, 0, header.length);
    Files.write(file, array);
    Configuration conf = new Configuration(false);
    conf.set("saev.input.tensors", "array=example,dim");
    assertThatThrownBy(() -> run(file, conf))
        .isInstanceOf(FormatException.class)
        .hasMessageEndingWith("complex.npy: has values of type C64 (expected real numbers)");
  }
}
