package org.saevhadoop.converters.command;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrays.proposal.ArrayProposal;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.plan.Prepared;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.verify.Finding;
import org.saevhadoop.jobs.verify.Severity;
import org.saevhadoop.jobs.verify.Verification;
import org.saevhadoop.jobs.verify.Verification.Scope;
import org.saevhadoop.jobs.verify.VerifiedDataset;
import org.saevhadoop.jobs.verify.VerifiedDataset.VerifiedColumn;
import org.saevhadoop.mapreduce.job.InputKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks the structure, the checksums and the values of a dataset. */
@Command(
    name = "verify",
    sortOptions = false,
    exitCodeOnExecutionException = VerifyCommand.NOT_CHECKED,
    description = {
      "Checks structure, checksums and values of a dataset.",
      "Exit code 0 if nothing is wrong, 1 if there are findings, 2 if the command line or a setting is wrong,"
          + " 3 if it cannot be checked."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop verify shards/64988989",
      "  saev-hadoop verify acts.safetensors --fail-on warning --json",
      "  saev-hadoop verify hdfs://namenode/acts --structure"
    })
public final class VerifyCommand extends SourceCommand {
  static final int NOT_CHECKED = 3;

  private static final String UNSUMMED = "; no sums are recorded, so flipped bits may not be found";

  private static final TableShape ANY = new Geometry(1, List.of(0), 1, 1).table();

  @Parameters(paramLabel = "PATH", description = "A dataset, a model or a file of tensors.")
  String path;

  @Option(
      names = "--structure",
      description =
          "Check the structure only: documents, headers and sizes. Neither sums of files nor"
              + " values are read.")
  boolean structure;

  @Option(
      names = "--duplicates",
      description =
          "Compare vectors even in layers of more than 10 million vectors. Takes 24 bytes of"
              + " temporary space for each vector.")
  boolean duplicates;

  @Option(
      names = "--fail-on",
      paramLabel = "error|warning",
      completionCandidates = Severities.class,
      description =
          "The findings for which the exit code is 1: errors, or also warnings. By default errors.")
  Severity failOn = Severity.ERROR;

  @Option(names = PlanReport.OPTION, description = PlanReport.HELP)
  boolean dryRun;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** The values of {@code --fail-on}, as they are typed. */
  record Severities() implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("error", "warning").iterator();
    }
  }

  private record Report(String path, boolean ok, @JsonUnwrapped VerifiedDataset found) {}

  public VerifyCommand(Console console) {
    super(console);
  }

  @Override
  protected boolean readsSeveral() {
    return true;
  }

  @Override
  public Integer call() throws Exception {
    checkKeys();
    if (structure && duplicates) {
      throw usageError("--duplicates reads values (expected no --structure)");
    }
    Scope scope = structure ? Scope.STRUCTURE : duplicates ? Scope.DUPLICATES : Scope.CONTENT;
    SourceRequest request = request(path);
    Prepared<VerifiedDataset> verification =
        new Verification(path, scope, runner().configured()).prepare(List.of(request), runner());
    if (dryRun) {
      return PlanReport.print(verification, json, console);
    }
    VerifiedDataset found = verification.run();
    boolean ok = found.isFreeOf(failOn);
    if (json) {
      JsonOutput.print(new Report(request.location().path(), ok, found), console.out());
    } else {
      boolean isUnsummed =
          !structure && !found.checked().sums() && request.spec().projection().isEverything();
      print(found, isUnsummed, console.out());
    }
    console.out().flush();
    if (ok && !json && found.checked().vectors() > 0) {
      showNext(request, found);
    } else if (!ok && !json) {
      showFirst(request, found);
    }
    return ok ? 0 : 1;
  }

  /**
   * Shows the command that prints the sample to which the first finding about a value refers, or
   * the vector if there is no sample metadata.
   */
  private void showFirst(SourceRequest request, VerifiedDataset found) throws IOException {
    Optional<Finding> first =
        found.findings().stream()
            .filter(finding -> finding.severity().compareTo(failOn) <= 0)
            .filter(finding -> finding.layer() != null && finding.token() != null)
            .findFirst();
    if (first.isEmpty()
        || request.several() != null
        || InputKeys.projection().stream().anyMatch(this::isTyped)) {
      return; // no example, or an option that cat refuses with the number of one
    }
    boolean isSample = hasSamples(request, found);
    List<String> vector =
        List.of("--layer", "" + first.get().layer(), "--token", "" + first.get().token());
    NextCommand.of(this, "cat", asTyped(path, request.source().shown(), request.location()))
        .withTyped()
        .with(flattening(found))
        .with(List.of("--example", "" + first.get().example()))
        .with(isSample ? List.of("--sample-metadata") : vector)
        .show("cat shows the %s of the first finding".formatted(isSample ? "sample" : "vector"));
  }

  /** Returns whether the dataset is read in place and has sample metadata. */
  private boolean hasSamples(SourceRequest request, VerifiedDataset found) throws IOException {
    Settings settings = request.spec().format();
    if (!flattening(found).isEmpty()) {
      settings = settings.with(ArrayKeys.RAGGED, RaggedPolicy.parse("flatten"));
    }
    try {
      return !OpenedSource.isStream(request)
          && request
              .format()
              .open(request.location(), settings, console.formats())
              .sampleMetadata()
              .isPresent();
    } catch (FormatException e) {
      return false; // one of the findings
    }
  }

  /** Returns the option that allowed the values to be checked even though lengths differ. */
  private static List<String> flattening(VerifiedDataset found) {
    boolean isFlattened =
        found.findings().stream()
            .anyMatch(finding -> finding.kind().equals(DatasetError.RAGGED.name()));
    return isFlattened ? List.of("--ragged", "flatten") : List.of();
  }

  /**
   * Shows the next command: {@code stats} for a dataset that this program has written, or a
   * conversion for any other dataset.
   */
  private void showNext(SourceRequest request, VerifiedDataset found) throws IOException {
    String source = asTyped(path, request.source().shown(), request.location());
    if (isWritten(request)) {
      NextCommand.of(this, "stats", source).withTyped().show("stats describes its values");
    } else {
      showConversion(source, request, found);
    }
  }

  /** Returns whether a dataset of arrays has the documents that a conversion writes. */
  private static boolean isWritten(SourceRequest request) throws IOException {
    DatasetWriting writing = request.format().writing().orElse(null);
    if (writing == null
        || request.location().isFile()
        || !writing.keepsTokenArrays(Settings.NONE, ANY)) {
      return false;
    }
    try {
      return !writing.datasetFiles(request.location()).isEmpty();
    } catch (FormatException e) {
      return false;
    }
  }

  /** Shows a conversion to another format that also has arrays for the per-token integers. */
  private void showConversion(String source, SourceRequest request, VerifiedDataset found)
      throws IOException {
    List<DType> types = found.layers().stream().map(VerifiedColumn::dtype).toList();
    for (DatasetFormat to : console.formats().writable()) {
      if (!to.equals(request.format())
          && to.requireWriting().keepsTokenArrays(Settings.NONE, ANY)) {
        NextCommand.convert(this, source, to)
            .withTyped()
            .with(flattening(found))
            .withType(to, types)
            .show("convert writes it as " + to.name());
        return;
      }
    }
  }

  @Override
  UndecidedException proposal(FormatException error, String source, DatasetFormats.Proposed found) {
    Optional<ArrayProposal> way = found.proposals().likeliest();
    return way.isEmpty()
        ? super.proposal(error, source, found)
        : new UndecidedException(
            error,
            "inspect proposes options",
            NextCommand.of(this, "verify", way.get().path(source))
                .with(way.get().options())
                .line());
  }

  /**
   * Prints findings.
   *
   * @param isUnsummed whether the files would have been compared with recorded sums
   */
  private static void print(VerifiedDataset found, boolean isUnsummed, PrintWriter out) {
    String advice = null;
    for (Finding finding : found.findings()) {
      if (advice != null && !advice.equals(finding.advice())) {
        out.println("  " + Quote.show(advice));
      }
      out.println(Quote.show(finding.toString()));
      advice = finding.advice();
    }
    if (advice != null) {
      out.println("  " + Quote.show(advice));
    }
    found.notListed().forEach(more -> out.printf("%s: %d more%n", more.kind(), more.count()));
    for (VerifiedColumn column : found.layers()) {
      if (!column.counts().isEmpty()) {
        String counts =
            column.counts().stream()
                .map(some -> some.count() + " " + some.kind())
                .collect(Collectors.joining(", "));
        String name = name(column.layer(), column.column());
        out.print(Quote.sentence("%s: %d vectors, %s%n", name, column.vectors(), counts));
      }
    }
    VerifiedDataset.Checked checked = found.checked();
    out.print(
        Quote.sentence(
            "%s: %d files, %s, %d vectors%s%s%n",
            found.findings().isEmpty() ? "no problem found" : "checked",
            checked.files(),
            ByteSizes.show(checked.bytes()),
            checked.vectors(),
            checked.duplicates() || checked.vectors() == 0 ? "" : ", not compared with one another",
            isUnsummed ? UNSUMMED : ""));
  }
}
