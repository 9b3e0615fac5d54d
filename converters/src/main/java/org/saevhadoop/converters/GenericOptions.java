package org.saevhadoop.converters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.saevhadoop.converters.console.HadoopLog;
import org.saevhadoop.mapreduce.conf.CommandConfiguration;

/**
 * The words of a command line, divided: Hadoop's parser gets its generic options only, because it
 * stops at the first other word and drops {@code --}.
 *
 * @param generic the generic options with their values
 * @param rest all other words, in their order
 */
record GenericOptions(List<String> generic, List<String> rest) {
  /** The generic options, with the placeholders for their values. */
  static final Map<String, String> LABELS =
      Map.of(
          "-D", "KEY=VALUE",
          "-conf", "FILE",
          "-fs", "URI",
          "-jt", "HOST",
          "-libjars", "JARS",
          "-files", "FILES",
          "-archives", "FILES");

  /** Divides words. A generic option without a valid value remains among the other words. */
  static GenericOptions of(List<String> words) {
    List<String> generic = new ArrayList<>();
    List<String> rest = new ArrayList<>();
    int end = words.indexOf("--");
    int options = end < 0 ? words.size() : end;
    for (int i = 0; i < options; i++) {
      String word = words.get(i);
      if (LABELS.containsKey(word) && i + 1 < options && isValue(word, words.get(i + 1))) {
        generic.add(word);
        generic.add(words.get(++i));
      } else if (word.startsWith("-D") && word.indexOf('=') > 2) {
        generic.add("-D");
        generic.add(word.substring(2));
      } else {
        rest.add(word);
      }
    }
    rest.addAll(words.subList(options, words.size()));
    return new GenericOptions(generic, rest);
  }

  private static boolean isValue(String option, String word) {
    return option.equals("-D") ? word.indexOf('=') > 0 : !word.startsWith("--");
  }

  /** Hands over its configuration, to which {@link ToolRunner} adds the options. */
  private static final class Receiver extends Configured implements Tool {
    @Override
    public int run(String[] rest) {
      return 0;
    }
  }

  /**
   * Returns a copy of a configuration with generic options. Hadoop's log is silent from then on.
   *
   * @throws Exception if an option is invalid
   */
  static CommandConfiguration configuration(Configuration conf, List<String> generic)
      throws Exception {
    HadoopLog.silence();
    Receiver receiver = new Receiver();
    ToolRunner.run(new Configuration(conf), receiver, generic.toArray(String[]::new));
    return CommandConfiguration.of(receiver.getConf());
  }

  /**
   * Returns the configuration of the site files on the class path, with generic options. Without
   * any of these, no class of Hadoop is loaded before the configuration is needed.
   *
   * @throws Exception if an option is invalid
   */
  static CommandConfiguration configuration(List<String> generic) throws Exception {
    return generic.isEmpty()
        ? CommandConfiguration.ofSiteFiles(GenericOptions::ofSiteFiles)
        : ofSiteFiles(generic);
  }

  private static CommandConfiguration ofSiteFiles(List<String> generic) throws Exception {
    HadoopLog.silence();
    return configuration(new Configuration(), generic);
  }

  private static Configuration ofSiteFiles() {
    try {
      return ofSiteFiles(List.of()).get();
    } catch (Exception e) {
      throw new IllegalStateException(e); // there are no options
    }
  }
}
