package org.saevhadoop.converters.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.saevhadoop.converters.command.NextCommand;
import org.saevhadoop.converters.command.PlanReport;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.Statistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints statistics of activations, and writes them to files for programs and readers. */
@Command(
    name = "stats",
    sortOptions = false,
    description = {
      "Computes means, variances and norms of activations.",
      "The values are read once. Values that are not finite are counted and left out, as are tokens"
          + " that the dataset marks as padding."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop stats shards/64988989",
      "  saev-hadoop stats shards/64988989 --report stats.html",
      "  saev-hadoop stats hdfs://namenode/acts --sample 1%% --json"
    })
public final class StatsCommand extends SourceCommand {
  private static final Pattern OTHER_FORMAT =
      Pattern.compile("(?i).*\\.(pdf|png|jpg|jpeg|svg|json|csv|txt|md)");

  @Parameters(paramLabel = "PATH", description = "The dataset.")
  String path;

  @Option(
      names = "--sample",
      paramLabel = "SHARE",
      description = "Read this share of the examples, chosen at random, such as 1%% or 0.01.")
  String sample;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of the sample and of the random pairs of vectors. By default 0.")
  long seed;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a page of HTML with charts and tables to FILE.")
  String report;

  @Option(
      names = "--to-safetensors",
      paramLabel = "FILE",
      description = "Write means, variances, counts and scales of each layer to FILE.")
  String safetensors;

  @Option(
      names = "--statistics",
      paramLabel = "FOLDER",
      description = "Write layer_<l>/statistics.json to FOLDER for each layer, as activault does.")
  String statistics;

  @Option(names = "--overwrite", description = "Replace these files if they exist.")
  boolean overwrite;

  @Option(names = PlanReport.OPTION, description = PlanReport.HELP)
  boolean dryRun;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  @Option(
      names = "--vectors",
      description =
          "Add to the JSON object the statistics of each dimension and of each position of a token.")
  boolean vectors;

  public StatsCommand(Console console) {
    super(console);
  }

  @Override
  protected boolean readsSeveral() {
    return true;
  }

  @Override
  public Integer call() throws Exception {
    checkKeys();
    double share = share(sample);
    if (vectors && !json) {
      throw usageError("--vectors adds to a JSON object (expected --json)");
    }
    SourceRequest request = request(path);
    StatsFiles files = new StatsFiles(report, safetensors, statistics, overwrite, runner());
    files.check(request);
    if (report != null && OTHER_FORMAT.matcher(report).matches()) {
      throw usageError(
          "--report is \"%s\" (expected a name that ends in .html)".formatted(Quote.show(report)));
    }
    Prepared<DatasetStatistics> statistics =
        new Statistics(path, share, seed, runner().configured())
            .prepare(List.of(request), runner());
    if (dryRun) {
      return PlanReport.print(statistics, json, console);
    }
    DatasetStatistics found = statistics.run();
    files.write(found, command(), spec.root().version()[0]);
    if (json) {
      JsonOutput.print(StatsObject.of(found, vectors), console.out());
    } else {
      StatsText.print(found, console.out());
      files.written().forEach(console.out()::println);
    }
    console.out().flush();
    return 0;
  }

  /** Returns the command line that writes the same report. */
  private String command() {
    List<String> options = new ArrayList<>();
    if (report != null) {
      options.addAll(List.of("--report", report));
    }
    if (sample != null) {
      options.addAll(List.of("--sample", sample));
    }
    if (seed != 0) {
      options.addAll(List.of("--seed", Long.toString(seed)));
    }
    return NextCommand.of(this, "stats", path).with(options).withTyped().line();
  }
}
