package org.saevhadoop.converters.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.DatasetKeys;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.NamedTensors;
import org.saevhadoop.format.spi.NamedTensors.OpenTensor;
import org.saevhadoop.jobs.source.SourceRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures the time to fetch tensors by their keys. */
@Command(
    name = "bench-keys",
    customSynopsis = "saev-hadoop bench-keys [OPTIONS] --key=KEY PATH",
    sortOptions = false,
    description = {
      "Measures how long it takes to fetch tensors by their keys.",
      "Each fetch opens the index again, looks the key up, reads the header of its file and its"
          + " data, and closes everything. The first fetch, of --key, is cold: only the list of"
          + " files has been read. The others are of random keys."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop bench-keys out --key 0__layer_13",
      "  saev-hadoop bench-keys out --key 0__layer_13 --fetches 2000",
      "  saev-hadoop bench-keys out --key 0-acts --from-separator -"
    })
public final class BenchKeysCommand extends SourceCommand {
  private static final double MILLI = 1e6;
  private static final double MILLIS = 1000;

  @Parameters(paramLabel = "PATH", description = "The dataset, which must have an index.")
  String path;

  @Option(
      names = "--key",
      required = true,
      paramLabel = "KEY",
      description = "The key that is fetched first.")
  String key;

  @Option(
      names = "--fetches",
      defaultValue = "500",
      paramLabel = "N",
      description = "Number of random keys that are fetched after it (default: 500).")
  int fetches;

  @Option(
      names = "--seed",
      defaultValue = "17",
      paramLabel = "N",
      description = "Seed of the random keys (default: 17).")
  long seed;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  private record Report(
      @JsonUnwrapped DatasetKeys dataset,
      String key,
      int fetches,
      double firstSeconds,
      @Nullable Double medianSeconds,
      @Nullable Double p99Seconds) {}

  public BenchKeysCommand(Console console) {
    super(console);
  }

  @Override
  protected List<SettingKey<?>> commonKeys() {
    return List.of();
  }

  @Override
  public Integer call() throws IOException {
    checkKeys();
    SourceRequest request = request(path);
    NamedTensors tensors = requireKeys(request);
    double first = fetch(tensors, request, key);
    List<String> keys = keys(tensors, request);
    double[] millis = new double[keys.size()];
    for (int i = 0; i < millis.length; i++) {
      millis[i] = fetch(tensors, request, keys.get(i));
    }
    Arrays.sort(millis);
    int n = millis.length;
    Double median = n == 0 ? null : millis[n / 2];
    Double p99 = n == 0 ? null : millis[n * 99 / 100];
    if (json) {
      JsonOutput.print(
          new Report(
              new DatasetKeys(request.location().path(), request.format().name(), null),
              key,
              n,
              first / MILLIS,
              median == null ? null : median / MILLIS,
              p99 == null ? null : p99 / MILLIS),
          console.out());
    } else {
      print("first", first);
      print("median", median);
      print("p99", p99);
    }
    console.out().flush();
    return 0;
  }

  private void print(String name, @Nullable Double millis) {
    if (millis != null) {
      console.out().printf("%-8s %9.2f ms%n", name, millis);
    }
  }

  /** Returns the duration of one fetch in milliseconds. */
  private double fetch(NamedTensors tensors, SourceRequest request, String key) throws IOException {
    long start = System.nanoTime();
    try (OpenTensor tensor =
        tensors.keyed(request.location(), request.spec().format(), key, console::warning)) {
      tensor.read(0, ByteBuffer.allocate(Math.toIntExact(tensor.byteLength())));
    }
    return (System.nanoTime() - start) / MILLI;
  }

  /** Returns a uniform random sample of the keys (reservoir sampling). */
  private List<String> keys(NamedTensors tensors, SourceRequest request) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> chosen = new ArrayList<>();
    long[] seen = {0};
    tensors.forEachKey(
        request.location(),
        request.spec().format(),
        found -> {
          if (chosen.size() < fetches) {
            chosen.add(found);
          } else {
            long slot = random.nextLong(seen[0] + 1);
            if (slot < fetches) {
              chosen.set((int) slot, found);
            }
          }
          seen[0]++;
        });
    return chosen;
  }
}
