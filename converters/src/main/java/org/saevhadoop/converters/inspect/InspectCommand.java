package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.command.NextCommand;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetReport;
import org.saevhadoop.format.spi.ReportSink;
import org.saevhadoop.format.spi.TensorListing;
import org.saevhadoop.jobs.source.SourceRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reports the properties or the problems of a dataset or of a file of tensors. */
@Command(
    name = "inspect",
    sortOptions = false,
    description = {
      "Describes a dataset or a file of tensors.",
      "Reads only documents and headers; of pickled shards and deflated SDZ files, everything."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop inspect shards/64988989",
      "  saev-hadoop inspect model.safetensors --json",
      "  saev-hadoop inspect hdfs://namenode/data/acts"
    })
public final class InspectCommand extends SourceCommand {
  private static final String BYTES = "bytes";

  /** More files than a person reads; what follows the list must stay in sight. */
  private static final int MAX_LINES = 1000;

  /** Fields that are left out of text. */
  private static final Set<String> FOR_PROGRAMS = Set.of("schema", "path", "stored_dtype");

  @Parameters(
      paramLabel = "PATH",
      description =
          "A dataset, a file of tensors, a folder with model.safetensors.index.json, or arrays of"
              + " another program, for which commands are proposed.")
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
      hidden = true, // the name of verify --structure before there was verify
      description = "Report what is wrong with the structure instead, as verify --structure does.")
  boolean check;

  public InspectCommand(Console console) {
    super(console);
  }

  private final class Printer implements ReportSink {
    private final SourceRequest request;

    Printer(SourceRequest request) {
      this.request = request;
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
      ObjectNode all = head(request);
      ObjectNode fields = JsonOutput.MAPPER.valueToTree(report.fields());
      for (Map.Entry<String, JsonNode> field : fields.properties()) {
        if (field.getKey().equals("bytes_of_values")) {
          putBytesOnDisk(all);
        }
        all.set(field.getKey(), field.getValue());
      }
      Optional<SourceProposal> found = alternatives(request);
      if (found.isPresent()) {
        found.get().addSuggestion(all);
      }
      InspectCommand.this.print(all);
      showNext(request);
    }

    @Override
    public void tensors(TensorListing listing) throws IOException {
      ObjectNode head = head(request);
      Geometry activations = listing.activations();
      if (activations != null) {
        JsonOutput.shape(head, activations);
        head.put("vectors", activations.vectors());
        JsonOutput.dtype(head, activations.dtype(), request.format());
      }
      head.put("bytes", listing.bytes());
      putBytesOnDisk(head);
      try (TensorReport report = new TensorReport(console.out(), json, head, listing)) {
        listing.forEach(report::tensor);
        ObjectNode suggestion = JsonOutput.MAPPER.createObjectNode();
        Optional<SourceProposal> found =
            listing.count() == 0 ? Optional.empty() : alternatives(request);
        if (found.isPresent()) {
          found.get().addSuggestion(suggestion);
        }
        report.end(listing.metadata(), listing.warnings(), suggestion);
      }
      showNext(request);
    }

    private void putBytesOnDisk(ObjectNode report) throws IOException {
      if (!request.location().isFile()) {
        request.source().bytesOnDisk().ifPresent(bytes -> report.put("bytes_on_disk", bytes));
      }
    }
  }

  private static ObjectNode head(SourceRequest request) {
    return JsonOutput.object()
        .put("path", request.source().shown())
        .put("format", request.format().name());
  }

  @Override
  protected List<SettingKey<?>> commonKeys() {
    return List.of();
  }

  @Override
  public Integer call() throws IOException {
    checkKeys();
    SourceRequest request;
    try {
      request = request(path);
    } catch (FormatException e) {
      if (check || e.kind() != DatasetError.UNKNOWN_FORMAT && e.kind() != ArrayError.AMBIGUOUS) {
        throw e;
      }
      return propose(path, null, e);
    }
    if (check) {
      return check(request);
    }
    DatasetFormat format = request.format();
    try {
      format.describe(
          request.location(), request.spec().format(), console.formats(), new Printer(request));
    } catch (FormatException e) {
      return propose(request.source().shown(), format, e);
    }
    return 0;
  }

  /** Returns whether no option selects how files are read. */
  private boolean isWithoutOptions() throws IOException {
    for (DatasetFormat entry : console.formats().all()) {
      for (SettingKey<?> key : entry.readingKeys()) {
        if (isTyped(key) || isConfigured(key)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns the ways of reading a dataset that needs no options, if its format has options. */
  private Optional<SourceProposal> alternatives(SourceRequest request) throws IOException {
    DatasetFormat format = request.format();
    Optional<ArrayProposals> found =
        isWithoutOptions() ? format.propose(request.location()) : Optional.empty();
    String source = asTyped(path, request.source().shown(), request.location());
    return found.map(
        proposals ->
            new SourceProposal(this, source, new DatasetFormats.Proposed(format, proposals)));
  }

  /**
   * Reports how files might be read that are no dataset without options.
   *
   * @param detected the format that they resemble; null if there is none
   * @throws FormatException the error of reading them, if nothing is proposed
   */
  private int propose(String source, @Nullable DatasetFormat detected, FormatException error)
      throws IOException {
    Location location = SourceRequest.location(source, runner());
    Optional<DatasetFormats.Proposed> found =
        isWithoutOptions() ? console.formats().propose(location, detected) : Optional.empty();
    if (found.isEmpty()) {
      throw error;
    }
    ObjectNode report = JsonOutput.object().put("path", location.path());
    String typed = asTyped(path, source, location);
    new SourceProposal(this, typed, found.get()).describe(report, location);
    print(report);
    found.get().proposals().likeliest().ifPresent(way -> showNext(typed, way.options()));
    return 0;
  }

  private void showNext(SourceRequest request) throws IOException {
    showNext(asTyped(path, request.source().shown(), request.location()), List.of());
  }

  private void showNext(String source, List<String> proposed) {
    if (!json) {
      NextCommand.of(this, "verify", source).withTyped().with(proposed).show("verify checks it");
    }
  }

  private int check(SourceRequest request) throws IOException {
    ObjectNode report = head(request);
    ArrayNode list = report.putArray("problems");
    ArrayNode warnings = report.putArray("warnings");
    List<FormatException> problems =
        request
            .format()
            .check(
                request.location(),
                request.spec().format(),
                console.formats(),
                warning -> {
                  console.warning(warning);
                  warnings.add(warning);
                });
    if (json) {
      problems.forEach(problem -> JsonOutput.problem(list.addObject(), problem));
      print(report);
    } else if (problems.isEmpty()) {
      console.out().println("no problem found");
    } else {
      problems.forEach(problem -> console.out().println(Quote.show(problem.getMessage())));
    }
    console.out().flush();
    return problems.isEmpty() ? 0 : 1;
  }

  private void print(ObjectNode report) {
    PrintWriter out = console.out();
    if (json) {
      out.println(JsonOutput.lines(report));
    } else {
      print(out, report);
    }
    out.flush();
  }

  /** Prints the fields of a report as text, except for those that are for programs. */
  static void print(PrintWriter out, ObjectNode report) {
    report.properties().stream()
        .filter(field -> !FOR_PROGRAMS.contains(field.getKey()))
        .forEach(field -> print(out, field.getKey(), field.getValue()));
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
    if (key.startsWith(BYTES)) {
      out.printf("%-20s %s (%s)%n", key, value, ByteSizes.show(value.asLong()));
      return;
    }
    if (!value.isArray() || key.equals("layers")) {
      out.printf("%-20s %s%n", key, plain(value));
      return;
    }
    out.printf("%-20s %d%n", key, value.size());
    int shown = 0;
    for (JsonNode item : value) {
      if (shown++ == MAX_LINES) {
        out.printf("  and %d more (--json lists them)%n", value.size() - MAX_LINES);
        return;
      }
      out.println("  " + (item.isTextual() ? plain(item) : line(item)));
    }
  }

  private static String plain(JsonNode value) {
    return Quote.show(value.isTextual() ? value.asText() : value.toString());
  }

  /** Returns an object on one line; values that are not text, and orders, precede their names. */
  static String line(JsonNode item) {
    StringJoiner line = new StringJoiner("  ");
    for (Map.Entry<String, JsonNode> field : item.properties()) {
      String key = field.getKey();
      JsonNode value = field.getValue();
      if (key.equals(BYTES)) {
        line.add(ByteSizes.show(value.asLong()));
      } else if (value.isBoolean()) {
        line.add(key);
      } else if (!FOR_PROGRAMS.contains(key)) {
        boolean named = !value.isTextual() || key.equals("order");
        line.add(plain(value) + (named ? ' ' + key : ""));
      }
    }
    return line.toString();
  }
}
