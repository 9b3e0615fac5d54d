package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.saevhadoop.converters.command.NextCommand;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.proposal.ArrayProposal;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.kind.FolderContents;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.ModelName;

/**
 * What the files at a path would be as a dataset, and the commands that convert them.
 *
 * @param source the path as the user has written it
 */
record SourceProposal(SourceCommand command, String source, DatasetFormats.Proposed proposed) {
  /** Adds what the location contains, and what that would be as a dataset. */
  void describe(ObjectNode report, Location location) throws IOException {
    report.put("format", proposed.format().name());
    ArrayNode contents = report.putArray("contents");
    for (FolderContents.Kind kind : FolderContents.of(location)) {
      contents
          .addObject()
          .put("kind", kind.what())
          .put("files", kind.files())
          .put("bytes", kind.bytes());
    }
    if (proposed.proposals().headers() < proposed.proposals().files()) {
      report.put("headers_read", proposed.proposals().headers());
    }
    List<ArrayProposal> ways = proposed.proposals().alternatives();
    Geometry geometry = ways.isEmpty() ? null : ways.get(0).geometry();
    if (geometry != null) {
      JsonOutput.shape(report, geometry);
      report.put("vectors", geometry.vectors());
      JsonOutput.dtype(report, geometry.dtype(), proposed.format());
    }
    report.put("bytes", proposed.proposals().bytes());
    if (geometry != null) {
      report.put("bytes_of_values", geometry.examples() * geometry.exampleBytes());
      report.put("bytes_as_float32", geometry.vectors() * geometry.dim() * Float.BYTES);
    }
    ArrayNode warnings = report.putArray("warnings");
    proposed.proposals().warnings().forEach(warnings::add);
    addSuggestion(report);
  }

  /** Adds what is ambiguous, and the commands. */
  void addSuggestion(ObjectNode report) throws IOException {
    ArrayNode ambiguous = report.putArray("ambiguous");
    proposed.proposals().questions().forEach(ambiguous::add);
    ArrayNode suggestion = report.putArray("suggestion");
    for (ArrayProposal way : proposed.proposals().alternatives()) {
      suggestion.add(line(way));
    }
  }

  private String line(ArrayProposal way) throws IOException {
    DatasetFormat to = command.console.formats().writable().get(0);
    NextCommand convert = NextCommand.convert(command, way.path(source), to).with(way.options());
    String model = way.model();
    if (proposed.format().assumedModel().equals(ModelName.UNKNOWN) || !model.isEmpty()) {
      convert.with(
          to.requireWriting()
              .modelOptions(model.isEmpty() ? ModelName.ASSUMED : ModelName.ofCheckpoint(model)));
    }
    return convert.withType(to, List.of(way.geometry().dtype())).line();
  }
}
