package org.saevhadoop.converters;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.KeyedTensor;
import org.saevhadoop.format.safetensors.KeyedTensors;
import org.saevhadoop.mapreduce.HadoopFolder;
import org.saevhadoop.mapreduce.index.ParquetTensorIndex;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Measures how long it takes to fetch tensors by their keys. */
@Command(
    name = "bench-keys",
    sortOptions = false,
    description = {
      "Measures how long it takes to fetch single tensors of the dataset at PATH by their keys.",
      "Each fetch opens the index anew, looks the key up, reads the header of its file and its data,"
          + " and closes all. The first one, of --key, comes before anything else of this program"
          + " has run; the others are of random keys."
    })
final class BenchKeysCommand implements Callable<Integer> {
  private static final double MILLI = 1e6;

  @ParentCommand Main main;

  @Parameters(paramLabel = "PATH", description = "The dataset; it has an index.")
  String path;

  @Option(
      names = "--key",
      required = true,
      paramLabel = "KEY",
      description = "What is fetched first.")
  String key;

  @Option(
      names = "--fetches",
      defaultValue = "500",
      paramLabel = "N",
      description = "How many random keys are fetched after it (default: 500).")
  int fetches;

  @Option(names = "--seed", defaultValue = "17", paramLabel = "N", description = "Of the keys.")
  long seed;

  @Override
  public Integer call() throws IOException {
    Folder folder = HadoopFolder.of(new Path(path), main.getConf());
    double first = fetch(folder, key);
    List<String> keys = keys(folder);
    double[] millis = new double[keys.size()];
    for (int i = 0; i < millis.length; i++) {
      millis[i] = fetch(folder, keys.get(i));
    }
    Arrays.sort(millis);
    main.out().printf("first    %9.2f ms%n", first);
    if (millis.length > 0) {
      main.out().printf("median   %9.2f ms%n", millis[millis.length / 2]);
      main.out().printf("p99      %9.2f ms%n", millis[millis.length * 99 / 100]);
    }
    main.out().flush();
    return 0;
  }

  /** Milliseconds of one fetch. */
  private static double fetch(Folder folder, String key) throws IOException {
    long start = System.nanoTime();
    try (ParquetTensorIndex index = ParquetTensorIndex.open(folder)) {
      KeyedTensor tensor =
          new KeyedTensors(folder, index)
              .fetch(key)
              .orElseThrow(() -> new FormatException(folder.path(), "has no key \"" + key + "\""));
      try (tensor) {
        tensor.read(0, ByteBuffer.allocate(Math.toIntExact(tensor.tensor().byteLength())));
      }
    }
    return (System.nanoTime() - start) / MILLI;
  }

  /** A random choice of the keys, each as likely as any other. */
  private List<String> keys(Folder folder) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> chosen = new ArrayList<>();
    long[] seen = {0};
    try (ParquetTensorIndex index = ParquetTensorIndex.open(folder)) {
      index.forEach(
          entry -> {
            if (chosen.size() < fetches) {
              chosen.add(entry.key());
            } else {
              long place = random.nextLong(seen[0] + 1);
              if (place < fetches) {
                chosen.set((int) place, entry.key());
              }
            }
            seen[0]++;
          });
    }
    return chosen;
  }
}
