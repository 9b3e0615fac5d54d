package org.saevhadoop.converters;

import java.util.Map;
import org.saevhadoop.converters.console.Display;
import org.saevhadoop.converters.options.CommandHelp;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The program itself, with the options of all commands. Picocli loads the types of all methods of
 * this class, so none of them refers to Hadoop.
 */
@Command(
    name = "saev-hadoop",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Converts, inspects, compares and shuffles activation datasets: SAEV shards, safetensors,"
            + " pickled shards, SameDiff, Parquet, Arrow, and arrays of your own (.npy, .npz, .pt),"
            + " on local disks, HDFS and object stores.",
    versionProvider = BuildVersion.class,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    commandListHeading = "%nCommands (saev-hadoop COMMAND --help describes one):%n",
    footer = {
      "",
      "Options of Hadoop, before or after the command:",
      "  -D KEY=VALUE, -conf FILE, -fs URI, -jt HOST, -libjars JARS, -files FILES,",
      "  -archives FILES",
      "",
      "Exit codes:",
      "  0  done",
      "  1  the data or the job failed",
      "  2  the command line or a setting is wrong",
      "",
      "Environment:",
      "  HADOOP_CONF_DIR        the configuration of a cluster: jobs run on its YARN",
      "  SAEV_HADOOP_OPTS       options for the JVM, such as -Xmx4g",
      "  SAEV_HADOOP_LIBRARIES  the Hadoop to use: bundled, cluster or auto",
      "  SAEV_HADOOP_CDS        off: no archive of classes",
      "  JAVA_HOME              Java 17 or later, by default the one in the PATH",
      "  HADOOP_CLASSPATH       more jars, such as file systems",
      "",
      "Examples:",
      "  saev-hadoop inspect acts.npy",
      "  saev-hadoop convert shards/64988989 out --to safetensors --verify",
      "  saev-hadoop digest hdfs://namenode/data/out",
      "",
      "Documentation: docs/README.md, in the folder above the folder of this program."
    })
final class RootCommand {
  @Option(
      names = {"-h", "--help", CommandHelp.ALL},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help; --help-all shows all options of a command, in full.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show the version.")
  boolean version;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show details of the work, and Hadoop's own log, on standard error.")
  boolean verbose;

  @Option(
      names = "--quiet",
      scope = ScopeType.INHERIT,
      description = "Show results and errors only: neither progress nor warnings.")
  boolean quiet;

  @Option(
      names = "--no-progress",
      scope = ScopeType.INHERIT,
      description = "Show neither a bar nor lines of progress.")
  boolean noProgress;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  boolean debug;

  @Spec CommandSpec spec;

  /**
   * Returns the display settings of the command.
   *
   * @param environment the environment variables
   * @throws ParameterException if mutually exclusive options are given
   */
  Display display(Map<String, String> environment) {
    if (quiet && verbose) {
      throw new ParameterException(
          spec.commandLine(), "--quiet and --verbose exclude each other (expected one of them)");
    }
    return new Display(!quiet, verbose, !quiet && !noProgress, Display.mayColor(environment));
  }
}
