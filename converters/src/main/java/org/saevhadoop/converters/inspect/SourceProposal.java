package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.command.NextCommand;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.DatasetKeys.ShapeKeys;
import org.saevhadoop.converters.console.DatasetKeys.TypeKeys;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.proposal.ArrayProposal;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.kind.FolderContents;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.ModelName;

/**
 * A proposal for reading the files at a path as a dataset, with the commands that convert them.
 *
 * @param source the path as the user has written it
 */
record SourceProposal(SourceCommand command, String source, DatasetFormats.Proposed proposed) {
  private record Report(
      String path,
      String format,
      List<FolderContents.Kind> contents,
      @Nullable Long headersRead,
      @JsonUnwrapped @Nullable ShapeKeys shape,
      @Nullable Long vectors,
      @JsonUnwrapped @Nullable TypeKeys type,
      long bytes,
      @Nullable Long bytesOfValues,
      @Nullable Long bytesAsFloat32,
      List<String> warnings,
      @JsonUnwrapped Suggestions suggestions) {}

  /**
   * How a dataset may be read.
   *
   * @param ambiguous the questions that the files leave open
   * @param suggestion commands that convert the files
   */
  record Suggestions(List<String> ambiguous, List<String> suggestion) {}

  /** Returns the content of the location and the ways in which it can be read as a dataset. */
  Record report(Location location) throws IOException {
    ArrayProposals found = proposed.proposals();
    List<ArrayProposal> ways = found.alternatives();
    Geometry shape = ways.isEmpty() ? null : ways.get(0).geometry();
    return new Report(
        location.path(),
        proposed.format().name(),
        FolderContents.of(location),
        found.headers() < found.files() ? found.headers() : null,
        shape == null ? null : ShapeKeys.of(shape),
        shape == null ? null : shape.vectors(),
        shape == null ? null : TypeKeys.of(shape, proposed.format()),
        found.bytes(),
        shape == null ? null : shape.examples() * shape.exampleBytes(),
        shape == null ? null : shape.vectors() * shape.dim() * Float.BYTES,
        found.warnings(),
        suggestions(location));
  }

  /** Returns the open questions, and the commands. */
  Suggestions suggestions(Location location) throws IOException {
    List<String> lines = new ArrayList<>();
    for (ArrayProposal way : proposed.proposals().alternatives()) {
      lines.add(line(way, location));
    }
    return new Suggestions(proposed.proposals().questions(), lines);
  }

  private String line(ArrayProposal way, Location location) throws IOException {
    DatasetFormat to = command.console.formats().writable().get(0);
    NextCommand convert = NextCommand.convert(command, way.path(source), to).with(way.options());
    String model = way.model();
    if (proposed.format().assumedModel(location).equals(ModelName.UNKNOWN) || !model.isEmpty()) {
      convert.with(
          to.requireWriting()
              .modelOptions(model.isEmpty() ? ModelName.ASSUMED : ModelName.ofCheckpoint(model)));
    }
    return convert.withType(to, List.of(way.geometry().dtype())).line();
  }
}
