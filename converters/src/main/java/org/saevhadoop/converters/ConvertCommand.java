package org.saevhadoop.converters;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.SafetensorsTarget;
import org.saevhadoop.mapreduce.ActivationOutputFormat;
import org.saevhadoop.mapreduce.SaevConf;
import org.saevhadoop.mapreduce.SafetensorsOutputFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Converts a dataset into another format. */
@Command(
    name = "convert",
    sortOptions = false,
    description = {
      "Converts the dataset at SRC into another format at DST.",
      "A SAEV dataset is written to DST/<HASH>, one of protocol 2.x to DST/saev/shards/<HASH>, where"
          + " its readers look; any other to DST itself. The path written is the last line of"
          + " standard output."
    })
final class ConvertCommand implements Callable<Integer> {
  private static final Set<String> SAFETENSORS_OPTIONS = Set.of("--columns", "--batch-size");
  private static final Set<String> SAEV_OPTIONS =
      Set.of("--protocol", "--tokens-per-shard", "--tail", "--family", "--ckpt", "--data", "--cls");

  @ParentCommand Main main;

  @Parameters(paramLabel = "SRC", description = "The dataset: a directory or a file.")
  String source;

  @Parameters(paramLabel = "DST", description = "Where to write.")
  String destination;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FORMAT",
      description = "The format to write: ${COMPLETION-CANDIDATES}.")
  DatasetFormat to;

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      description = "The format of SRC; by default it is told by the files there.")
  DatasetFormat from;

  @Option(names = "--overwrite", description = "Replace a dataset that lies where to write.")
  boolean overwrite;

  @Option(
      names = "--columns",
      paramLabel = "layers|acts",
      description =
          "safetensors: layers (a tensor layer_<l> [n, token, dim] for each layer; the default) or"
              + " acts (one tensor [n, layer, token, dim]).")
  SafetensorsTarget.Columns columns;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description = "safetensors: examples a file (default: as many as make about 1 GiB).")
  Long batchSize;

  @Mixin SaevOptions saev;

  @Override
  public Integer call() throws Exception {
    checkOptions();
    Configuration conf = new Configuration(main.getConf());
    JobRun.prepareLocal(conf);
    Path src = new Path(source);
    DatasetFormat format = DatasetFormat.of(src, from, conf);
    ActivationDataset dataset = format.open(src, conf);
    FormatException.check(
        dataset.geometry().examples() > 0, Paths.show(src, conf), "holds no example to convert");
    dataset.warnings().forEach(w -> System.err.println("warning: " + w));
    carryLabels(src, format, dataset, conf);
    Path published = configure(dataset, conf);
    DatasetTarget target = to.target(conf);
    Destination place = Destination.prepare(src, published, overwrite, conf);
    try {
      new ConvertJob(conf, src, format, dataset, to, target).run(place);
    } catch (JobRun.Failed e) {
      place.discard(conf);
      throw e;
    }
    main.out().println(Paths.show(published, conf));
    main.out().flush();
    return 0;
  }

  /** Puts what is to be written into the job's configuration; returns the dataset's place. */
  private Path configure(ActivationDataset dataset, Configuration conf) throws IOException {
    Path place = new Path(destination).getFileSystem(conf).makeQualified(new Path(destination));
    if (to == DatasetFormat.saev) {
      return saev.configure(dataset, place, conf);
    }
    if (dataset.saevMetadata().isPresent()) {
      SaevOptions.carry(dataset, conf);
    }
    SafetensorsOutputFormat.setGeometry(conf, dataset.geometry());
    if (columns != null) {
      conf.set(SaevConf.OUTPUT_COLUMNS.key(), columns.name());
    }
    if (batchSize != null) {
      conf.setLong(SaevConf.OUTPUT_BATCH_SIZE.key(), batchSize);
    }
    return place;
  }

  /** Lets the source's labels travel, unless the user named others. */
  private static void carryLabels(
      Path src, DatasetFormat format, ActivationDataset dataset, Configuration conf)
      throws IOException {
    if (dataset.hasLabels() && SaevConf.OUTPUT_LABELS.get(conf).isEmpty()) {
      ActivationOutputFormat.setLabels(
          conf, src.getFileSystem(conf).makeQualified(src), format.inputFormat());
    }
  }

  private void checkOptions() {
    var line = main.spec.commandLine().getSubcommands().get("convert");
    if (batchSize != null && batchSize < 1) {
      throw new ParameterException(line, "--batch-size is " + batchSize + " (expected at least 1)");
    }
    saev.check(line);
    Set<String> others = to == DatasetFormat.saev ? SAFETENSORS_OPTIONS : SAEV_OPTIONS;
    for (OptionSpec option : line.getParseResult().matchedOptions()) {
      if (others.contains(option.longestName())) {
        System.err.printf("warning: %s means nothing to --to %s%n", option.longestName(), to);
      }
    }
  }
}
