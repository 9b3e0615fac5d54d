package org.saevhadoop.converters.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.shuffle.Shuffle;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.output.CommittedFiles;

/** The report of a conversion that has ended with success, as one JSON object for programs. */
final class ConversionReport {
  private static final double MILLIS = 1000;

  private final Console console;
  private final DatasetFormat to;
  private final long begun = System.nanoTime();

  /** Creates a report of a conversion to a format that begins now. */
  ConversionReport(Console console, DatasetFormat to) {
    this.console = console;
    this.to = to;
  }

  String of(Conversion.Result written, Configuration conf) throws IOException {
    ObjectNode report = JsonOutput.object();
    describe(written, report, conf);
    for (FinishedJob job : console.jobs()) {
      if (job.job().step().equals("convert")) {
        report.put("plan", job.reduces() > 0 ? "shuffle" : "map-only");
        put(report.putObject("counters"), job.counters());
      }
    }
    putJobs(report);
    return JsonOutput.lines(report);
  }

  /** Returns the report of the datasets of a shuffle. */
  String of(List<Shuffle.Result> written, Configuration conf) throws IOException {
    ObjectNode report = JsonOutput.object();
    ArrayNode datasets = report.putArray("datasets");
    for (Shuffle.Result result : written) {
      ObjectNode dataset = datasets.addObject();
      describe(result.dataset(), dataset, conf);
      dataset.put("padding", result.padding()).put("unassigned", result.unassigned());
    }
    putJobs(report);
    return JsonOutput.lines(report);
  }

  private void describe(Conversion.Result written, ObjectNode report, Configuration conf)
      throws IOException {
    report.put("path", written.path()).put("format", to.name());
    Geometry geometry = written.geometry();
    if (geometry == null) {
      report.put("examples", written.files().table().examples());
    } else {
      JsonOutput.shape(report, geometry);
      JsonOutput.dtype(report, geometry.dtype(), to);
    }
    CommittedFiles files =
        CommittedFiles.in(
            HadoopFolder.of(PathArgument.parse(written.path(), conf), conf), written.files());
    report.put("bytes", files.bytes()).put("files", files.files());
    if (written.digest() != null) {
      report.put("digest", written.digest().toString());
    }
  }

  private void putJobs(ObjectNode report) {
    report.put("seconds", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / MILLIS);
    ArrayNode steps = report.putArray("jobs");
    for (FinishedJob job : console.jobs()) {
      ObjectNode step = steps.addObject();
      step.put("step", job.job().step()).put("name", job.job().name());
      JsonOutput.put(step, "application", job.job().application());
      step.put("seconds", job.seconds());
      put(step.putObject("counters"), job.counters());
    }
  }

  private static void put(ObjectNode node, Map<String, Long> counters) {
    new TreeMap<>(counters).forEach(node::put);
  }
}
