package org.saevhadoop.converters.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.options.FormatName;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.convert.DatasetConversion;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.job.CombineKeys;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Converts a dataset, or a part of it, into another format. */
@Command(
    name = "convert",
    customSynopsis = "saev-hadoop convert [OPTIONS] --to=FORMAT SRC DST",
    sortOptions = false,
    description = {
      "Writes a dataset, or a part of it, in another format.",
      "A SAEV dataset of protocol 2.x is written to DST/saev/shards/<HASH>, one of an older"
          + " protocol to DST/<HASH>, any other dataset to DST itself. The last line of standard"
          + " output is the path that was written."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop convert shards/64988989 out --to safetensors",
      "  saev-hadoop convert hdfs://nn/acts part --to saev --layers 13 --verify",
      "  saev-hadoop convert vllm/ out --to safetensors --ragged flatten"
    })
public final class ConvertCommand extends SourceCommand {
  @Parameters(paramLabel = "SRC", description = "The dataset: a directory or a file.")
  String source;

  @Parameters(paramLabel = "DST", description = "Where to write.")
  String destination;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FORMAT",
      converter = FormatName.class,
      completionCandidates = FormatName.class,
      description = "The format to write: ${COMPLETION-CANDIDATES}.")
  DatasetFormat to;

  @Option(
      names = "--json",
      description =
          "Print one JSON object instead of the path. It has the path and shape of the dataset, the"
              + " digest if --digest is given, the plan, counters, seconds and the jobs.")
  boolean json;

  @Option(
      names = "--digest",
      description =
          "Print the digest of the dataset before its path. It is the line that digest"
              + " DST prints; with --json, it is in the object. A dataset that has no digest is"
              + " not published.")
  boolean digest;

  @Option(names = PlanReport.OPTION, description = PlanReport.HELP)
  boolean dryRun;

  public ConvertCommand(Console console) {
    super(console);
  }

  @Override
  protected boolean readsSeveral() {
    return true;
  }

  @Override
  public List<KeyOptions.Group> keyGroups() {
    return keyGroups(this);
  }

  private static List<SettingKey<?>> values() {
    List<SettingKey<?>> keys = new ArrayList<>(InputKeys.types());
    keys.addAll(ConversionKeys.normalization());
    return keys;
  }

  /** Returns the key groups of a command that writes a dataset. */
  static List<KeyOptions.Group> keyGroups(SourceCommand command) {
    List<KeyOptions.Group> common =
        List.of(
            new KeyOptions.Group(PART, InputKeys.projection()),
            new KeyOptions.Group("values", values()),
            new KeyOptions.Group(
                "writing",
                List.of(
                    OutputKeys.REPLACE,
                    ConversionKeys.RESUME,
                    ConversionKeys.VERIFY,
                    ConversionKeys.SAMPLE_METADATA)),
            new KeyOptions.Group(
                "safety",
                List.of(
                    ConversionKeys.TRUST_RUN_FOLDER,
                    OutputKeys.SYNC,
                    ConversionKeys.SPACE_CHECK,
                    ConversionKeys.QUOTA_CHECK)));
    List<KeyOptions.Group> groups = command.groups(common, true);
    for (DatasetFormat entry : command.console.formats().writable()) {
      groups.add(
          new KeyOptions.Group("writing " + entry.name(), entry.requireWriting().writingKeys()));
    }
    return groups;
  }

  @Override
  public String destination() {
    return destination;
  }

  @Override
  public Integer call() throws Exception {
    checkKeys();
    Conversion request =
        new Conversion(source, destination, to.name(), digest, settings(), runner().configured());
    ConversionReport report = new ConversionReport(console, to); // starts the clock
    DatasetConversion conversion = request.prepare(found(request), runner());
    if (dryRun) {
      return PlanReport.print(conversion, json, console);
    }
    Conversion.Result written = conversion.run();
    if (json) {
      report.print(written, runner());
    } else {
      if (written.digest() != null) {
        console.out().println(written.digest());
      }
      console.out().println(written.path());
    }
    console.out().flush();
    showReaders(to);
    if (!json && isCopy()) {
      NextCommand.of(this, "diff", source, written.path())
          .withTypedOfFirst(conversion.source(), to)
          .show("diff compares both");
    }
    return 0;
  }

  /** Returns whether {@code diff} must find the result equal to the source. */
  private boolean isCopy() throws IOException {
    List<SettingKey<?>> changing = new ArrayList<>(InputKeys.projection());
    changing.addAll(values());
    changing.addAll(CombineKeys.all());
    for (SettingKey<?> key : changing) {
      if (isTyped(key) || isConfigured(key)) {
        return false;
      }
    }
    return true;
  }

  private List<SourceRequest> found(Conversion request) throws IOException {
    try {
      List<SourceRequest> found = request.sources(runner());
      console.reads(found.get(0).location().path());
      warnOfOptionsWithoutEffect(found.get(0), to);
      return found;
    } catch (FormatException e) {
      FileError.NOT_FOUND.check(
          e.kind() != FileError.NOT_FOUND || !areSwapped(),
          e.path(),
          "no such file or directory, and DST exists (expected SRC before DST)");
      throw e;
    }
  }

  /**
   * Returns whether DST exists and SRC does not. Returns false if the paths are on different
   * servers, so that no second server is contacted.
   */
  private boolean areSwapped() throws IOException {
    StoragePath from = runner().parse(source);
    StoragePath to = runner().parse(destination);
    return from.root().equals(to.root())
        && from.kind() == StoragePath.Kind.MISSING
        && to.kind() != StoragePath.Kind.MISSING;
  }
}
