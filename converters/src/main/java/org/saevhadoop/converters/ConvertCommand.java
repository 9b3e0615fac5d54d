package org.saevhadoop.converters;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.Generation;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.saev.SaevTarget;
import org.saevhadoop.format.safetensors.SafetensorsTarget;
import org.saevhadoop.mapreduce.SaevConf;
import org.saevhadoop.mapreduce.SaevOutputFormat;
import org.saevhadoop.mapreduce.SafetensorsOutputFormat;
import picocli.CommandLine.Command;
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
      "A SAEV dataset is written to DST/<HASH>, any other to DST itself. The path written is the"
          + " last line of standard output."
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

  @Option(
      names = "--protocol",
      paramLabel = "P",
      description = "SAEV: 1.0.0 or legacy (default: as the source's metadata, else 1.0.0).")
  String protocol;

  @Option(
      names = "--tokens-per-shard",
      paramLabel = "N",
      description =
          "SAEV: budget of tokens times layers a shard (default: as the source's metadata, else"
              + " 2400000).")
  Long tokensPerShard;

  @Option(
      names = "--tail",
      paramLabel = "full|exact",
      description =
          "SAEV: length of the last shard, full (as the original readers demand; the default) or"
              + " exact.")
  SaevTarget.Tail tail;

  @Option(names = "--family", paramLabel = "S", description = "SAEV: the model family.")
  String family;

  @Option(names = "--ckpt", paramLabel = "S", description = "SAEV: the model checkpoint.")
  String ckpt;

  @Option(
      names = "--data",
      paramLabel = "FILE.json",
      description = "SAEV: a JSON object that tells where the examples came from.")
  java.nio.file.Path data;

  @Option(
      names = "--cls",
      description = "SAEV: token 0 is [CLS], where the source has no metadata that says so.")
  boolean cls;

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
    Path published = new Path(destination).getFileSystem(conf).makeQualified(new Path(destination));
    DatasetTarget target;
    if (to == DatasetFormat.saev) {
      SaevMetadata metadata = metadata(dataset);
      SaevOutputFormat.setMetadata(conf, metadata.text());
      if (tail != null) {
        conf.set(SaevConf.OUTPUT_TAIL.key(), tail.name());
      }
      published = new Path(published, metadata.hash());
      target = new SaevOutputFormat().target(conf);
    } else {
      dataset
          .saevMetadata()
          .ifPresent(
              text -> SaevOutputFormat.setMetadata(conf, text.getBytes(StandardCharsets.UTF_8)));
      SafetensorsOutputFormat.setGeometry(conf, dataset.geometry());
      if (columns != null) {
        conf.set(SaevConf.OUTPUT_COLUMNS.key(), columns.name());
      }
      if (batchSize != null) {
        conf.setLong(SaevConf.OUTPUT_BATCH_SIZE.key(), batchSize);
      }
      target = new SafetensorsOutputFormat().target(conf);
    }
    Destination place = Destination.prepare(src, published, overwrite, conf);
    try {
      new ConvertJob(conf, src, format, dataset, to, target).run(place);
    } catch (IOException e) {
      place.discard(conf);
      throw e;
    }
    main.out().println(Paths.show(published, conf));
    main.out().flush();
    return 0;
  }

  private void checkOptions() {
    var line = main.spec.commandLine().getSubcommands().get("convert");
    if (batchSize != null && batchSize < 1) {
      throw new ParameterException(line, "--batch-size is " + batchSize + " (expected at least 1)");
    }
    if (tokensPerShard != null && tokensPerShard < 1) {
      throw new ParameterException(
          line, "--tokens-per-shard is " + tokensPerShard + " (expected at least 1)");
    }
    if (protocol != null) {
      try {
        Generation.ofLabel(protocol);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(line, "--protocol: " + e.getMessage(), e);
      }
    }
    Set<String> others = to == DatasetFormat.saev ? SAFETENSORS_OPTIONS : SAEV_OPTIONS;
    for (OptionSpec option : line.getParseResult().matchedOptions()) {
      if (others.contains(option.longestName())) {
        System.err.printf("warning: %s means nothing to --to %s%n", option.longestName(), to);
      }
    }
  }

  private SaevMetadata metadata(ActivationDataset dataset) throws IOException {
    SaevMetadata metadata =
        dataset.saevMetadata().isPresent()
            ? carried(dataset, dataset.saevMetadata().get())
            : created(dataset);
    if (protocol != null) {
      metadata = metadata.to(Generation.ofLabel(protocol));
    }
    if (tokensPerShard != null) {
      metadata = metadata.withTokensPerShard(tokensPerShard);
    }
    return metadata;
  }

  private SaevMetadata carried(ActivationDataset dataset, String text) throws IOException {
    SaevMetadata metadata =
        SaevMetadata.parse(
                dataset.folder().path() + ": SAEV metadata", text.getBytes(StandardCharsets.UTF_8))
            .withGeometry(dataset.geometry());
    if (family != null) {
      metadata = metadata.withFamily(family);
    }
    if (ckpt != null) {
      metadata = metadata.withCheckpoint(ckpt);
    }
    return data == null ? metadata : metadata.withData(data.toString(), readData());
  }

  private SaevMetadata created(ActivationDataset dataset) throws IOException {
    if (family == null || ckpt == null) {
      throw new FormatException(
          source, "carries no SAEV metadata (expected --family and --ckpt, which name the model)");
    }
    Geometry geometry = dataset.geometry();
    byte[] described = data == null ? "{}".getBytes(StandardCharsets.UTF_8) : readData();
    return SaevMetadata.create(geometry, cls, family, ckpt, described);
  }

  private byte[] readData() throws IOException {
    return Files.readAllBytes(data);
  }
}
