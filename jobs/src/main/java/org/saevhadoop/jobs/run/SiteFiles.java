package org.saevhadoop.jobs.run;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.util.ConfigUtil;

/**
 * The site files of a cluster. Hadoop itself loads core-site.xml only; the others follow with the
 * first class of MapReduce, YARN or HDFS, which is too late for a command that asks whether jobs
 * run on YARN, or whether a key is set.
 */
final class SiteFiles {
  private SiteFiles() {}

  /** Loads the site files that exist. Without any, a local command is spared Hadoop's defaults. */
  static void load(Configuration conf) {
    if (exists("mapred-site.xml", conf) || exists("yarn-site.xml", conf)) {
      ConfigUtil.loadResources();
    }
    if (exists("hdfs-site.xml", conf)) {
      Configuration.addDefaultResource("hdfs-default.xml");
      Configuration.addDefaultResource("hdfs-site.xml");
    }
  }

  private static boolean exists(String name, Configuration conf) {
    return conf.getResource(name) != null;
  }
}
