package org.saevhadoop.converters.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.List;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.jobs.diff.DatasetDifference;
import org.saevhadoop.jobs.diff.DatasetDifference.ComparedColumn;
import org.saevhadoop.jobs.diff.DatasetDifference.Difference;
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
        new Diff(a, b, limit, nanEqual, runner().conf()).prepare(requests, runner());
    if (dryRun) {
      return PlanReport.print(diff, json, console);
    }
    DatasetDifference found = diff.run();
    if (json) {
      console.out().println(JsonOutput.lines(report(requests, limit, found)));
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
    for (ComparedColumn column : found.columns()) {
      print(column, out);
    }
    for (Difference value : found.first()) {
      out.printf(
          "example %d %s token %d dim %d: %s and %s%n",
          value.example(), name(value.column()), value.token(), value.dim(), value.a(), value.b());
    }
    printCount(found.labels(), "labels", out);
    printCount(found.sampleMetadata(), "sample metadata", out);
    out.println(
        found.identical()
            ? "identical"
            : found.same() ? "the same within the tolerance " + limit : "different");
  }

  private static void print(ComparedColumn column, PrintWriter out) {
    if (column.typeA() != column.typeB()) {
      out.printf("%s: stored as %s and %s%n", name(column), column.typeA(), column.typeB());
    }
    if (column.bits() > 0) {
      out.printf(
          "%s: %d values in %d vectors of %d examples differ, %d of them not finite; largest"
              + " distances %s (absolute), %s (relative), %s ULP%n",
          name(column),
          column.values(),
          column.vectors(),
          column.blocks(),
          column.nonFinite(),
          column.maxAbs(),
          column.maxRel(),
          Long.toUnsignedString(column.maxUlp()));
    }
  }

  private static void printCount(long examples, String what, PrintWriter out) {
    if (examples > 0) {
      out.printf("%s: %d examples differ%n", what, examples);
    }
  }

  private static String name(ComparedColumn column) {
    return column.layer() == null
        ? "column " + Quote.show(column.name())
        : "layer " + column.layer();
  }

  private static ObjectNode report(
      List<SourceRequest> requests, Tolerance limit, DatasetDifference found) {
    ObjectNode report = JsonOutput.object();
    report.put("a", requests.get(0).source().shown()).put("b", requests.get(1).source().shown());
    report.put("tolerance", limit.toString());
    report.put("same", found.same()).put("identical", found.identical());
    found.shapes().forEach(report.putArray("shapes")::add);
    found.onlyA().forEach(report.putArray("only_a")::add);
    found.onlyB().forEach(report.putArray("only_b")::add);
    report.put("examples", found.examples());
    report.put("labels_differing", found.labels());
    report.put("sample_metadata_differing", found.sampleMetadata());
    counts(
        report,
        found.sum(ComparedColumn::blocks),
        found.sum(ComparedColumn::vectors),
        found.sum(ComparedColumn::values),
        found.sum(ComparedColumn::nonFinite));
    distances(
        report,
        found.max(ComparedColumn::maxAbs),
        found.max(ComparedColumn::maxRel),
        found.columns().stream().map(ComparedColumn::maxUlp).max(Long::compareUnsigned).orElse(0L));
    ArrayNode layers = report.putArray("layers");
    found.columns().forEach(column -> describe(column, layers.addObject()));
    ArrayNode first = report.putArray("first");
    found.first().forEach(value -> describe(value, first.addObject()));
    return report;
  }

  private static void describe(ComparedColumn column, ObjectNode into) {
    name(column, into);
    into.put("dtype_a", column.typeA().numpyName()).put("dtype_b", column.typeB().numpyName());
    counts(into, column.blocks(), column.vectors(), column.values(), column.nonFinite());
    distances(into, column.maxAbs(), column.maxRel(), column.maxUlp());
  }

  private static void name(ComparedColumn column, ObjectNode into) {
    if (column.layer() == null) {
      into.put("column", column.name());
    } else {
      into.put("layer", column.layer());
    }
  }

  private static void counts(
      ObjectNode into, long blocks, long vectors, long values, long nonFinite) {
    into.put("blocks_differing", blocks)
        .put("vectors_differing", vectors)
        .put("values_differing", values)
        .put("non_finite_differing", nonFinite);
  }

  private static void distances(ObjectNode into, double abs, double rel, long ulp) {
    number(into, "max_abs", abs);
    number(into, "max_rel", rel);
    into.put("max_ulp", new BigInteger(Long.toUnsignedString(ulp)));
  }

  private static void number(ObjectNode into, String key, double value) {
    if (Double.isFinite(value)) {
      into.put(key, value);
    } else {
      into.put(key, Double.toString(value)); // JSON has no such number
    }
  }

  private static void describe(Difference value, ObjectNode into) {
    into.put("example", value.example());
    name(value.column(), into);
    into.put("token", value.token()).put("dim", value.dim());
    value(into, "a", value.a());
    value(into, "b", value.b());
  }

  private static void value(ObjectNode into, String key, String text) {
    if (text.matches("-?\\d+")) {
      into.put(key, new BigInteger(text));
    } else {
      number(into, key, Double.parseDouble(text));
    }
  }
}
