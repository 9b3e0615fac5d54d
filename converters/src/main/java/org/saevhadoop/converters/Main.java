package org.saevhadoop.converters;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.bench.BenchCommand;
import org.saevhadoop.converters.bench.BenchKeysCommand;
import org.saevhadoop.converters.cat.CatCommand;
import org.saevhadoop.converters.command.ConvertCommand;
import org.saevhadoop.converters.command.DigestCommand;
import org.saevhadoop.converters.command.NestedCommands;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.Display;
import org.saevhadoop.converters.console.HadoopLog;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.converters.inspect.InspectCommand;
import org.saevhadoop.converters.inspect.ListCommand;
import org.saevhadoop.converters.options.CommandHelp;
import org.saevhadoop.converters.options.CompletionCommand;
import org.saevhadoop.converters.options.FormatName;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.jobs.source.NestedDatasetsException;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.SettingException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The entry point of the command line. The exit code is 0 for success, 1 if the data or the job
 * failed, and 2 if the command line is invalid.
 */
@Command(
    name = "saev-hadoop",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Converts, inspects and compares activation datasets: SAEV shards, safetensors, pickled"
            + " shards and SameDiff containers, on local disks, HDFS and object stores.",
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
      "  JAVA_HOME              Java 17 or later, by default that of the PATH",
      "  HADOOP_CLASSPATH       more jars, such as those of file systems",
      "",
      "Examples:",
      "  saev-hadoop inspect shards/64988989",
      "  saev-hadoop convert shards/64988989 out --to safetensors --verify",
      "  saev-hadoop digest hdfs://namenode/data/out",
      "",
      "Documentation: docs/README.md, in the folder above that of this program."
    })
public final class Main extends Configured implements Tool {
  /** The list of commands. A new command is added here. */
  static final List<Function<Console, Object>> COMMANDS =
      List.of(
          ConvertCommand::new,
          InspectCommand::new,
          CatCommand::new,
          ListCommand::new,
          DigestCommand::new,
          BenchCommand::new,
          BenchKeysCommand::new,
          CompletionCommand::new);

  /** Current names of options by their former ones. */
  private static final Map<String, String> RENAMED =
      Map.of("--attributes", "--sample-metadata", "--no-attributes", "--no-sample-metadata");

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

  private final PrintStream out;
  private final PrintStream err;
  private final DatasetFormats formats;
  private final List<Function<Console, Object>> commands;
  private List<String> words = List.of();
  private Map<String, String> environment = System.getenv();
  private boolean json;
  private @Nullable Throwable failure;
  private Supplier<String> source = () -> null;

  public Main(PrintStream out, PrintStream err) {
    this(out, err, DatasetFormats.registry(), COMMANDS);
  }

  Main(
      PrintStream out,
      PrintStream err,
      DatasetFormats formats,
      List<Function<Console, Object>> commands) {
    this.out = out;
    this.err = err;
    this.formats = formats;
    this.commands = List.copyOf(commands);
  }

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    HadoopLog.silence();
    System.exit(run(new Configuration(), System.out, System.err, args));
  }

  /**
   * Runs the command; never throws for what is wrong with its input.
   *
   * @param conf the configuration, to a copy of which Hadoop's generic options are added
   * @param out takes results
   * @param err takes progress, warnings and errors
   */
  public static int run(Configuration conf, PrintStream out, PrintStream err, String... args) {
    return new Main(out, err).run(conf, args);
  }

  /** Replaces the variables of the environment. */
  Main with(Map<String, String> variables) {
    environment = variables;
    return this;
  }

  /** Runs the command, as {@link #run(Configuration, PrintStream, PrintStream, String...)} does. */
  int run(Configuration conf, String... args) {
    json = JsonOutput.isAsked(args);
    try {
      words = List.of(currentNames(args));
      String[] generic = GenericOptions.of(words).generic().toArray(String[]::new);
      return ToolRunner.run(new Configuration(conf), this, generic);
    } catch (Exception | StackOverflowError | OutOfMemoryError | FSError e) {
      return fail(e);
    }
  }

  /** Returns why the command failed; null if it succeeded, or if the command line is invalid. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Runs the command of the words that Hadoop's parser does not get. */
  @Override
  public int run(String[] none) throws IOException {
    try (Console console = new Console(new Configuration(getConf()), formats, out, err)) {
      source = console::source;
      CommandLine commands =
          commandLine(console)
              .setExpandAtFiles(false) // a path may begin with @
              .setCaseInsensitiveEnumValuesAllowed(true)
              .setParameterExceptionHandler((e, words) -> usageError(e))
              .setExecutionExceptionHandler((e, failed, result) -> failOf(e, failed));
      commands.setExecutionStrategy(
          result -> {
            console.use(display());
            HadoopLog log = HadoopLog.open(verbose, err);
            try {
              return new CommandLine.RunLast().execute(result);
            } finally {
              log.close();
            }
          });
      return execute(commands);
    }
  }

  private int execute(CommandLine commands) {
    try {
      List<String> rest = GenericOptions.of(words).rest();
      return commands.execute(new CommandWords(commands).arrange(rest).toArray(String[]::new));
    } catch (ParameterException e) {
      return usageError(e);
    }
  }

  private Display display() {
    if (quiet && verbose) {
      throw new ParameterException(
          spec.commandLine(), "--quiet and --verbose exclude each other (expected one of them)");
    }
    return new Display(!quiet, verbose, !quiet && !noProgress, Display.mayColor(environment));
  }

  /** Adds the options of keys to a command. */
  public CommandLine commandLine(Console console) {
    CommandLine line = new CommandLine(this, FormatName.factory(formats));
    commands.forEach(command -> line.addSubcommand(command.apply(console)));
    line.getSubcommands().values().forEach(Main::addKeys);
    Ansi ansi = Display.mayColor(environment) ? Ansi.AUTO : Ansi.OFF;
    line.setColorScheme(CommandLine.Help.defaultColorScheme(ansi));
    CommandHelp.set(line, List.of());
    return line.setOut(console.out()).setErr(new PrintWriter(err, true));
  }

  private static void addKeys(CommandLine command) {
    List<KeyOptions.Group> groups = List.of();
    if (command.getCommand() instanceof SourceCommand keys) {
      groups = keys.keyGroups();
      KeyOptions options = new KeyOptions(command.getCommandSpec(), groups);
      options.add();
      keys.use(options);
    }
    CommandHelp.set(command, groups);
  }

  /**
   * Some settings can only be checked when the format is known; they are command line errors too.
   */
  private int failOf(Exception e, CommandLine command) {
    return e instanceof SettingException && !debug
        ? usageError(new ParameterException(command, e.getMessage(), e))
        : fail(e);
  }

  private int usageError(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    String message = UsageMessages.of(e);
    if (json) {
      out.println(JsonOutput.usage(message));
    }
    err.println(Quote.show(message) + " (see " + command.qualifiedName() + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private int fail(Throwable e) {
    failure = e;
    if (json) {
      out.println(JsonOutput.failure(e, source.get()));
    }
    if (debug) {
      e.printStackTrace(err);
    } else {
      err.println(ErrorMessages.describe(e, source.get()));
      if (e instanceof NestedDatasetsException nested) {
        NestedCommands.of(nested, words).forEach(err::println);
      }
    }
    return 1;
  }

  /** Replaces former names of options, with a warning. */
  private String[] currentNames(String[] args) {
    String[] current = args.clone();
    for (int i = 0; i < args.length && !args[i].equals("--"); i++) {
      current[i] = RENAMED.getOrDefault(args[i], args[i]);
      if (!current[i].equals(args[i]) && !List.of(args).contains("--quiet")) {
        err.println("warning: " + args[i] + " is deprecated; use " + current[i]);
      }
    }
    return current;
  }
}
