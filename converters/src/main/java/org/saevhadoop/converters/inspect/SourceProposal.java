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
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.kind.FolderContents;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.ModelName;

/**
 * A proposal for reading the files at a path as a dataset, with the commands that convert them.
 *
 * @param source the path as the user has written it
 */
record SourceProposal(SourceCommand command, String source, DatasetFormats.Proposed proposed) {
  /** The note that precedes a {@code verify} command. */
  static final String CHECK = "verify checks it";

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
   */
  record Suggestions(List<String> ambiguous, List<Suggestion> suggestion) {}

  /** A command that converts the files, and the shape of the dataset that it reads. */
  record Suggestion(String command, long examples, List<Integer> layers, int tokens, int dim) {
    static Suggestion of(String command, Geometry shape) {
      return new Suggestion(command, shape.examples(), shape.layers(), shape.tokens(), shape.dim());
    }

    /** Returns the shape as text. */
    String shape() {
      return Quote.sentence(
          "%d examples of %d layers and %d tokens of dim %d", examples, layers.size(), tokens, dim);
    }
  }

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
    List<Suggestion> commands = new ArrayList<>();
    for (ArrayProposal way : proposed.proposals().alternatives()) {
      commands.add(Suggestion.of(line(way, location), way.geometry()));
    }
    return new Suggestions(proposed.proposals().questions(), commands);
  }

  /** Returns whether the likeliest way to read the files may be the wrong one. */
  boolean isGuess() {
    return proposed.proposals().isGuess();
  }

  /**
   * Shows the command that confirms the likeliest way to read the files, or that verifies the files
   * if there is only one way.
   */
  void showNext() {
    proposed.proposals().likeliest().ifPresent(isGuess() ? this::confirm : this::check);
  }

  private void confirm(ArrayProposal way) {
    next("inspect", way)
        .with(way.confirmed())
        .show("there are several ways to read it; inspect confirms the first");
  }

  private void check(ArrayProposal way) {
    next("verify", way).with(way.options()).show(CHECK);
  }

  /** Returns a command; if the user named the format, it is among the options of {@code way}. */
  private NextCommand next(String name, ArrayProposal way) {
    return NextCommand.of(command, name, way.path(source));
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
