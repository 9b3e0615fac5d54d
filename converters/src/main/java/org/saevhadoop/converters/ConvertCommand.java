package org.saevhadoop.converters;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.SaevTarget;
import org.saevhadoop.format.safetensors.SafetensorsTarget;
import org.saevhadoop.mapreduce.ActivationOutputFormat;
import org.saevhadoop.mapreduce.InputNumbers;
import org.saevhadoop.mapreduce.SaevConf;
import picocli.CommandLine;
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
  /** The options that mean something to one format only. */
  private static final Map<DatasetFormat, Set<String>> OPTIONS =
      Map.of(
          DatasetFormat.saev,
          Set.of("--protocol", "--tokens-per-shard", "--family", "--ckpt", "--data", "--cls"),
          DatasetFormat.safetensors,
          Set.of(
              "--columns",
              "--batch-size",
              "--kv",
              "--kv-separator",
              "--target-shard-mb",
              "--align",
              "--index"),
          DatasetFormat.pickle,
          Set.of(
              "--dialect",
              "--pickle-protocol",
              "--shard-mb",
              "--compression-level",
              "--single-member",
              "--uncompressed"));

  /** Their names and lengths are held while a job is planned and committed. */
  private static final long MOST_FILES = 1_000_000;

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
      names = "--tail",
      paramLabel = "HOW",
      description =
          "What becomes of a last file that is not full. SAEV: full (as long as the others, as the"
              + " original readers demand; the default) or exact. safetensors: write (a shorter file;"
              + " the default), drop (leave these examples out) or pad (fill up with examples of"
              + " zeros). pickle: a shorter file, always.")
  String tail;

  @Option(
      names = "--duplicates",
      paramLabel = "fail|last-win",
      description =
          "safetensors with keys: an id that comes twice in SRC fails (the default), or the last one"
              + " counts.")
  SafetensorsWriteOptions.Duplicates duplicates = SafetensorsWriteOptions.Duplicates.FAIL;

  @Option(
      names = "--no-attributes",
      description =
          "Leave out what SRC knows of its examples beside their numbers: texts, ids, metadata.")
  boolean noAttributes;

  @Mixin NumberOptions numbers;
  @Mixin SourceOptions sourceOptions;
  @Mixin SafetensorsWriteOptions safetensors;
  @Mixin SaevOptions saev;
  @Mixin PickleWriteOptions pickle;

  @Override
  public Integer call() throws Exception {
    checkOptions();
    Configuration conf = new Configuration(main.getConf());
    JobRun.prepareLocal(conf);
    sourceOptions.apply(line(), conf);
    numbers.apply(line(), to, conf);
    Path src = new Path(source);
    DatasetFormat format = DatasetFormat.of(src, from, conf);
    if (format == DatasetFormat.safetensors) {
      SourceKeys.settle(
          src, duplicates, to == DatasetFormat.safetensors && safetensors.keyed(conf), conf);
    }
    Path place = new Path(destination).getFileSystem(conf).makeQualified(new Path(destination));
    if (format == DatasetFormat.pickle) {
      checkBeforeUnpacking(src, place, conf);
    }
    try (Source opened = Source.open(src, format, Destination.unpacked(src, place, conf), conf)) {
      return convert(src, opened, conf);
    }
  }

  /** What is known to fail should do so before the work, not after it. */
  private void checkBeforeUnpacking(Path src, Path place, Configuration conf) throws IOException {
    if (to == DatasetFormat.saev) {
      saev.describe(PickleConfig.of(src, conf), Paths.show(src, conf));
      Destination.checkApart(src, new Path(place, "hash"), conf);
    } else {
      Destination.checkApart(src, place, conf);
      Destination.checkFree(place, overwrite, conf);
    }
  }

  private int convert(Path src, Source source, Configuration conf) throws Exception {
    TableDataset dataset = source.dataset();
    FormatException.check(
        dataset.table().examples() > 0, Paths.show(src, conf), "holds no example to convert");
    dataset.warnings().forEach(w -> System.err.println("warning: " + OneLine.of(w)));
    carryLabels(source, conf);
    carryAttributes(source, conf);
    Path published = configure(src, source, conf);
    InputNumbers.of(conf).check(dataset);
    DatasetTarget target = to.target(conf);
    tellTail(dataset, target);
    checkFiles(published, target);
    Destination place = Destination.prepare(src, published, overwrite, conf);
    try {
      new ConvertJob(conf, source, to, target).run(place);
    } catch (JobRun.Failed e) {
      place.discard(conf);
      throw e;
    }
    main.out().println(Paths.show(published, conf));
    main.out().flush();
    return 0;
  }

  private CommandLine line() {
    return main.spec.commandLine().getSubcommands().get("convert");
  }

  /** Puts what is to be written into the job's configuration; returns the dataset's place. */
  private Path configure(Path src, Source source, Configuration conf) throws IOException {
    TableDataset dataset = source.dataset();
    Path place = new Path(destination).getFileSystem(conf).makeQualified(new Path(destination));
    if (to == DatasetFormat.saev) {
      ActivationDataset activations = DatasetFormat.activations(dataset, conf);
      return saev.configure(activations, tail(SaevTarget.Tail.class), place, conf);
    }
    if (to == DatasetFormat.pickle) {
      pickle.configure(src, source, conf);
      return place;
    }
    SafetensorsTarget.Tail last = tail(SafetensorsTarget.Tail.class);
    safetensors.checkTail(line(), last, conf);
    if (last != null) {
      SaevConf.OUTPUT_BATCH_TAIL.set(conf, last.name());
    }
    safetensors.configure(dataset, conf);
    return place;
  }

  private <E extends Enum<E>> E tail(Class<E> type) {
    if (tail == null) {
      return null;
    }
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(tail)) {
        return constant;
      }
    }
    throw new ParameterException(
        line(),
        "--tail is %s (expected one of %s with --to %s)"
            .formatted(
                tail, Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT), to));
  }

  private static void checkFiles(Path published, DatasetTarget target) throws FormatException {
    FormatException.check(
        target.shardCount() <= MOST_FILES,
        published.toUri().getPath(),
        "would have %d files of %d examples (expected at most %d: ask for longer files)",
        target.shardCount(),
        target.examplesPerShard(),
        MOST_FILES);
  }

  private void tellTail(TableDataset dataset, DatasetTarget target) throws FormatException {
    long dropped = dataset.table().examples() - target.table().examples();
    FormatException.check(
        target.table().examples() > 0,
        dataset.folder().path(),
        "has %d examples, and --tail drop leaves none (expected at least %d)",
        dataset.table().examples(),
        target.examplesPerShard());
    if (dropped > 0) {
      System.err.printf("warning: the last %d examples are left out (--tail drop)%n", dropped);
    }
    long over = target.table().examples() % target.examplesPerShard();
    if ("pad".equalsIgnoreCase(tail) && over > 0) {
      System.err.printf(
          "warning: %d examples of zeros are added (--tail pad)%n",
          target.examplesPerShard() - over);
    }
  }

  /** Lets the source's labels travel, unless the user named others. */
  private void carryLabels(Source source, Configuration conf) throws IOException {
    if (source.dataset() instanceof ActivationDataset activations && activations.hasLabels()) {
      if (to == DatasetFormat.pickle) {
        System.err.println("warning: the labels are left out (pickled shards have none)");
      } else if (SaevConf.OUTPUT_LABELS.get(conf).isEmpty()) {
        ActivationOutputFormat.setLabels(conf, source.qualified(), source.format().inputFormat());
      }
    }
  }

  /** Lets the attributes of the source's examples travel, unless the user named others. */
  private void carryAttributes(Source source, Configuration conf) throws IOException {
    boolean named = !SaevConf.OUTPUT_ATTRIBUTES.get(conf).isEmpty();
    if (!named && source.dataset().attributes().isEmpty()) {
      return;
    }
    if (noAttributes) {
      System.err.println("warning: the attributes of the examples are left out (--no-attributes)");
      SaevConf.OUTPUT_ATTRIBUTES.unset(conf);
    } else if (!named) {
      ActivationOutputFormat.setAttributes(conf, source.qualified(), source.format().inputFormat());
    }
  }

  private void checkOptions() {
    saev.check(line());
    safetensors.check(line());
    pickle.check(line());
    switch (to) {
      case saev -> tail(SaevTarget.Tail.class);
      case safetensors -> tail(SafetensorsTarget.Tail.class);
      case pickle -> {
        if (tail != null) {
          throw new ParameterException(
              line(), "--tail and --to pickle exclude each other: its last file is as it is");
        }
      }
    }
    for (OptionSpec option : line().getParseResult().matchedOptions()) {
      String name = option.longestName();
      boolean of = OPTIONS.values().stream().anyMatch(names -> names.contains(name));
      if (of && !OPTIONS.get(to).contains(name)) {
        System.err.printf("warning: %s means nothing to --to %s%n", name, to);
      }
    }
  }
}
