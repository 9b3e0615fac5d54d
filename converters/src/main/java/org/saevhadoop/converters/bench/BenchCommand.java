package org.saevhadoop.converters.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.DatasetKeys;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.projection.LayerRequest;
import org.saevhadoop.format.projection.TokenRequest;
import org.saevhadoop.format.reader.vector.IndexedReader;
import org.saevhadoop.format.reader.vector.OrderedReader;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.ShuffledReader;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorBatch;
import org.saevhadoop.format.reader.vector.VectorView;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.InputKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures how fast a dataset can be read for training. */
@Command(
    name = "bench",
    sortOptions = false,
    description = {
      "Measures how fast a dataset is read for training.",
      "Reads in order, shuffled, and vector by vector at random, each compared with a plain read"
          + " of the same bytes. Without --tokens it reads image tokens if the dataset records"
          + " whether token 0 is [CLS], otherwise all tokens; it reports which."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop bench shards/64988989",
      "  saev-hadoop bench shards/64988989 --layer 13 --threads 8 --seconds 10",
      "  saev-hadoop bench out --json"
    })
public final class BenchCommand extends SourceCommand {
  /**
   * A way to read a dataset. It runs until {@code deadline}, a value of {@link System#nanoTime},
   * and returns the number of vectors that it has delivered.
   */
  private interface Kind {
    long run(long deadline) throws IOException;
  }

  private record Report(
      @JsonUnwrapped DatasetKeys dataset,
      String tokenSelection,
      long vectors,
      int batchSize,
      int bufferSize,
      int threads,
      @JsonUnwrapped Map<String, Rate> kinds) {}

  private record Rate(long bytesPerSecond, long vectorsPerSecond, double ofPlain) {
    static Rate of(double vectorsPerSecond, double plain, int vectorBytes) {
      return new Rate(
          Math.round(vectorsPerSecond * vectorBytes),
          Math.round(vectorsPerSecond),
          Math.round(vectorsPerSecond / plain * 1000) / 1000.0);
    }
  }

  private static final int INDEXED_AT_ONCE = 1000;
  private static final double MIB = 1 << 20;
  private static final double MAX_SECONDS = 86_400;

  @Parameters(paramLabel = "PATH", description = "The dataset.")
  String path;

  @Option(
      names = "--layer",
      paramLabel = "L",
      description = "One layer, as the model numbers it, or all; the same as --layers L.")
  String layer;

  @Option(
      names = "--batch-size",
      defaultValue = "16384",
      paramLabel = "N",
      description = "Vectors in a batch (default: 16384).")
  int batchSize;

  @Option(
      names = "--buffer-size",
      defaultValue = "8",
      paramLabel = "N",
      description =
          "Batches in memory, half of which are shuffled together (default: 8; the readers' own"
              + " default is 64).")
  int bufferSize;

  @Option(
      names = "--threads",
      defaultValue = "4",
      paramLabel = "N",
      description = "Number of threads that read (default: 4).")
  int threads;

  @Option(
      names = "--seed",
      defaultValue = "17",
      paramLabel = "N",
      description = "Seed of the shuffle and of the random indexes (default: 17).")
  long seed;

  @Option(
      names = "--seconds",
      defaultValue = "2",
      paramLabel = "S",
      description = "Seconds for which each kind reads in a round (default: 2).")
  double seconds;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      paramLabel = "N",
      description = "Number of rounds that count (default: 3).")
  int rounds;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  private String tokens = "";
  private float touched;

  public BenchCommand(Console console) {
    super(console);
  }

  @Override
  public Integer call() throws Exception {
    checkOptions();
    checkKeys();
    SourceRequest request = withLayer(request(path));
    try (OpenedSource source = OpenedSource.open(request, runner())) {
      measure(withTokens(source));
    }
    return 0;
  }

  private SourceRequest withLayer(SourceRequest request) {
    if (layer == null || layer.equals("all")) {
      return request;
    }
    if (request.spec().projection().layers() != null) {
      throw new SettingException("--layer and --layers exclude each other (expected one of them)");
    }
    LayerRequest one = InputKeys.LAYERS.parse(layer, "--layer").orElseThrow();
    return request.with(request.spec().projection().with(one));
  }

  /** Selects the content tokens by default, as training does, if they are known. */
  private OpenedSource withTokens(OpenedSource source) throws IOException {
    boolean asked = isTyped(InputKeys.TOKENS) || isConfigured(InputKeys.TOKENS);
    ActivationDataset whole = source.whole().requireActivations();
    OptionalInt cls = whole.activations().clsTokens();
    TokenRequest wanted = source.spec().projection().tokens();
    if (!asked && cls.isPresent() && whole.geometry().tokens() > cls.getAsInt()) {
      wanted = TokenRequest.parse("image");
    }
    tokens = wanted.toString();
    if (!asked) {
      console.message(
          "bench: tokens: " + tokens + (cls.isPresent() ? "" : " (which is [CLS] is not known)"));
    }
    return source.with(source.spec().projection().with(wanted));
  }

  private void measure(OpenedSource source) throws IOException {
    ActivationDataset dataset = source.dataset().requireActivations();
    DatasetError.EMPTY_SELECTION.check(
        dataset.geometry().examples() > 0, dataset.path(), "has no vectors to read");
    int cls = dataset.activations().clsTokens().orElse(0);
    VectorView view = VectorView.of(dataset, cls, TokenChoice.ALL, null);
    ReaderOptions readerOptions =
        ReaderOptions.defaults()
            .withBatchSize(batchSize)
            .withBufferSize(bufferSize)
            .withThreads(threads)
            .withSeed(seed);
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    try (OrderedReader ordered = new OrderedReader(dataset, view, readerOptions);
        ShuffledReader shuffled = new ShuffledReader(dataset, view, readerOptions);
        IndexedReader indexed = new IndexedReader(dataset, view)) {
      Map<String, Kind> kinds = new LinkedHashMap<>();
      kinds.put("plain", plain(dataset));
      kinds.put("ordered", deadline -> ordered(ordered, deadline));
      kinds.put("shuffled", deadline -> shuffled(shuffled, deadline));
      kinds.put("indexed", indexed(indexed, view.geometry().dim()));
      for (int round = 0; round <= rounds; round++) {
        for (Map.Entry<String, Kind> kind : kinds.entrySet()) {
          double rate = rate(kind.getValue());
          if (round > 0) {
            rates.computeIfAbsent(kind.getKey(), name -> new ArrayList<>()).add(rate);
          }
        }
      }
    }
    print(source, view, rates);
  }

  private void checkOptions() {
    require(batchSize >= 1, "--batch-size", batchSize, "at least 1");
    require(bufferSize >= 1, "--buffer-size", bufferSize, "at least 1");
    require(threads >= 1, "--threads", threads, "at least 1");
    require(rounds >= 1, "--rounds", rounds, "at least 1");
    require(seconds > 0 && seconds <= MAX_SECONDS, "--seconds", seconds, "more than 0, to a day");
  }

  private void require(boolean holds, String option, Number value, String expected) {
    if (!holds) {
      throw usageError("%s is %s (expected %s)".formatted(option, value, expected));
    }
  }

  private static Kind plain(ActivationDataset dataset) {
    PlainRead read = new PlainRead(dataset);
    return deadline -> {
      long bytes = 0;
      while (System.nanoTime() < deadline) {
        bytes += read.run(deadline);
      }
      return bytes / dataset.geometry().vectorBytes();
    };
  }

  private long ordered(OrderedReader reader, long deadline) throws IOException {
    long vectors = 0;
    reader.restart();
    while (System.nanoTime() < deadline) {
      if (reader.next()) {
        vectors += touch(reader.batch());
      } else {
        reader.restart();
      }
    }
    return vectors;
  }

  private long shuffled(ShuffledReader reader, long deadline) throws IOException {
    long vectors = 0;
    reader.startEpoch(reader.epoch() + 1);
    while (System.nanoTime() < deadline) {
      if (reader.next()) {
        vectors += touch(reader.batch());
      } else {
        reader.startEpoch(reader.epoch() + 1);
      }
    }
    return vectors;
  }

  private Kind indexed(IndexedReader reader, int dim) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] vector = new float[dim];
    return deadline -> {
      long vectors = 0;
      while (System.nanoTime() < deadline) {
        for (int i = 0; i < INDEXED_AT_ONCE; i++) {
          reader.read(random.nextLong(reader.length()), vector);
          touched += vector[0];
        }
        vectors += INDEXED_AT_ONCE;
      }
      return vectors;
    };
  }

  private int touch(VectorBatch batch) {
    FloatBuffer floats = batch.floats();
    int dim = floats.remaining() / batch.rows();
    for (int row = 0; row < batch.rows(); row++) {
      touched += floats.get(row * dim);
    }
    return batch.rows();
  }

  /** Returns the rate in vectors per second. */
  private double rate(Kind kind) throws IOException {
    long begun = System.nanoTime();
    long deadline = begun + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    long vectors = kind.run(deadline);
    return vectors * 1e9 / (System.nanoTime() - begun);
  }

  private void print(OpenedSource source, VectorView view, Map<String, List<Double>> rates)
      throws IOException {
    double plain = median(rates.get("plain"));
    int vectorBytes = view.geometry().vectorBytes();
    Map<String, Rate> kinds = new LinkedHashMap<>();
    rates.forEach((kind, all) -> kinds.put(kind, Rate.of(median(all), plain, vectorBytes)));
    PrintWriter out = console.out();
    if (json) {
      Report report =
          new Report(
              DatasetKeys.of(source), tokens, view.length(), batchSize, bufferSize, threads, kinds);
      JsonOutput.print(report, out);
    } else {
      out.printf("%-10s %10s %12s %10s%n", "", "MiB/s", "vectors/s", "of plain");
      kinds.forEach(
          (kind, rate) ->
              out.printf(
                  "%-10s %10d %12d %10.2f%n",
                  kind,
                  Math.round(rate.bytesPerSecond / MIB),
                  rate.vectorsPerSecond,
                  rate.ofPlain));
    }
    out.flush();
  }

  private static double median(@Nullable List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
