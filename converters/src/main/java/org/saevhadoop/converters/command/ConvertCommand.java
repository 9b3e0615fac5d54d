package org.saevhadoop.converters.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.options.FormatName;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.convert.DatasetConversion;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.io.PathArgument;
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
      "Converts the dataset at SRC, or the part of it that is selected, into another format at DST.",
      "A SAEV dataset of protocol 2.x is written to DST/saev/shards/<HASH>, where its readers look,"
          + " one of an older protocol to DST/<HASH>, and any other dataset to DST itself. The path"
          + " written is the last line of standard output, unless --json is given."
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
      converter = FormatName.Writable.class,
      completionCandidates = FormatName.Writable.class,
      description = "The format to write: ${COMPLETION-CANDIDATES}.")
  DatasetFormats.Entry to;

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      converter = FormatName.class,
      completionCandidates = FormatName.class,
      description = "The format of SRC; by default the files there decide.")
  DatasetFormats.Entry from;

  @Option(
      names = "--json",
      description =
          "Print one JSON object instead of the path: the path and shape of the dataset, the digest"
              + " if --digest is given, the plan, counters, seconds and the jobs.")
  boolean json;

  @Option(
      names = "--digest",
      description =
          "Read the dataset that was written, and print its digest before the path, as digest does;"
              + " with --json, in the object. A dataset that has no digest is not published.")
  boolean digest;

  public ConvertCommand(Console console) {
    super(console);
  }

  @Override
  public List<KeyOptions.Group> keyGroups() {
    List<SettingKey<?>> common = new ArrayList<>(InputKeys.projection());
    common.addAll(InputKeys.types());
    common.add(OutputKeys.REPLACE);
    common.add(ConversionKeys.RESUME);
    common.add(ConversionKeys.TRUST_RUN_FOLDER);
    common.add(OutputKeys.SYNC);
    common.add(ConversionKeys.SPACE_CHECK);
    common.add(ConversionKeys.QUOTA_CHECK);
    common.add(ConversionKeys.SAMPLE_METADATA);
    common.add(ConversionKeys.VERIFY);
    List<KeyOptions.Group> groups = groups(common, true);
    for (DatasetFormats.Entry entry : console.formats().writable()) {
      groups.add(new KeyOptions.Group("to " + entry.name(), entry.writing().writingKeys()));
    }
    return groups;
  }

  @Override
  public Integer call() throws Exception {
    Configuration conf = checkedConf();
    Conversion request =
        new Conversion(
            source,
            from == null ? null : from.name(),
            destination,
            to.name(),
            digest,
            settings(),
            conf);
    DatasetConversion conversion = resolve(request, conf);
    console.reads(conversion.source().location().path());
    warnOfOptionsWithoutEffect(conversion.source());
    ConversionReport report = new ConversionReport(console, to);
    Conversion.Result written = conversion.run();
    if (json) {
      console.out().println(report.of(written, conf));
    } else {
      if (written.digest() != null) {
        console.out().println(written.digest());
      }
      console.out().println(written.path());
    }
    console.out().flush();
    return 0;
  }

  private DatasetConversion resolve(Conversion request, Configuration conf) throws IOException {
    try {
      return request.resolve(runner());
    } catch (FormatException e) {
      FileError.NOT_FOUND.check(
          e.kind() != FileError.NOT_FOUND || !areSwapped(conf),
          e.path(),
          "no such file or directory, and DST exists (expected SRC before DST: convert %s %s)",
          destination,
          source);
      throw e;
    }
  }

  /** Returns whether only DST exists, which no other server is asked about. */
  private boolean areSwapped(Configuration conf) throws IOException {
    Path from = PathArgument.parse(source, conf);
    Path to = PathArgument.parse(destination, conf);
    return PathArgument.root(from).equals(PathArgument.root(to))
        && !from.getFileSystem(conf).exists(from)
        && to.getFileSystem(conf).exists(to);
  }

  private void warnOfOptionsWithoutEffect(SourceRequest request) {
    List<SettingKey<?>> effective = new ArrayList<>(Conversion.writingKeys(to));
    effective.addAll(InputKeys.all());
    effective.addAll(request.format().format().readingKeys());
    for (String name : options.withoutEffect(effective)) {
      boolean reading =
          console.formats().all().stream()
              .flatMap(entry -> entry.format().readingKeys().stream())
              .anyMatch(key -> key.options().stream().anyMatch(o -> o.name().equals(name)));
      console.warning(
          reading
              ? "%s has no effect with a source of format %s"
                  .formatted(name, request.format().name())
              : "%s has no effect with --to %s".formatted(name, to.name()));
    }
  }
}
