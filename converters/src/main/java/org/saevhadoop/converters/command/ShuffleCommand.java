package org.saevhadoop.converters.command;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.options.FormatName;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.shuffle.ShuffleOrder.Unit;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.shuffle.Shuffle;
import org.saevhadoop.mapreduce.DatasetFormats;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the vectors or the examples of a dataset in a random order. */
@Command(
    name = "shuffle",
    customSynopsis = "saev-hadoop shuffle [OPTIONS] SRC DST",
    sortOptions = false,
    description = {
      "Writes the vectors of a dataset, or its examples, in a random order.",
      "Each vector becomes an example of one token. Of several layers, each is written to"
          + " DST/layer_<L>. The last lines of standard output are the paths that were written."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop shuffle shards/64988989 shuffled --layers 13 --tokens image",
      "  saev-hadoop shuffle hdfs://nn/acts rows --to safetensors --seed 7",
      "  saev-hadoop shuffle shards/64988989 examples --unit example"
    })
public final class ShuffleCommand extends SourceCommand {
  @Parameters(paramLabel = "SRC", description = "The dataset: a directory or a file.")
  String source;

  @Parameters(paramLabel = "DST", description = "Where to write.")
  String destination;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      defaultValue = "saev",
      converter = FormatName.Writable.class,
      completionCandidates = FormatName.Writable.class,
      description = "The format to write: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  DatasetFormats.Entry to;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "The seed of the order (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      defaultValue = "vector",
      description =
          "What is shuffled: vector or example, with all its layers and tokens (default:"
              + " ${DEFAULT-VALUE}).")
  Unit unit;

  @Option(names = PlanReport.OPTION, description = PlanReport.HELP)
  boolean dryRun;

  public ShuffleCommand(Console console) {
    super(console);
  }

  @Override
  public List<KeyOptions.Group> keyGroups() {
    return ConvertCommand.keyGroups(this);
  }

  @Override
  public Integer call() throws Exception {
    checkKeys();
    Configuration conf = runner().conf();
    Conversion written =
        new Conversion(source, null, destination, to.name(), false, settings(), conf);
    Shuffle shuffle = new Shuffle(written, unit, seed);
    if (dryRun) {
      shuffle.plan(runner()).forEach(plan -> PlanReport.print(plan, false, console));
      return 0;
    }
    for (Conversion.Result result : shuffle.run(runner())) {
      console.out().println(result.path());
    }
    console.out().flush();
    return 0;
  }
}
