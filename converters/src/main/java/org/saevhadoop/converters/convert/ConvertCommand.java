package org.saevhadoop.converters.convert;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.job.JobRun;
import org.saevhadoop.converters.options.FormatName;
import org.saevhadoop.converters.options.KeyCommand;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.converters.source.SourceRequest;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.conf.SettingException;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.NumberRequest;
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
public final class ConvertCommand implements Callable<Integer>, KeyCommand {
  /** The keys that a conversion sets itself, so users must not set them. */
  private static final List<SettingKey<?>> REFUSED =
      List.of(InputKeys.RECORD, InputKeys.ORDER, InputKeys.GROUP);

  private final Console console;

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
          "Print one JSON object instead of the path: the path, the plan, the digest if --digest is"
              + " given, counters, seconds, and the jobs with the ids of their applications.")
  boolean json;

  @Option(
      names = "--digest",
      description =
          "Read the dataset that was written, and print its digest before the path, as digest does;"
              + " with --json, in the object. A dataset that has no digest is not published.")
  boolean digest;

  private KeyOptions options;

  public ConvertCommand(Console console) {
    this.console = console;
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
    common.add(ConversionKeys.ATTRIBUTES);
    common.add(ConversionKeys.VERIFY);
    List<KeyOptions.Group> groups = SourceRequest.conversionGroups(common);
    for (DatasetFormats.Entry entry : DatasetFormats.registry().writable()) {
      groups.add(new KeyOptions.Group("to " + entry.name(), entry.writing().writingKeys()));
    }
    return groups;
  }

  @Override
  public void use(KeyOptions keyOptions) {
    options = keyOptions;
  }

  @Override
  public Integer call() throws Exception {
    Configuration conf = console.conf();
    JobRun.prepare(conf);
    options.check(conf, DatasetFormats.registry().keys(), console::warn);
    for (SettingKey<?> key : REFUSED) {
      if (conf.getRaw(key.name()) != null) {
        throw new SettingException(
            key + " is set, which convert decides itself (expected no value)");
      }
    }
    List<SettingKey<?>> keys = new ArrayList<>(to.writing().writingKeys());
    keys.addAll(OutputKeys.all());
    keys.addAll(ConversionKeys.all());
    Settings writing = options.settings(conf, keys, console::warn);
    to.writing().checkSettings(writing.only(to.writing().writingKeys()));
    SourceRequest request = SourceRequest.of(source, from, options, console);
    console.reads(request.location().path());
    checkTypes(request.spec().numbers(), conf);
    warnOfOptionsWithoutEffect(request, keys);
    DatasetConversion conversion =
        new DatasetConversion(request, to, destination, writing, digest, console);
    ConversionReport report = new ConversionReport(console);
    DatasetConversion.Written written = conversion.run();
    if (json) {
      console.out().println(report.of(written.path(), written.digest()));
    } else {
      if (written.digest() != null) {
        console.out().println(written.digest());
      }
      console.out().println(written.path());
    }
    console.out().flush();
    return 0;
  }

  private void checkTypes(NumberRequest numbers, Configuration conf) {
    Set<DType> wanted = new LinkedHashSet<>(numbers.own().values());
    if (numbers.all() != null) {
      wanted.add(numbers.all());
    }
    wanted.removeAll(to.writing().writableTypes());
    if (!wanted.isEmpty()) {
      Settings typed = options.settings(conf, List.of(InputKeys.DTYPE), warning -> {});
      throw new SettingException(
          "%s is %s, which %s cannot hold (expected %s)"
              .formatted(
                  typed.nameOf(InputKeys.DTYPE),
                  wanted.iterator().next(),
                  to.name(),
                  EnumSet.copyOf(to.writing().writableTypes())));
    }
  }

  private void warnOfOptionsWithoutEffect(SourceRequest request, List<SettingKey<?>> writingKeys) {
    List<SettingKey<?>> effective = new ArrayList<>(writingKeys);
    effective.addAll(InputKeys.all());
    effective.addAll(request.format().format().readingKeys());
    for (String name : options.withoutEffect(effective)) {
      boolean reading =
          DatasetFormats.registry().all().stream()
              .flatMap(entry -> entry.format().readingKeys().stream())
              .anyMatch(key -> key.options().stream().anyMatch(o -> o.name().equals(name)));
      console.warn(
          reading
              ? "%s has no effect with a source of format %s"
                  .formatted(name, request.format().name())
              : "%s has no effect with --to %s".formatted(name, to.name()));
    }
  }
}
