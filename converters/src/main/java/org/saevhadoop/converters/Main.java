package org.saevhadoop.converters;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.saevhadoop.converters.bench.BenchCommand;
import org.saevhadoop.converters.bench.BenchKeysCommand;
import org.saevhadoop.converters.cat.CatCommand;
import org.saevhadoop.converters.console.ErrorMessages;
import org.saevhadoop.converters.console.HadoopLog;
import org.saevhadoop.converters.convert.ConvertCommand;
import org.saevhadoop.converters.digest.DigestCommand;
import org.saevhadoop.converters.inspect.InspectCommand;
import org.saevhadoop.converters.inspect.ListCommand;
import org.saevhadoop.converters.options.KeyCommand;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.mapreduce.conf.SettingException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command line. Exit codes: 0 done, 1 the data or the job failed, 2 the command line is wrong.
 */
@Command(
    name = "saev-hadoop",
    description = "Converts, inspects and compares activation datasets on cluster storage.",
    version = "saev-hadoop 0.1.0",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    usageHelpAutoWidth = true,
    subcommands = {
      ConvertCommand.class,
      InspectCommand.class,
      CatCommand.class,
      ListCommand.class,
      DigestCommand.class,
      BenchCommand.class,
      BenchKeysCommand.class
    },
    footer = {
      "",
      "Hadoop's generic options (-D key=value, -conf FILE, -fs URI, -jt HOST, -libjars JARS, -files"
          + " FILES, -archives FILES) are accepted before and after the command.",
      "Exit codes: 0 done, 1 the data or the job failed, 2 the command line is wrong."
    })
public final class Main extends Configured implements Tool, Runnable {
  private static final Set<String> GENERIC_OPTIONS =
      Set.of("-D", "-conf", "-fs", "-jt", "-libjars", "-files", "-archives");

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show Hadoop's own log on standard error.")
  boolean verbose;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  boolean debug;

  @Spec CommandSpec spec;

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    HadoopLog.configure(false);
    System.exit(run(new Configuration(), args));
  }

  /** Runs the command; never throws for what is wrong with its input. */
  public static int run(Configuration conf, String... args) {
    Main main = new Main();
    try {
      return ToolRunner.run(conf, main, genericOptionsFirst(args));
    } catch (Exception | StackOverflowError | OutOfMemoryError e) {
      return main.fail(e);
    }
  }

  @Override
  public int run(String[] args) {
    CommandLine line = new CommandLine(this);
    line.getSubcommands().values().forEach(Main::addKeys);
    CommandLine commands =
        line.setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((e, words) -> wrongUse(e))
            .setExecutionExceptionHandler((e, failed, result) -> failOf(e, failed));
    commands.setExecutionStrategy(
        result -> {
          HadoopLog.configure(verbose);
          return new CommandLine.RunLast().execute(result);
        });
    return commands.execute(args);
  }

  /** Gives a command the options of its keys. */
  private static void addKeys(CommandLine command) {
    if (command.getCommand() instanceof KeyCommand keys) {
      KeyOptions options = new KeyOptions(command.getCommandSpec(), keys.keyGroups());
      options.add();
      // some fifty options: required ones stand in a synopsis of the command's own
      command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
      keys.use(options);
    }
  }

  /** What was typed may turn out to be wrong only when the formats at hand are known. */
  private int failOf(Exception e, CommandLine command) {
    return e instanceof SettingException && !debug
        ? wrongUse(new ParameterException(command, e.getMessage(), e))
        : fail(e);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Where results go. */
  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private static int wrongUse(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    System.err.println(
        Quote.show(e.getMessage()) + " (see " + command.qualifiedName() + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private int fail(Throwable e) {
    if (debug) {
      e.printStackTrace(System.err);
    } else {
      System.err.println(ErrorMessages.describe(e));
    }
    return 1;
  }

  /** Hadoop's parser of its generic options stops at the first word that is none. */
  static String[] genericOptionsFirst(String[] args) {
    List<String> generic = new ArrayList<>();
    List<String> rest = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      if (GENERIC_OPTIONS.contains(args[i]) && i + 1 < args.length) {
        generic.add(args[i]);
        generic.add(args[++i]);
      } else if (args[i].startsWith("-D") && args[i].indexOf('=') > 0) {
        generic.add("-D");
        generic.add(args[i].substring(2));
      } else {
        rest.add(args[i]);
      }
    }
    generic.addAll(rest);
    return generic.toArray(String[]::new);
  }
}
