package org.saevhadoop.converters;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.saevhadoop.converters.console.HadoopLog;

/** Creates the configuration of a command with Hadoop's own parser for generic options. */
final class HadoopOptions extends Configured implements Tool {
  private HadoopOptions() {}

  /**
   * Does nothing, because {@link ToolRunner} has already added the options to the configuration of
   * this tool.
   */
  @Override
  public int run(String[] rest) {
    return 0;
  }

  /**
   * Returns a copy of a configuration with generic options added. Hadoop's log is silent after this
   * call.
   *
   * @throws Exception if an option is invalid
   */
  static Configuration add(List<String> generic, Configuration conf) throws Exception {
    HadoopLog.silence();
    HadoopOptions parsed = new HadoopOptions();
    ToolRunner.run(new Configuration(conf), parsed, generic.toArray(String[]::new));
    return parsed.getConf();
  }

  /**
   * Returns the configuration from the site files on the class path, with the generic options
   * added.
   */
  static Configuration addToSiteFiles(List<String> generic) throws Exception {
    HadoopLog.silence();
    return add(generic, new Configuration());
  }
}
