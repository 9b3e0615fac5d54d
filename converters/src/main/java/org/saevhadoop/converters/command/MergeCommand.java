package org.saevhadoop.converters.command;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.DatasetKeys;
import org.saevhadoop.converters.console.DatasetKeys.ShapeKeys;
import org.saevhadoop.converters.console.DatasetKeys.TypeKeys;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.converters.options.KeyOptions;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.jobs.merge.Merge;
import org.saevhadoop.jobs.merge.MergeKeys;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.source.SourceRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Merges datasets, by copying files unchanged if possible. */
@Command(
    name = "merge",
    customSynopsis = "saev-hadoop merge [OPTIONS] SRC... DST",
    sortOptions = false,
    description = {
      "Merges several datasets into one, copying files where it can.",
      "The sources have more examples of the same layers, or more layers of the same examples. The"
          + " result has their format and their order.",
      "DST must not exist. To append to a dataset, merge it with the others to a new DST. The last"
          + " line of standard output is the path that was written."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop merge run_0 run_1 run_2 all",
      "  saev-hadoop merge hdfs://nn/acts/machine_* hdfs://nn/acts/all --verify",
      "  saev-hadoop merge run_* all --dry-run"
    })
public final class MergeCommand extends SourceCommand {
  private static final double MILLIS = 1000;

  @Parameters(
      paramLabel = "SRC... DST",
      arity = "1..*",
      description = "The datasets, in the order of their examples, and where to write.")
  List<String> paths;

  @Option(
      names = "--json",
      description =
          "Print one JSON object instead of the path. It has the path and shape of the dataset, the"
              + " plan, the files and bytes that were copied, seconds and the jobs.")
  boolean json;

  @Option(names = PlanReport.OPTION, description = PlanReport.HELP)
  boolean dryRun;

  private record Report(
      @JsonUnwrapped DatasetKeys dataset,
      @JsonUnwrapped @Nullable TypeKeys type,
      String plan,
      long files,
      @Nullable Long bytes,
      double seconds,
      List<FinishedJob> jobs) {}

  public MergeCommand(Console console) {
    super(console);
  }

  @Override
  public List<KeyOptions.Group> keyGroups() {
    return groups(
        List.of(
            new KeyOptions.Group("several datasets", MergeKeys.several()),
            new KeyOptions.Group("writing", MergeKeys.writing()),
            new KeyOptions.Group("safety", MergeKeys.safety())),
        false);
  }

  @Override
  protected List<SettingKey<?>> writingKeys() {
    return Merge.writingKeys();
  }

  @Override
  protected List<String> sources() {
    return paths.subList(0, paths.size() - 1);
  }

  @Override
  public String destination() {
    return paths.get(paths.size() - 1);
  }

  @Override
  public Integer call() throws Exception {
    long begun = System.nanoTime();
    checkKeys();
    if (paths.size() == 1) {
      throw new SettingException(
          "DST is missing: " + destination() + " is the only path (expected merge SRC SRC DST)");
    }
    Merge merge = new Merge(sources(), destination(), settings(), runner().configured());
    List<SourceRequest> requests = merge.sources(runner());
    warnOfOptionsWithoutEffect(requests);
    Prepared<Merge.Result> prepared = merge.prepare(requests, runner());
    if (dryRun) {
      return PlanReport.print(prepared, json, console);
    }
    Merge.Result merged = prepared.run();
    if (json) {
      double seconds = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / MILLIS;
      print(merged, requests.get(0), seconds);
    } else {
      console.out().println(merged.path());
    }
    console.out().flush();
    return 0;
  }

  private void print(Merge.Result merged, SourceRequest first, double seconds) throws Exception {
    Geometry geometry = merged.geometry();
    JsonOutput.print(
        new Report(
            new DatasetKeys(merged.path(), merged.format(), shape(merged)),
            geometry == null ? null : TypeKeys.of(geometry, first.format()),
            merged.plan(),
            merged.files(),
            merged.bytes(),
            seconds,
            console.jobs()),
        console.out());
  }

  private static @Nullable ShapeKeys shape(Merge.Result merged) {
    if (merged.geometry() != null) {
      return ShapeKeys.of(merged.geometry());
    }
    return merged.examples() == null ? null : ShapeKeys.ofExamples(merged.examples());
  }
}
