package org.saevhadoop.mapreduce.conf;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a command, created when it is first needed: a {@code Configuration} takes
 * longer to start than most commands that read local files.
 */
public final class CommandConfiguration {
  /** The files that Hadoop reads from the class path besides its own defaults. */
  private static final List<String> SITE_FILES =
      List.of(
          "core-site.xml", "hadoop-site.xml", "hdfs-site.xml", "mapred-site.xml", "yarn-site.xml");

  private final Callable<Configuration> source;
  private @Nullable Boolean isDefault;
  private @Nullable Configuration conf;

  private CommandConfiguration(Callable<Configuration> source, @Nullable Boolean isDefault) {
    this.source = source;
    this.isDefault = isDefault;
  }

  /** Returns an instance for a configuration that already exists. */
  public static CommandConfiguration of(Configuration conf) {
    return new CommandConfiguration(() -> conf, false);
  }

  /** Returns the configuration of the site files on the class path. */
  public static CommandConfiguration ofSiteFiles() {
    // not a lambda, because that would load the class of its result
    return ofSiteFiles(
        new Callable<>() {
          @Override
          public Configuration call() {
            return new Configuration();
          }
        });
  }

  /**
   * Returns the configuration of the site files on the class path.
   *
   * @param source creates it
   */
  public static CommandConfiguration ofSiteFiles(Callable<Configuration> source) {
    return new CommandConfiguration(source, null);
  }

  /** Returns whether the configuration contains nothing but Hadoop's defaults. */
  public boolean isDefault() {
    if (isDefault == null) { // opening the jars takes most of the time
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      isDefault = SITE_FILES.stream().allMatch(name -> loader.getResource(name) == null);
    }
    return isDefault;
  }

  /** Returns the configuration. */
  public Configuration get() {
    if (conf == null) {
      try {
        conf = source.call();
      } catch (Exception e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
    }
    return conf;
  }
}
