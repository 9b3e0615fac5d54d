package org.saevhadoop.converters;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.bench.BenchCommand;
import org.saevhadoop.converters.bench.BenchKeysCommand;
import org.saevhadoop.converters.cat.CatCommand;
import org.saevhadoop.converters.command.ConvertCommand;
import org.saevhadoop.converters.command.DiffCommand;
import org.saevhadoop.converters.command.DigestCommand;
import org.saevhadoop.converters.command.MergeCommand;
import org.saevhadoop.converters.command.NestedCommands;
import org.saevhadoop.converters.command.ShuffleCommand;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.command.UndecidedException;
import org.saevhadoop.converters.command.VerifyCommand;
import org.saevhadoop.converters.console.CalledProgram;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.Display;
import org.saevhadoop.converters.console.HadoopLog;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.converters.inspect.InspectCommand;
import org.saevhadoop.converters.inspect.ListCommand;
import org.saevhadoop.converters.options.CompletionCommand;
import org.saevhadoop.converters.options.FormatName;
import org.saevhadoop.converters.options.ManualCommand;
import org.saevhadoop.converters.stats.StatsCommand;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.storage.StoppedJvm;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.jobs.source.NestedDatasetsException;
import org.saevhadoop.mapreduce.conf.CommandConfiguration;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The entry point of the command line. The exit code is 0 for success, 1 if the data or the job
 * failed, and 2 if the command line is invalid; commands whose result is an exit code fail with a
 * code other than 1.
 */
@PublicApi
public final class Main {
  private static final String LOG_CONFIGURATION = "log4j.configuration";
  private static final String SILENT_LOG =
      "org/saevhadoop/converters/console/silent-log4j.properties";

  /** The list of commands. A new command is added here. */
  static final List<Commands.Entry> COMMANDS =
      List.of(
          new Commands.Entry("convert", ConvertCommand::new),
          new Commands.Entry("inspect", InspectCommand::new),
          new Commands.Entry("cat", CatCommand::new),
          new Commands.Entry("list", ListCommand::new),
          new Commands.Entry("digest", DigestCommand::new),
          new Commands.Entry("verify", VerifyCommand::new),
          new Commands.Entry("diff", DiffCommand::new),
          new Commands.Entry("stats", StatsCommand::new),
          new Commands.Entry("shuffle", ShuffleCommand::new),
          new Commands.Entry("merge", MergeCommand::new),
          new Commands.Entry("bench", BenchCommand::new),
          new Commands.Entry("bench-keys", BenchKeysCommand::new),
          new Commands.Entry("generate-completion", true, CompletionCommand::new),
          new Commands.Entry("generate-manual", true, ManualCommand::new));

  private final PrintStream out;
  private final PrintStream err;
  private final DatasetFormats formats;
  private final List<Commands.Entry> commands;
  private final RootCommand options = new RootCommand();
  private List<String> words = List.of();
  private CalledProgram called = CalledProgram.UNKNOWN;
  private Map<String, String> environment = System.getenv();
  private boolean json;
  private @Nullable Throwable failure;
  private Supplier<String> source = () -> null;
  private volatile boolean hasEnded;
  private volatile @Nullable Console used;

  /**
   * Creates a command line with all commands, for one run.
   *
   * @hidden
   */
  @Internal
  public Main(PrintStream out, PrintStream err) {
    this(out, err, DatasetFormats.registry(), COMMANDS);
  }

  Main(PrintStream out, PrintStream err, DatasetFormats formats, List<Commands.Entry> commands) {
    this.out = out;
    this.err = err;
    this.formats = formats;
    this.commands = List.copyOf(commands);
  }

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    silenceLibraries();
    Main main = new Main(System.out, System.err);
    Runtime.getRuntime().addShutdownHook(new Thread(main::reportSignal, "signals"));
    int exit = main.run(args);
    main.hasEnded = true;
    System.exit(exit);
  }

  /**
   * Sets the configuration that log4j reads if a library logs before {@link HadoopLog} is used.
   * Without such a configuration, log4j prints a warning, and libraries format messages of all
   * levels.
   */
  private static void silenceLibraries() {
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      System.setProperty(LOG_CONFIGURATION, SILENT_LOG);
    }
  }

  /** Reports that a signal ends the JVM before the command is done; the exit code is 130 or 143. */
  private void reportSignal() {
    if (!hasEnded && used != null) {
      used.interrupted();
    } else if (!hasEnded) {
      err.println(Console.INTERRUPTED);
    }
  }

  /**
   * Runs the command; never throws for invalid input.
   *
   * @param conf the configuration; Hadoop's generic options are added to a copy
   * @param out receives results
   * @param err receives progress, warnings and errors
   */
  public static int run(Configuration conf, PrintStream out, PrintStream err, String... args) {
    return new Main(out, err).run(conf, args);
  }

  /** Runs the command as {@link #main} does, but returns its exit code. */
  public static int runHere(PrintStream out, PrintStream err, String... args) {
    return new Main(out, err).run(args);
  }

  /** Replaces the environment variables. */
  Main with(Map<String, String> variables) {
    environment = variables;
    return this;
  }

  /** Runs the command, as {@link #run(Configuration, PrintStream, PrintStream, String...)} does. */
  int run(Configuration conf, String... args) {
    return run(generic -> CommandConfiguration.of(HadoopOptions.add(generic, conf)), args);
  }

  /** Runs the command with the configuration of the site files on the class path. */
  int run(String... args) {
    return run(Main::configuration, args);
  }

  private static CommandConfiguration configuration(List<String> generic) throws Exception {
    if (!generic.isEmpty()) {
      return CommandConfiguration.of(HadoopOptions.addToSiteFiles(generic));
    }
    // not a lambda, because that would load the class of its result
    return CommandConfiguration.ofSiteFiles(
        new Callable<>() {
          @Override
          public Configuration call() throws Exception {
            return HadoopOptions.addToSiteFiles(List.of());
          }
        });
  }

  /** Returns the configuration of a command. */
  @FunctionalInterface
  private interface Parser {
    CommandConfiguration parse(List<String> generic) throws Exception;
  }

  private int run(Parser parser, String... args) {
    json = List.of(args).contains("--json");
    try {
      words = List.of(args);
      List<String> generic = GenericOptions.of(words).generic();
      called = CalledProgram.of(environment, List.of(args), generic);
      return run(parser.parse(generic));
    } catch (Exception | StackOverflowError | OutOfMemoryError e) {
      return fail(e);
    } catch (Error e) {
      if (e instanceof FSError) { // a catch clause would load the class
        return fail(e);
      }
      throw e;
    }
  }

  /**
   * Returns the reason why the command failed; null if it succeeded, or if the command line is
   * invalid.
   */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Runs the command given by the words that are not passed to Hadoop's parser. */
  private int run(CommandConfiguration configuration) throws IOException {
    try (Console console = new Console(configuration, formats, out, err)) {
      source = console::source;
      used = console;
      console.use(called);
      return execute(commands(console));
    }
  }

  /** Changes the defaults of picocli. */
  private void set(CommandLine line, Console console) {
    Ansi ansi = Display.mayColor(environment) ? Ansi.AUTO : Ansi.OFF;
    line.setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
        .setOut(console.out())
        .setErr(new PrintWriter(err, true))
        .setExpandAtFiles(false) // a path may begin with @
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, words) -> usageError(e))
        .setExecutionExceptionHandler((e, failed, result) -> failOf(e, failed))
        .setExecutionStrategy(
            result -> {
              console.use(options.display(environment));
              HadoopLog log = options.verbose ? HadoopLog.show(err) : null;
              try {
                return new CommandLine.RunLast().execute(result);
              } finally {
                if (log != null) {
                  log.close();
                }
              }
            });
  }

  private int execute(Commands known) {
    try {
      List<String> rest = GenericOptions.of(words).rest();
      List<String> arranged = new CommandWords(known).arrange(rest);
      return known.root().execute(arranged.toArray(String[]::new));
    } catch (ParameterException e) {
      return usageError(e);
    }
  }

  private Commands commands(Console console) {
    return new Commands(
        commands, options, FormatName.factory(formats), console, line -> set(line, console));
  }

  /**
   * Returns the command line with all commands and their options.
   *
   * @hidden
   */
  @Internal
  public CommandLine commandLine(Console console) {
    Commands known = commands(console);
    known.all();
    return known.root();
  }

  /**
   * Returns the exit code of a failure. Some settings can only be checked when the format is known;
   * errors in these settings are command line errors, too.
   */
  private int failOf(Exception e, CommandLine command) throws IOException {
    if (e instanceof SettingException && !options.debug) {
      return usageError(new ParameterException(command, e.getMessage(), e));
    }
    int exit = command.getCommandSpec().exitCodeOnExecutionException();
    return command.getCommand() instanceof SourceCommand source
        ? fail(source.withProposal(e), exit, source.destination())
        : fail(e, exit, null);
  }

  private int usageError(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    String message = Synonyms.withValue(UsageMessages.of(e), words);
    if (json) {
      out.println(JsonOutput.usage(message));
    }
    String help =
        command.qualifiedName().replaceFirst("^\\S+", Matcher.quoteReplacement(called.name()));
    err.println(Quote.show(message) + " (see " + Quote.show(help) + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private int fail(Throwable e) {
    return fail(e, CommandLine.ExitCode.SOFTWARE, null);
  }

  private int fail(Throwable e, int exit, @Nullable String destination) {
    failure = e;
    if (StoppedJvm.isStopping()) {
      return exit; // a signal is the cause, and is reported
    }
    if (json) {
      out.println(JsonOutput.failure(e, source.get(), exit));
    }
    if (options.debug) {
      e.printStackTrace(err);
    } else {
      err.println(ErrorMessages.describe(e, source.get()));
      if (e instanceof NestedDatasetsException nested) {
        NestedCommands.of(nested, called.name(), words, destination).forEach(err::println);
      } else if (e instanceof UndecidedException undecided) {
        err.println(Console.NEXT + Quote.show(undecided.next()));
      }
    }
    return exit;
  }
}
