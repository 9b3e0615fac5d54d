package org.saevhadoop.converters.convert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.FinishedJob;
import org.saevhadoop.format.io.Quote;

/** The report of a conversion that has ended with success, as one JSON object for programs. */
final class ConversionReport {
  /** What {@link ConvertJob} calls its job. */
  private static final String STEP = "convert";

  private static final double MILLIS = 1000;

  private final Console console;
  private final long begun = System.nanoTime();

  /** Creates a report of a conversion that begins now. */
  ConversionReport(Console console) {
    this.console = console;
  }

  /**
   * Returns the report.
   *
   * @param path the path of the dataset that was written
   * @param digest its digest; null if that was not computed
   */
  String of(String path, String digest) throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode report = mapper.createObjectNode();
    report.put("path", path);
    if (digest != null) {
      report.put("digest", digest);
    }
    List<FinishedJob> jobs = console.jobs();
    for (FinishedJob job : jobs) {
      if (job.step().equals(STEP)) {
        report.put("plan", plan(job).toString());
        put(report.putObject("counters"), job.counters());
      }
    }
    report.put("seconds", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / MILLIS);
    ArrayNode applications = report.putArray("applications");
    ArrayNode steps = report.putArray("jobs");
    for (FinishedJob job : jobs) {
      ObjectNode step = steps.addObject();
      step.put("step", job.step()).put("name", job.name());
      step.put("application", job.application()).put("seconds", job.seconds());
      put(step.putObject("counters"), job.counters());
      if (job.application() != null) {
        applications.add(job.application());
      }
    }
    return Quote.json(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(report));
  }

  private static ConvertPlan.Kind plan(FinishedJob job) {
    return job.reduces() > 0 ? ConvertPlan.Kind.SHUFFLE : ConvertPlan.Kind.MAP_ONLY;
  }

  private static void put(ObjectNode node, Map<String, Long> counters) {
    counters.forEach(node::put);
  }
}
