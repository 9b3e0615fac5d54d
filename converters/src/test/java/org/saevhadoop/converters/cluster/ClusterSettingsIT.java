package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.cluster.JobSettingsPage.When;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/**
 * The job files of commands that find a cluster's site files on their class path, as on an edge
 * node: they differ from the file of a plain job by the keys that docs/operations.md lists.
 */
@Tag("cluster")
class ClusterSettingsIT {
  private static final String SOURCE = "/data/" + Fixtures.SMALL;

  /** Keys that Hadoop computes for each job. */
  private static final Set<String> COMPUTED = Set.of("mapreduce.job.dir", "mapreduce.job.maps");

  @TempDir static Path folder;
  @AutoClose private static YarnCluster cluster;

  @BeforeAll
  static void startCluster() throws IOException {
    cluster = new YarnCluster(folder);
  }

  @Test
  void jobsDifferFromAPlainJobByTheListedKeysOnly() throws Exception {
    Path site = site("site", Map.of());
    Map<String, String> plain = submitted(PlainJob.class, site, SOURCE, "/plain").get(0);
    List<Map<String, String>> jobs = new ArrayList<>();
    jobs.addAll(convert(site, SOURCE, "/acts", "safetensors", "--verify"));
    jobs.addAll(convert(site, SOURCE, "/shuffled", "safetensors", "-Dsaev.convert.plan=shuffle"));
    Path pickle = Fixtures.pickle("spec");
    cluster.fs().copyFromLocalFile(YarnCluster.path(pickle), YarnCluster.path("/data/pickle"));
    jobs.addAll(convert(site, "/data/pickle", "/unpacked", "safetensors"));
    jobs.addAll(submitted(Main.class, site, "digest", "/acts", "--save=/acts.sums"));
    assertThat(jobs.stream().map(job -> job.get("mapreduce.job.name").split(" ")[1]))
        .containsExactly("convert", "verify", "convert", "unpack", "convert", "digest");
    Map<String, Set<String>> found = differences(jobs, plain);
    Map<String, String> listed = JobSettingsPage.read(When.ALWAYS, When.UNLESS_SET);
    assertThat(found.keySet()).isEqualTo(listed.keySet());
    listed.forEach(
        (key, value) -> {
          if (value != null) {
            assertThat(found.get(key)).as(key).containsExactly(value);
          }
        });
  }

  @Test
  void tuningOfTheClusterIsKept() throws Exception {
    Map<String, String> tuning = new TreeMap<>();
    for (Map.Entry<String, String> entry : JobSettingsPage.read(When.UNLESS_SET).entrySet()) {
      tuning.put(entry.getKey(), other(entry.getValue()));
    }
    Set<String> limits = JobSettingsPage.read(When.IF_EXCEEDED).keySet();
    limits.forEach(limit -> tuning.put(limit, "10"));
    Path site = site("tuned", tuning);
    List<Map<String, String>> jobs =
        convert(site, SOURCE, "/tuned", "safetensors", "-Dsaev.convert.plan=shuffle");
    assertThat(jobs).hasSize(1);
    assertThat(differences(jobs, tuning).keySet())
        .containsAll(limits)
        .doesNotContainAnyElementsOf(JobSettingsPage.read(When.UNLESS_SET).keySet());
  }

  /** Returns another valid value. */
  private static String other(String value) {
    return switch (value) {
      case "true" -> "false";
      case "COMPOSITE_CRC" -> "MD5MD5CRC";
      default -> String.valueOf(Integer.parseInt(value) + 1);
    };
  }

  /** Returns the values of the keys in which jobs differ from another one. */
  private static Map<String, Set<String>> differences(
      List<Map<String, String>> jobs, Map<String, String> plain) {
    Map<String, Set<String>> found = new TreeMap<>();
    for (Map<String, String> job : jobs) {
      job.forEach(
          (key, value) -> {
            if (!value.equals(plain.get(key))
                && !key.startsWith("saev.")
                && !COMPUTED.contains(key)) {
              found.computeIfAbsent(key, any -> new TreeSet<>()).add(value);
            }
          });
    }
    return found;
  }

  /** Writes the configuration of the cluster as site files to a folder. */
  private static Path site(String name, Map<String, String> more) throws IOException {
    Configuration conf = new Configuration(cluster.conf());
    conf.set("mapreduce.task.files.preserve.failedtasks", "true"); // job.xml stays
    conf.set("mapreduce.job.ubertask.enable", "true"); // small jobs are quicker
    more.forEach(conf::set);
    Map<String, Configuration> files = new TreeMap<>();
    for (Map.Entry<String, String> property : conf) {
      String key = property.getKey();
      if (ConfSettings.isSetByUser(conf, key)) {
        files
            .computeIfAbsent(siteFile(key), file -> new Configuration(false))
            .set(key, conf.getRaw(key));
      }
    }
    Path site = Files.createDirectory(folder.resolve(name));
    for (Map.Entry<String, Configuration> file : files.entrySet()) {
      try (OutputStream out = Files.newOutputStream(site.resolve(file.getKey()))) {
        file.getValue().writeXml(out);
      }
    }
    return site;
  }

  private static String siteFile(String key) {
    return switch (key.substring(0, key.indexOf('.') + 1)) {
      case "dfs." -> "hdfs-site.xml";
      case "yarn." -> "yarn-site.xml";
      case "mapreduce." -> "mapred-site.xml";
      default -> "core-site.xml";
    };
  }

  private static List<Map<String, String>> convert(
      Path site, String source, String destination, String format, String... options)
      throws IOException, InterruptedException {
    return submitted(Main.class, site, "convert", source, destination, "--to", format, options);
  }

  /** Runs a program with site files, and returns the job files that it submitted, in order. */
  private static List<Map<String, String>> submitted(Class<?> main, Path site, Object... args)
      throws IOException, InterruptedException {
    Set<org.apache.hadoop.fs.Path> before = jobFiles();
    // found before the empty site files of the tests
    List<String> options = Launched.shortWith("-Xbootclasspath/a:" + site);
    Path log = folder.resolve("client.log");
    int exitCode = Launched.start(main, log, options, args).waitFor();
    assertThat(exitCode).as(Launched.said(log)).isZero();
    Set<org.apache.hadoop.fs.Path> jobs = jobFiles();
    jobs.removeAll(before);
    List<Map<String, String>> found = new ArrayList<>();
    for (org.apache.hadoop.fs.Path job : jobs) {
      found.add(properties(job));
    }
    return found;
  }

  private static Set<org.apache.hadoop.fs.Path> jobFiles() throws IOException {
    String root = cluster.conf().get("yarn.app.mapreduce.am.staging-dir");
    org.apache.hadoop.fs.Path pattern = YarnCluster.path(root + "/*/.staging/*/job.xml");
    FileStatus[] files = cluster.fs().globStatus(pattern);
    return Arrays.stream(FileUtil.stat2Paths(files)).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, String> properties(org.apache.hadoop.fs.Path job) throws IOException {
    Map<String, String> found = new TreeMap<>();
    Configuration conf = new Configuration(false);
    try (FSDataInputStream in = cluster.fs().open(job)) {
      conf.addResource(in);
      for (Map.Entry<String, String> property : conf) {
        found.put(property.getKey(), conf.getRaw(property.getKey()));
      }
    }
    return found;
  }

  /** A job of Hadoop alone, without a setting of its own. */
  static final class PlainJob extends Configured implements Tool {
    public static void main(String[] args) throws Exception {
      System.exit(ToolRunner.run(new PlainJob(), args));
    }

    @Override
    public int run(String[] args) throws Exception {
      Job job = Job.getInstance(getConf());
      FileInputFormat.setInputPaths(job, args[0]);
      FileOutputFormat.setOutputPath(job, YarnCluster.path(args[1]));
      job.submit();
      return 0;
    }
  }
}
