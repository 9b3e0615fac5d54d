package org.saevhadoop.converters.command;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.options.FormatName;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.shuffle.Shuffle;
import org.saevhadoop.jobs.source.SourceRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the vectors or the examples of a dataset in a random order. */
@Command(
    name = "shuffle",
    customSynopsis = "saev-hadoop shuffle [OPTIONS] SRC DST",
    sortOptions = false,
    description = "Writes the vectors, or the examples, in a random order.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop shuffle shards/64988989 shuffled --layers 13 --tokens image",
      "  saev-hadoop shuffle hdfs://nn/acts rows --to safetensors --seed 7",
      "  saev-hadoop shuffle shards/64988989 examples --unit example"
    })
public final class ShuffleCommand extends SourceCommand {
  private static final Pattern PART_OF_ALL =
      Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,63})=(\\d{1,3}(?:\\.\\d{1,18})?)");

  @Parameters(paramLabel = "SRC", description = "The dataset: a directory or a file.")
  String source;

  @Parameters(paramLabel = "DST", description = "Where to write.")
  String destination;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      defaultValue = "saev",
      converter = FormatName.class,
      completionCandidates = FormatName.class,
      description = "The format to write (default: ${DEFAULT-VALUE}): ${COMPLETION-CANDIDATES}.")
  DatasetFormat to;

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
      description = "What a row is: vector (the default) or example.")
  RowUnit unit;

  @Option(
      names = "--sample",
      paramLabel = "P%",
      description = "Write a seeded sample of the examples, such as 10%%.")
  String sample;

  @Option(
      names = "--partition",
      paramLabel = "NAME=F,...",
      description = "Divide the examples, such as train=0.98,val=0.02.")
  String partition;

  @Option(
      names = "--provenance",
      description = "Also write the example, token and layer of each row.")
  boolean provenance;

  @Option(names = "--json", description = "Print one JSON object instead of the paths.")
  boolean json;

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
  public String destination() {
    return destination;
  }

  @Override
  protected boolean readsSeveral() {
    return true;
  }

  @Override
  public Integer call() throws Exception {
    console.convertsFor("shuffle");
    checkKeys();
    Conversion written =
        new Conversion(source, destination, to.name(), false, settings(), runner().configured());
    Shuffle shuffle = new Shuffle(written, unit, seed, share(sample), parts(partition), provenance);
    List<SourceRequest> sources = shuffle.sources(runner());
    warnOfOptionsWithoutEffect(sources.get(0), to);
    Prepared<List<Shuffle.Result>> prepared = shuffle.prepare(sources, runner());
    if (dryRun) {
      return PlanReport.printAll(prepared.describe(), json, console);
    }
    ConversionReport report = new ConversionReport(console, to);
    List<Shuffle.Result> results = prepared.run();
    if (json) {
      report.print(results, runner());
    } else {
      results.forEach(result -> console.out().println(result.dataset().path()));
    }
    console.out().flush();
    showReaders(to);
    return 0;
  }

  private static List<Shuffle.Part> parts(@Nullable String text) {
    List<Shuffle.Part> parts = new ArrayList<>();
    for (String item : text == null ? new String[0] : text.split(",", -1)) {
      Matcher matcher = PART_OF_ALL.matcher(item);
      double fraction = matcher.matches() ? Double.parseDouble(matcher.group(2)) : 0;
      boolean isNew = parts.stream().noneMatch(part -> item.startsWith(part.name() + "="));
      if (fraction <= 0 || !isNew) {
        throw new SettingException(
            "--partition is \"%s\" (expected distinct names with fractions: train=0.98,val=0.02)"
                .formatted(Quote.show(text)));
      }
      parts.add(new Shuffle.Part(matcher.group(1), fraction));
    }
    BigDecimal sum = Shuffle.sum(parts);
    if (sum.compareTo(BigDecimal.ONE) > 0) {
      throw new SettingException(
          "--partition is \"%s\", which adds up to %s (expected at most 1, as in train=0.98,val=0.02)"
              .formatted(Quote.show(text), sum.toPlainString()));
    }
    return parts;
  }
}
