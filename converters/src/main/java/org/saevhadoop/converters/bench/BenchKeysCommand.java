package org.saevhadoop.converters.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
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
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("first", first);
    if (millis.length > 0) {
      figures.put("median", millis[millis.length / 2]);
      figures.put("p99", millis[millis.length * 99 / 100]);
    }
    print(request, millis.length, figures);
    return 0;
  }

  private void print(SourceRequest request, int fetched, Map<String, Double> figures) {
    PrintWriter out = console.out();
    if (json) {
      ObjectNode report = JsonOutput.object();
      report.put("path", request.location().path()).put("format", request.format().name());
      report.put("key", key).put("fetches", fetched);
      figures.forEach((name, millis) -> report.put(name + "_seconds", millis / MILLIS));
      out.println(JsonOutput.lines(report));
    } else {
      figures.forEach((name, millis) -> out.printf("%-8s %9.2f ms%n", name, millis));
    }
    out.flush();
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
