package org.saevhadoop.converters.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.FinishedJob;

/** The report of a conversion that has ended with success, as one JSON object for programs. */
final class ConversionReport {
  private static final double MILLIS = 1000;

  private final Console console;
  private final long begun = System.nanoTime();

  /** Creates a report of a conversion that begins now. */
  ConversionReport(Console console) {
    this.console = console;
  }

  String of(Conversion.Result written) throws JsonProcessingException {
    ObjectNode report = Jackson.MAPPER.createObjectNode();
    report.put("path", written.path());
    if (written.digest() != null) {
      report.put("digest", written.digest().toString());
    }
    List<FinishedJob> jobs = console.jobs();
    for (FinishedJob job : jobs) {
      if (job.job().step().equals("convert")) {
        report.put("plan", job.reduces() > 0 ? "shuffle" : "map-only");
        put(report.putObject("counters"), job.counters());
      }
    }
    report.put("seconds", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / MILLIS);
    ArrayNode applications = report.putArray("applications");
    ArrayNode steps = report.putArray("jobs");
    for (FinishedJob job : jobs) {
      ObjectNode step = steps.addObject();
      step.put("step", job.job().step()).put("name", job.job().name());
      step.put("application", job.job().application()).put("seconds", job.seconds());
      put(step.putObject("counters"), job.counters());
      if (job.job().application() != null) {
        applications.add(job.job().application());
      }
    }
    return Quote.json(Jackson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(report));
  }

  private static void put(ObjectNode node, Map<String, Long> counters) {
    counters.forEach(node::put);
  }
}
