package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.cluster.JobSettingsPage.When;
import org.saevhadoop.converters.cluster.RecordedJobs.Recorded;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/**
 * The job files of commands that find a cluster's site files on their class path, as on an edge
 * node: they differ from the file of a plain job by the keys that docs/cluster.md lists.
 */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
class ClusterSettingsIT {
  private static final String ROOT = "/settings";
  private static final String SOURCE = ROOT + "/" + Fixtures.SMALL;

  /** Keys that Hadoop computes for each job. */
  private static final Set<String> COMPUTED = Set.of("mapreduce.job.dir", "mapreduce.job.maps");

  @TempDir static Path folder;
  private static Hdfs hdfs;

  @BeforeAll
  static void useHdfs(Hdfs shared) throws IOException {
    hdfs = shared;
    hdfs.fs().copyFromLocalFile(YarnCluster.path(Fixtures.small()), YarnCluster.path(SOURCE));
    hdfs.fs()
        .copyFromLocalFile(
            YarnCluster.path(Fixtures.pickle("spec")), YarnCluster.path(ROOT + "/pickle"));
  }

  @Test
  void jobsDifferFromAPlainJobByTheListedKeysOnly() throws Exception {
    Path site = site("site", Map.of());
    inSite(site, ClusterSettingsIT::runPlainJob);
    Map<String, String> plain = RecordedJobs.of("site").remove().settings();
    convert(site, SOURCE, "/acts", "--verify");
    convert(site, SOURCE, "/shuffled", "-Dsaev.convert.plan=shuffle");
    convert(site, ROOT + "/pickle", "/unpacked");
    run(site, "digest", ROOT + "/acts", "--save=" + ROOT + "/acts.sums");
    Queue<Recorded> jobs = RecordedJobs.of("site");
    assertThat(jobs.stream().map(Recorded::step))
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
    convert(site, SOURCE, "/tuned", "-Dsaev.convert.plan=shuffle");
    Queue<Recorded> jobs = RecordedJobs.of("tuned");
    assertThat(jobs).hasSize(1);
    assertThat(differences(jobs, tuning).keySet())
        .containsAll(limits)
        .doesNotContainAnyElementsOf(JobSettingsPage.read(When.UNLESS_SET).keySet());
  }

  /** Runs a job of Hadoop alone, without a setting of its own. */
  private static boolean runPlainJob() throws Exception {
    Job job = Job.getInstance(new Configuration());
    FileInputFormat.setInputPaths(job, SOURCE);
    FileOutputFormat.setOutputPath(job, YarnCluster.path(ROOT + "/plain"));
    return job.waitForCompletion(false);
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
      Collection<Recorded> jobs, Map<String, String> plain) {
    Map<String, Set<String>> found = new TreeMap<>();
    for (Recorded job : jobs) {
      job.settings()
          .forEach(
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
    Configuration conf = hdfs.conf();
    conf.set("mapreduce.client.completion.pollinterval", "50");
    RecordedJobs.use(conf, name);
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

  private static void convert(Path site, String source, String name, String... options)
      throws Exception {
    run(site, "convert", source, ROOT + name, "--to=safetensors", options);
  }

  private static void run(Path site, Object... args) throws Exception {
    inSite(site, () -> Cli.runWithSites(args)).succeeds();
  }

  /** Does something where the site files of a folder are on the class path. */
  private static <T> T inSite(Path site, Callable<T> action) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URL[] folders = {site.toUri().toURL()};
    try (URLClassLoader sites =
        new URLClassLoader(folders, before) {
          @Override
          public URL getResource(String name) {
            URL found = findResource(name); // before the empty site files of the tests
            return found == null ? super.getResource(name) : found;
          }
        }) {
      thread.setContextClassLoader(sites);
      return action.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
