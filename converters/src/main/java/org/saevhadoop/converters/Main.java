package org.saevhadoop.converters;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import org.saevhadoop.converters.console.HadoopLog;
import org.saevhadoop.converters.inspect.InspectCommand;
import org.saevhadoop.converters.inspect.ListCommand;
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
    description = "Converts, inspects and compares activation datasets on cluster storage.",
    versionProvider = BuildVersion.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    usageHelpAutoWidth = true,
    footer = {
      "",
      "Hadoop's generic options (-D key=value, -conf FILE, -fs URI, -jt HOST, -libjars JARS, -files"
          + " FILES, -archives FILES) are accepted before and after the command.",
      "Exit codes: 0 done, 1 the data or the job failed, 2 the command line is wrong."
    })
public final class Main extends Configured implements Tool, Runnable {
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

  private static final Set<String> GENERIC_OPTIONS =
      Set.of("-D", "-conf", "-fs", "-jt", "-libjars", "-files", "-archives");

  /** Current names of options by their former ones. */
  private static final Map<String, String> RENAMED =
      Map.of("--attributes", "--sample-metadata", "--no-attributes", "--no-sample-metadata");

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

  private final PrintStream out;
  private final PrintStream err;
  private final DatasetFormats formats;
  private final List<Function<Console, Object>> commands;
  private @Nullable Throwable failure;
  private Supplier<String> source = () -> null;
  private List<String> words = List.of();

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

  /** Runs the command, as {@link #run(Configuration, PrintStream, PrintStream, String...)} does. */
  int run(Configuration conf, String... args) {
    try {
      return ToolRunner.run(new Configuration(conf), this, genericOptionsFirst(currentNames(args)));
    } catch (Exception | StackOverflowError | OutOfMemoryError | FSError e) {
      return fail(e);
    }
  }

  /** Returns why the command failed; null if it succeeded, or if the command line is invalid. */
  @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public int run(String[] args) throws IOException {
    words = List.of(args);
    try (Console console = new Console(new Configuration(getConf()), formats, out, err)) {
      source = console::source;
      CommandLine commands =
          commandLine(console)
              .setCaseInsensitiveEnumValuesAllowed(true)
              .setParameterExceptionHandler((e, words) -> usageError(e))
              .setExecutionExceptionHandler((e, failed, result) -> failOf(e, failed));
      commands.setExecutionStrategy(
          result -> {
            HadoopLog log = HadoopLog.open(verbose, err);
            try {
              return new CommandLine.RunLast().execute(result);
            } finally {
              log.close();
            }
          });
      return commands.execute(args);
    }
  }

  /** Adds the options of keys to a command. */
  public CommandLine commandLine(Console console) {
    CommandLine line = new CommandLine(this, FormatName.factory(formats));
    commands.forEach(command -> line.addSubcommand(command.apply(console)));
    line.getSubcommands().values().forEach(Main::addKeys);
    return line.setOut(console.out()).setErr(new PrintWriter(err, true));
  }

  private static void addKeys(CommandLine command) {
    if (command.getCommand() instanceof SourceCommand keys) {
      KeyOptions options = new KeyOptions(command.getCommandSpec(), keys.keyGroups());
      options.add();
      // about fifty options: commands with required options define their own synopsis
      command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
      keys.use(options);
    }
  }

  /**
   * Some settings can only be checked when the format is known; they are command line errors too.
   */
  private int failOf(Exception e, CommandLine command) {
    return e instanceof SettingException && !debug
        ? usageError(new ParameterException(command, e.getMessage(), e))
        : fail(e);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private int usageError(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    err.println(Quote.show(e.getMessage()) + " (see " + command.qualifiedName() + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private int fail(Throwable e) {
    failure = e;
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
      if (!current[i].equals(args[i])) {
        err.println("warning: " + args[i] + " is deprecated; use " + current[i]);
      }
    }
    return current;
  }

  /**
   * Moves generic options to the front, because Hadoop's parser stops at the first other argument.
   * Arguments after {@code --} are not options.
   */
  static String[] genericOptionsFirst(String[] args) {
    List<String> generic = new ArrayList<>();
    List<String> rest = new ArrayList<>();
    int end = Arrays.asList(args).indexOf("--");
    int options = end < 0 ? args.length : end;
    for (int i = 0; i < options; i++) {
      if (GENERIC_OPTIONS.contains(args[i]) && i + 1 < options) {
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
    generic.addAll(Arrays.asList(args).subList(options, args.length));
    return generic.toArray(String[]::new);
  }
}
