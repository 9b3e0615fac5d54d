package org.saevhadoop.converters.planning;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.saevhadoop.converters.program.Launched;

/**
 * Measures what planning a job costs: seconds, heap and the requests that the NameNode itself
 * counted. Each plan is made by a JVM of its own with a heap of 256 MiB.
 *
 * <p>Arguments: the numbers of shards, in ascending order. {@code bin/bench --table planning} runs
 * it.
 */
public final class PlanningBench {
  /** The block size of the storage; a shard has one block. */
  static final long BLOCK = 1 << 20;

  private static final String HEAP = "-Xmx256m";

  /** The formats to measure, separated by blanks; all by default. */
  private static final String FORMATS = System.getProperty("planning.formats", "");

  /** The end of the name of a metric that counts. */
  private static final String COUNT = "NumOps";

  private PlanningBench() {}

  /** Measures with each number of shards. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("planning");
    Configuration conf = new Configuration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, BLOCK);
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    MiniDFSCluster dfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("dfs").toFile()).numDataNodes(3).build();
    try {
      List<PlannedDataset> datasets = PlannedDataset.all(dfs);
      for (String count : args) {
        for (PlannedDataset dataset : datasets) {
          if (FORMATS.isEmpty() || FORMATS.contains(dataset.name())) {
            dataset.grow(Integer.parseInt(count));
            run(dfs, dataset.name(), count);
          }
        }
      }
    } finally {
      dfs.shutdown(true);
      FileUtil.fullyDelete(folder.toFile());
    }
  }

  private static void run(MiniDFSCluster dfs, String name, String count) throws IOException {
    List<String> jvm = List.of(HEAP, "-XX:+UseSerialGC");
    List<String> command =
        Launched.command(PlanningRun.class, jvm, dfs.getURI() + "/" + name, name);
    command.addAll(List.of(System.getProperty("planning.options", "").trim().split("\\s+")));
    command.removeIf(String::isEmpty);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader said =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        OutputStream next = process.getOutputStream()) {
      Map<String, Long> before = requests(dfs);
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        Map<String, Long> after = requests(dfs);
        System.out.printf("%7s %-11s %s  %s%n", count, name, line, difference(before, after));
        before = after;
        next.write('\n');
        next.flush();
      }
    }
  }

  /** Returns how many requests of each kind the NameNode has answered. */
  private static Map<String, Long> requests(MiniDFSCluster dfs) {
    String source = "RpcDetailedActivityForPort" + dfs.getNameNodePort();
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
    Map<String, Long> counts = new TreeMap<>();
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        if (metric.name().endsWith(COUNT)) {
          String name = metric.name().substring(0, metric.name().length() - COUNT.length());
          counts.put(name, metric.value().longValue());
        }
      }
    }
    // those of the cluster itself
    counts
        .keySet()
        .removeIf(name -> name.matches("Overall.*|SendHeartbeat|BlockRep.*|RegisterDatanode"));
    return counts;
  }

  private static String difference(Map<String, Long> before, Map<String, Long> after) {
    return after.entrySet().stream()
        .filter(entry -> entry.getValue() > before.getOrDefault(entry.getKey(), 0L))
        .map(
            entry ->
                entry.getKey() + " " + (entry.getValue() - before.getOrDefault(entry.getKey(), 0L)))
        .collect(Collectors.joining(", "));
  }
}
