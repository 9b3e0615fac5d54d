package org.saevhadoop.converters.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.cluster.ClusterExtension;
import org.saevhadoop.converters.cluster.Hdfs;
import org.saevhadoop.converters.cluster.StoppedNameNode;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.mapreduce.io.HadoopPath;

/**
 * A conversion to HDFS is stopped before each of its requests that change a name or a length;
 * whatever it leaves, {@code --resume}, a plain run and {@code --overwrite} end with a whole
 * dataset. it/moments runs all moments, {@code mvn verify} two of them.
 */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@Order(4)
class MomentsHdfsIT {
  private static final Path PLACE = new Path("/place");

  private static Hdfs hdfs;
  private static int runs;

  @BeforeAll
  static void useHdfs(Hdfs shared) {
    hdfs = shared;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void fromEachMomentAWholeDatasetIsReached(boolean replaces) throws Exception {
    restore(replaces);
    convert(-1, "safetensors", replaces ? "--overwrite" : "").succeeds();
    int requests = StoppedNameNode.made("run" + runs);
    String digest = digest();
    List<String> failures = new ArrayList<>();
    int step = TestExtent.of(requests, 1);
    int first = TestExtent.of(requests / 2, replaces ? 1 : 2);
    int moments = 0;
    for (int passing = first; passing < requests; passing += step) {
      for (String how : hows(replaces)) {
        restore(replaces);
        String old = replaces ? digest() : digest;
        convert(passing, "safetensors", replaces ? "--overwrite" : "");
        Cli later = continued(how);
        boolean isWhole = fs().exists(out()) && List.of(old, digest).contains(digest());
        boolean refused = isWhole && later.stderr().contains(" exists");
        if (!(later.exitCode() == 0 && digest().equals(digest)
            || refused && !how.equals("--overwrite"))) {
          failures.add("after %d requests, %s: %s".formatted(passing, how, later.stderr()));
        } else if (later.exitCode() == 0 && fs().listStatus(PLACE).length != 1) {
          failures.add("after %d requests, %s: leftovers".formatted(passing, how));
        }
      }
      moments++;
    }
    System.out.printf(
        "HDFS%s: %d moments, %d failures%n",
        replaces ? ", --overwrite" : "", moments, failures.size());
    failures.forEach(System.out::println);
    assertThat(failures).isEmpty();
  }

  /** Returns the ways to go on; in a sample, each with or without an old dataset. */
  private static List<String> hows(boolean replaces) {
    if (TestExtent.isWhole()) {
      return List.of("--resume", "", "--overwrite");
    }
    return replaces ? List.of("--resume", "--overwrite") : List.of("");
  }

  /** Leaves nothing at the path, or an old dataset. */
  private static void restore(boolean old) throws IOException {
    fs().delete(PLACE, true);
    fs().mkdirs(PLACE);
    if (old) {
      convert(-1, "pickle", "").succeeds();
    }
  }

  /** Runs a command as if the stopped client had last renewed its lock long ago. */
  private static Cli continued(String how) throws IOException {
    Path lock = new Path(HadoopPath.hadoop(RunPaths.of(HadoopPath.of(out(), hdfs.conf()))), "lock");
    if (fs().exists(lock)) {
      fs().setTimes(lock, 0, -1);
    }
    return convert(-1, "safetensors", how);
  }

  private static Cli convert(int passing, String to, String option) throws IOException {
    Configuration conf = hdfs.conf();
    conf.set("dfs.nameservices", "moments");
    conf.set("dfs.ha.namenodes.moments", "nn");
    conf.set("dfs.namenode.rpc-address.moments.nn", hdfs.fs().getUri().getAuthority());
    conf.set("dfs.client.failover.proxy.provider.moments", StoppedNameNode.class.getName());
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    conf.setInt(StoppedNameNode.PASSING, passing);
    conf.set(StoppedNameNode.RUN, "run" + ++runs);
    String source = "file:" + Fixtures.small();
    List<String> options = option.isEmpty() ? List.of() : List.of(option);
    return Cli.run(conf, "convert", source, "hdfs://moments/place/out", "--to", to, options);
  }

  private static String digest() throws IOException {
    StringBuilder files = new StringBuilder();
    for (FileStatus file : fs().listStatus(out())) {
      files.append(file.getPath().getName()).append(' ');
      files.append(fs().getFileChecksum(file.getPath())).append('\n');
    }
    return files.toString();
  }

  private static Path out() {
    return new Path(PLACE, "out");
  }

  private static FileSystem fs() throws IOException {
    return hdfs.fs();
  }
}
