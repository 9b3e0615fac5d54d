package org.saevhadoop.converters.command;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.DatasetKeys;
import org.saevhadoop.converters.console.DatasetKeys.ShapeKeys;
import org.saevhadoop.converters.console.DatasetKeys.TypeKeys;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.shuffle.Shuffle;
import org.saevhadoop.mapreduce.output.CommittedFiles;

/** The report of a successful conversion, as one JSON object for programs. */
final class ConversionReport {
  private static final double MILLIS = 1000;

  private final Console console;
  private final DatasetFormat to;
  private final long begun = System.nanoTime();

  private record Converted(
      @JsonUnwrapped Written dataset,
      @Nullable String plan,
      @Nullable Map<String, Long> counters,
      double seconds,
      List<FinishedJob> jobs) {}

  private record Shuffled(List<Part> datasets, double seconds, List<FinishedJob> jobs) {}

  private record Part(@JsonUnwrapped Written dataset, long padding, long unassigned) {}

  private record Written(
      @JsonUnwrapped DatasetKeys dataset,
      @JsonUnwrapped @Nullable TypeKeys type,
      long bytes,
      long files,
      @Nullable String digest) {}

  /** Creates a report of a conversion that begins now. */
  ConversionReport(Console console, DatasetFormat to) {
    this.console = console;
    this.to = to;
  }

  void print(Conversion.Result result, JobRunner runner) throws IOException {
    Written dataset = written(result, runner);
    String plan = null;
    Map<String, Long> counters = null;
    for (FinishedJob job : console.jobs()) {
      if (job.job().step().equals("convert")) {
        plan = job.reduces() > 0 ? "shuffle" : "map-only";
        counters = job.counters();
      }
    }
    JsonOutput.print(
        new Converted(dataset, plan, counters, seconds(), console.jobs()), console.out());
  }

  /** Prints the report on the datasets that a shuffle has written. */
  void print(List<Shuffle.Result> results, JobRunner runner) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Shuffle.Result part : results) {
      parts.add(new Part(written(part.dataset(), runner), part.padding(), part.unassigned()));
    }
    JsonOutput.print(new Shuffled(parts, seconds(), console.jobs()), console.out());
  }

  private Written written(Conversion.Result written, JobRunner runner) throws IOException {
    Geometry geometry = written.geometry();
    CommittedFiles files =
        CommittedFiles.published(runner.parse(written.path()).folder(), written.files());
    return new Written(
        new DatasetKeys(
            written.path(),
            to.name(),
            geometry == null
                ? ShapeKeys.ofExamples(written.files().table().examples())
                : ShapeKeys.of(geometry)),
        geometry == null ? null : TypeKeys.of(geometry, to),
        files.bytes(),
        files.files(),
        written.digest() == null ? null : written.digest().toString());
  }

  private double seconds() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / MILLIS;
  }
}
