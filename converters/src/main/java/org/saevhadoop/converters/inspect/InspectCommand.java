package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.command.NextCommand;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.DatasetKeys;
import org.saevhadoop.converters.console.DatasetKeys.ShapeKeys;
import org.saevhadoop.converters.console.DatasetKeys.TypeKeys;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.converters.console.RecordFields;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.DatasetReport;
import org.saevhadoop.format.spi.ReportSink;
import org.saevhadoop.format.spi.TensorListing;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reports the properties of a dataset or of a file of tensors. */
@Command(
    name = "inspect",
    sortOptions = false,
    description = {
      "Describes a dataset or a file of tensors.",
      "Reads only documents and headers, but all of pickled shards and of deflated SDZ files."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop inspect acts.npy",
      "  saev-hadoop inspect vllm/ --json",
      "  saev-hadoop inspect hdfs://namenode/shards/64988989"
    })
public final class InspectCommand extends SourceCommand {
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

  public InspectCommand(Console console) {
    super(console);
  }

  private record TensorsHead(
      @JsonUnwrapped DatasetKeys dataset,
      @Nullable Long vectors,
      @JsonUnwrapped @Nullable TypeKeys type,
      long bytes) {}

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
      Map<String, Object> all = RecordFields.of(keys(request, null));
      for (Map.Entry<String, Object> field : report.fields().entrySet()) {
        if (field.getKey().equals("bytes_of_values")) {
          putBytesOnDisk(all);
        }
        all.put(field.getKey(), field.getValue());
      }
      SourceProposal found = proposal(request);
      all.putAll(suggestions(found, request));
      InspectCommand.this.print(all);
      showNext(found, request);
    }

    @Override
    public void tensors(TensorListing listing) throws IOException {
      Geometry shape = listing.activations();
      Map<String, Object> head =
          RecordFields.of(
              new TensorsHead(
                  keys(request, shape),
                  shape == null ? null : shape.vectors(),
                  shape == null ? null : TypeKeys.of(shape, request.format()),
                  listing.bytes()));
      putBytesOnDisk(head);
      SourceProposal found = listing.count() == 0 ? null : proposal(request);
      try (TensorReport report = new TensorReport(console.out(), json, head, listing)) {
        listing.forEach(report::tensor);
        report.end(listing, suggestions(found, request));
      }
      showNext(found, request);
    }

    private void putBytesOnDisk(Map<String, Object> report) throws IOException {
      if (!request.location().isFile()) {
        request.source().bytesOnDisk().ifPresent(bytes -> report.put("bytes_on_disk", bytes));
      }
    }
  }

  private static DatasetKeys keys(SourceRequest request, @Nullable Geometry shape) {
    return new DatasetKeys(
        request.source().shown(),
        request.format().name(),
        shape == null ? null : ShapeKeys.of(shape));
  }

  @Override
  protected List<SettingKey<?>> commonKeys() {
    return List.of();
  }

  @Override
  protected boolean readsSeveral() {
    return true;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkKeys();
    SourceRequest request;
    try {
      request = request(path);
    } catch (FormatException e) {
      if (e.kind() != DatasetError.UNKNOWN_FORMAT && e.kind() != ArrayError.AMBIGUOUS) {
        throw e;
      }
      return propose(path, null, e);
    }
    if (request.several() != null) {
      return describeSeveral(request);
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

  private int describeSeveral(SourceRequest request) throws IOException, InterruptedException {
    if (digests) {
      throw usageError("--digests is for one dataset (expected no --with)");
    }
    try (OpenedSource source = OpenedSource.open(request, runner())) {
      source.dataset().warnings().forEach(console::warning);
      print(RecordFields.of(SeveralReport.of(source)));
    }
    return 0;
  }

  /** Returns whether no options or keys that control reading are set. */
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

  /** Returns the ways of reading a dataset that needs no options; null if there are no others. */
  private @Nullable SourceProposal proposal(SourceRequest request) throws IOException {
    DatasetFormat format = request.format();
    Optional<ArrayProposals> found =
        isWithoutOptions() ? format.propose(request.location()) : Optional.empty();
    if (found.isEmpty()) {
      return null;
    }
    ArrayProposals ways = found.get();
    if (askedFormat().isPresent()) {
      ways = ways.ofFormat(format.name());
    }
    return new SourceProposal(this, typed(request), new DatasetFormats.Proposed(format, ways));
  }

  private String typed(SourceRequest request) throws IOException {
    return asTyped(path, request.source().shown(), request.location());
  }

  private static Map<String, Object> suggestions(
      @Nullable SourceProposal found, SourceRequest request) throws IOException {
    return found == null ? Map.of() : RecordFields.of(found.suggestions(request.location()));
  }

  /**
   * Suggests ways to read files that can be read as a dataset only with options.
   *
   * @param detected the format that the files resemble; null if there is none
   * @throws FormatException the error that occurred when the files were read, if there are no
   *     proposals
   */
  private int propose(String source, @Nullable DatasetFormat detected, FormatException error)
      throws IOException {
    Location location = SourceRequest.location(source, runner());
    Optional<DatasetFormats.Proposed> found =
        isWithoutOptions()
            ? console.formats().propose(location, detected, askedFormat().orElse(null))
            : Optional.empty();
    if (found.isEmpty()) {
      throw error;
    }
    boolean isOther = detected != null && detected != found.get().format();
    if (isOther && !found.get().proposals().nameFiles()) {
      console.warning(ErrorMessages.describe(error));
    }
    SourceProposal proposal =
        new SourceProposal(this, asTyped(path, source, location), found.get());
    print(RecordFields.of(proposal.report(location)));
    if (!json) {
      proposal.showNext();
    }
    return 0;
  }

  private void showNext(@Nullable SourceProposal found, SourceRequest request) throws IOException {
    if (!json && found != null && found.isGuess()) {
      found.showNext();
    } else if (!json) {
      NextCommand.of(this, "verify", typed(request)).withTyped().show(SourceProposal.CHECK);
    }
  }

  private void print(Map<String, Object> report) throws IOException {
    if (json) {
      JsonOutput.print(report, console.out());
    } else {
      FieldText.print(console.out(), report);
    }
    console.out().flush();
  }
}
