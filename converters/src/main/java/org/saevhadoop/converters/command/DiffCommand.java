package org.saevhadoop.converters.command;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.jobs.diff.DatasetDifference;
import org.saevhadoop.jobs.diff.DatasetDifference.ComparedColumn;
import org.saevhadoop.jobs.diff.DatasetDifference.Difference;
import org.saevhadoop.jobs.diff.DatasetDifference.Differing;
import org.saevhadoop.jobs.diff.Diff;
import org.saevhadoop.jobs.diff.Tolerance;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.source.SourceRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares the values, labels and sample metadata of two datasets. */
@Command(
    name = "diff",
    sortOptions = false,
    exitCodeOnExecutionException = DiffCommand.NOT_COMPARED,
    description = {
      "Compares two datasets of any formats, value by value.",
      "Exit code 0 if they are the same, 1 if they differ, 2 if the command line or a setting is"
          + " wrong, 3 if they cannot be compared."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop diff shards/64988989 copy.safetensors",
      "  saev-hadoop diff run1 run2 --tolerance rel:1e-3 --json",
      "  saev-hadoop diff shards/64988989 hdfs://namenode/acts --layers 13"
    })
public final class DiffCommand extends SourceCommand {
  static final int NOT_COMPARED = 3;

  @Parameters(paramLabel = "A", index = "0", description = "The first dataset.")
  String a;

  @Parameters(paramLabel = "B", index = "1", description = "The second dataset.")
  String b;

  @Option(
      names = "--tolerance",
      paramLabel = Tolerance.FORMS,
      completionCandidates = Tolerances.class,
      description =
          "The largest difference of finite values that does not count: abs is |a-b|, rel is"
              + " |a-b|/max(|a|,|b|), ulp counts steps in the narrower type, bf16 compares values"
              + " rounded to bfloat16. By default all bits count, after both values are widened to"
              + " one type.")
  String tolerance;

  @Option(
      names = "--nan-equal",
      description = "Treat any NaN as equal to any other; by default their bits count.")
  boolean nanEqual;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  @Option(names = PlanReport.OPTION, description = PlanReport.HELP)
  boolean dryRun;

  /** The prefixes of {@code --tolerance} values. */
  record Tolerances() implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("abs:", "rel:", "ulp:", "bf16").iterator();
    }
  }

  private record Report(
      String a,
      String b,
      String tolerance,
      boolean same,
      boolean identical,
      @JsonUnwrapped DatasetDifference found) {}

  public DiffCommand(Console console) {
    super(console);
  }

  @Override
  protected List<String> sources() {
    return List.of(a, b);
  }

  @Override
  public Integer call() throws Exception {
    checkKeys();
    Tolerance limit = parsed(tolerance);
    List<SourceRequest> requests = requests(List.of(a, b));
    Prepared<DatasetDifference> diff =
        new Diff(a, b, limit, nanEqual, runner().configured()).prepare(requests, runner());
    if (dryRun) {
      return PlanReport.print(diff, json, console);
    }
    DatasetDifference found = diff.run();
    if (json) {
      JsonOutput.print(
          new Report(
              requests.get(0).source().shown(),
              requests.get(1).source().shown(),
              limit.toString(),
              found.same(),
              found.identical(),
              found),
          console.out());
    } else {
      print(found, limit, console.out());
    }
    console.out().flush();
    return found.same() ? 0 : 1;
  }

  private static Tolerance parsed(String text) {
    try {
      return text == null ? Tolerance.NONE : Tolerance.parse(text);
    } catch (IllegalArgumentException e) {
      throw new SettingException("--tolerance is " + e.getMessage(), e);
    }
  }

  private static void print(DatasetDifference found, Tolerance limit, PrintWriter out) {
    found.shapes().forEach(shape -> out.println(Quote.show(shape)));
    found.onlyA().forEach(what -> out.println("only in A: " + Quote.show(what)));
    found.onlyB().forEach(what -> out.println("only in B: " + Quote.show(what)));
    for (ComparedColumn column : found.layers()) {
      print(column, out);
    }
    for (Difference value : found.first()) {
      out.printf(
          "example %d %s token %d dim %d: %s and %s%n",
          value.example(),
          name(value.layer(), value.column()),
          value.token(),
          value.dim(),
          value.a(),
          value.b());
    }
    printCount(found.labelsDiffering(), "labels", out);
    printCount(found.sampleMetadataDiffering(), "sample metadata", out);
    out.println(
        found.identical()
            ? "identical"
            : found.same() ? "the same within the tolerance " + limit : "different");
  }

  private static void print(ComparedColumn column, PrintWriter out) {
    String name = name(column.layer(), column.column());
    if (column.dtypeA() != column.dtypeB()) {
      out.printf("%s: stored as %s and %s%n", name, column.dtypeA(), column.dtypeB());
    }
    Differing found = column.differing();
    if (found.bits() > 0) {
      out.print(
          Quote.sentence(
              "%s: %d values differ, in %d vectors of %d examples, %d of them not finite; largest"
                  + " distances %s (absolute), %s (relative), %s ULP%n",
              name,
              found.valuesDiffering(),
              found.vectorsDiffering(),
              found.blocksDiffering(),
              found.nonFiniteDiffering(),
              found.maxAbs(),
              found.maxRel(),
              found.maxUlp()));
    }
  }

  private static void printCount(long examples, String what, PrintWriter out) {
    if (examples > 0) {
      out.print(Quote.sentence("%s: %d examples differ%n", what, examples));
    }
  }
}
