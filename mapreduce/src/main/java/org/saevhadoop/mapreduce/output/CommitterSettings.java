package org.saevhadoop.mapreduce.output;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;

/** Settings of storage committers for jobs of this project. */
public final class CommitterSettings {
  private static final String S3A = "fs.s3a.committer.";

  private CommitterSettings() {}

  /**
   * Returns a copy of a configuration with these settings:
   *
   * <ul>
   *   <li>algorithm 1 of Hadoop's file committer, because algorithm 2, the default of {@code
   *       mapreduce.fileoutputcommitter.algorithm.version} in Hadoop 3.4, publishes files of jobs
   *       that fail later; and no _SUCCESS unless the user requests it
   *   <li>S3A's magic committer, which completes uploads when the job commits, unless the user
   *       chooses another one; by default, S3A copies each file when the job commits
   *   <li>for S3A's staging committers: files keep their names, and the folder may contain the
   *       marker of the run
   * </ul>
   */
  public static Configuration of(Configuration conf) {
    Configuration own = new Configuration(conf);
    own.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    own.setBooleanIfUnset(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    if (!isSet(own, S3A + "name")) {
      own.set(S3A + "name", "magic");
    }
    own.setBoolean(S3A + "staging.unique-filenames", false);
    own.set(S3A + "staging.conflict-mode", "append");
    return own;
  }

  /**
   * Returns whether a key has a value other than Hadoop's default. The first source of a value is
   * the one that set it; a task also sees the configuration file of its job.
   */
  private static boolean isSet(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null && sources.length > 0 && !sources[0].endsWith("-default.xml");
  }
}
