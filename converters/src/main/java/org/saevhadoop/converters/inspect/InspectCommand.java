package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.StringJoiner;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.DatasetReport;
import org.saevhadoop.mapreduce.spi.ReportSink;
import org.saevhadoop.mapreduce.spi.TensorListing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reports the properties or the problems of a dataset or of a file of tensors. */
@Command(
    name = "inspect",
    sortOptions = false,
    description = {
      "Describes a dataset or a file of tensors, or checks it.",
      "Reads only documents and headers; of pickled shards and deflated SDZ files, everything."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop inspect shards/64988989",
      "  saev-hadoop inspect model.safetensors --json",
      "  saev-hadoop inspect hdfs://namenode/data/acts --check"
    })
public final class InspectCommand extends SourceCommand {
  @Parameters(
      paramLabel = "PATH",
      description = "A dataset, a file of tensors, or a folder with model.safetensors.index.json.")
  String path;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  @Option(
      names = "--digests",
      description =
          "For a file or a model: add the SHA-256 of the bytes of each tensor. Reads all of them.")
  boolean digests;

  @Option(
      names = "--check",
      description =
          "Check the dataset, model or file, and report everything that is wrong with it instead:"
              + " a line for each problem, and exit code 1 if there is one. Reads documents, headers"
              + " and the index; of pickled shards, everything.")
  boolean check;

  public InspectCommand(Console console) {
    super(console);
  }

  private final class Printer implements ReportSink {
    private final String format;

    Printer(String format) {
      this.format = format;
    }

    @Override
    public boolean isForPerson() {
      return !json;
    }

    @Override
    public boolean wantsDigests() {
      return digests;
    }

    @Override
    public void report(DatasetReport report) throws IOException {
      if (digests) {
        throw usageError("--digests is for files and models (list --digests for a dataset)");
      }
      print(TensorReport.JSON.valueToTree(report.fields()));
    }

    @Override
    public void tensors(TensorListing listing) throws IOException {
      try (TensorReport report = new TensorReport(console.out(), json, format, listing)) {
        listing.forEach(report::tensor);
        report.end(listing.metadata(), listing.warnings());
      }
    }
  }

  @Override
  protected List<SettingKey<?>> commonKeys() {
    return List.of();
  }

  @Override
  public Integer call() throws IOException {
    Configuration conf = checkedConf();
    SourceRequest request = request(path);
    if (check) {
      return check(request, conf);
    }
    DatasetFormat format = request.format().format();
    format.describe(
        request.location(), request.spec().format(), console.formats(), new Printer(format.name()));
    return 0;
  }

  private int check(SourceRequest request, Configuration conf) throws IOException {
    List<FormatException> problems =
        request
            .format()
            .format()
            .check(
                request.location(), request.spec().format(), console.formats(), console::warning);
    if (json) {
      ObjectNode report = TensorReport.JSON.createObjectNode();
      report.put("path", HadoopStorage.show(request.path(), conf));
      ArrayNode list = report.putArray("problems");
      problems.forEach(problem -> describe(problem, list.addObject()));
      print(report);
    } else if (problems.isEmpty()) {
      console.out().println("no problem found");
    } else {
      problems.forEach(problem -> console.out().println(Quote.show(problem.getMessage())));
    }
    console.out().flush();
    return problems.isEmpty() ? 0 : 1;
  }

  private static void describe(FormatException problem, ObjectNode node) {
    node.put("kind", problem.kind().name());
    node.put("path", problem.path());
    node.put("where", problem.where());
    node.put("problem", problem.problem());
    node.put("expected", problem.expected());
  }

  private void print(JsonNode report) throws IOException {
    PrintWriter out = console.out();
    if (json) {
      out.println(TensorReport.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(report));
    } else {
      report.properties().forEach(field -> print(out, field.getKey(), field.getValue()));
    }
    out.flush();
  }

  /** Prints a field of a report as text. */
  static void print(PrintWriter out, String key, JsonNode value) {
    if (value.isObject()) {
      out.println(key);
      value
          .properties()
          .forEach(f -> out.printf("  %-26s %s%n", Quote.show(f.getKey()), plain(f.getValue())));
      return;
    }
    if (!value.isArray() || key.equals("layers")) {
      out.printf("%-20s %s%n", key, plain(value));
      return;
    }
    out.printf("%-20s %d%n", key, value.size());
    value.forEach(item -> out.println("  " + (item.isTextual() ? plain(item) : line(item))));
  }

  private static String plain(JsonNode value) {
    return Quote.show(value.isTextual() ? value.asText() : value.toString());
  }

  /** Returns an object on one line; values that are not text, and orders, precede their names. */
  static String line(JsonNode item) {
    StringJoiner line = new StringJoiner("  ");
    item.properties()
        .forEach(
            field -> {
              JsonNode value = field.getValue();
              boolean named = !value.isTextual() || field.getKey().equals("order");
              String shown = plain(value) + (named ? ' ' + field.getKey() : "");
              line.add(value.isNull() ? "missing" : shown);
            });
    return line.toString();
  }
}
