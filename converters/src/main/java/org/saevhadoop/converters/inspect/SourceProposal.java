package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.arrays.proposal.ArrayProposal;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.kind.FolderContents;
import org.saevhadoop.mapreduce.DatasetFormats;
import org.saevhadoop.mapreduce.spi.DatasetFormat;
import org.saevhadoop.mapreduce.spi.ModelName;

/**
 * What the files at a path would be as a dataset, and the commands that convert them.
 *
 * @param source the path as the user has written it
 */
record SourceProposal(
    String source, DatasetFormats formats, DatasetFormat format, ArrayProposals proposals) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  /**
   * Returns what a format, or the first one that finds something, proposes for a location.
   *
   * @param detected the format that is asked first; null for none
   */
  static Optional<SourceProposal> of(
      String source, Location location, @Nullable DatasetFormat detected, DatasetFormats formats)
      throws IOException {
    List<DatasetFormat> asked = new ArrayList<>();
    if (detected != null) {
      asked.add(detected);
    }
    formats.all().stream()
        .map(DatasetFormats.Entry::format)
        .filter(format -> format != detected)
        .forEach(asked::add);
    for (DatasetFormat format : asked) {
      Optional<ArrayProposals> found = format.propose(location);
      if (found.isPresent()) {
        return Optional.of(new SourceProposal(source, formats, format, found.get()));
      }
    }
    return Optional.empty();
  }

  /** Adds what lies at the location, and what it would be as a dataset. */
  void describe(ObjectNode report, Location location) throws IOException {
    report.put("format", format.name());
    ArrayNode contents = report.putArray("contents");
    for (FolderContents.Kind kind : FolderContents.of(location)) {
      contents
          .addObject()
          .put("kind", kind.what())
          .put("files", kind.files())
          .put("bytes", kind.bytes());
    }
    if (proposals.headers() < proposals.files()) {
      report.put("headers_read", proposals.headers());
    }
    Geometry geometry = proposals.alternatives().get(0).geometry();
    if (geometry != null) {
      JsonOutput.shape(report, geometry);
      report.put("vectors", geometry.vectors());
      JsonOutput.dtype(report, geometry.dtype(), format);
    }
    report.put("bytes", proposals.bytes());
    if (geometry != null) {
      report.put("bytes_of_values", geometry.examples() * geometry.exampleBytes());
      report.put("bytes_as_float32", geometry.vectors() * geometry.dim() * Float.BYTES);
    }
    ArrayNode warnings = report.putArray("warnings");
    proposals.warnings().forEach(warnings::add);
    addSuggestion(report);
  }

  /** Adds what is ambiguous, and the commands. */
  void addSuggestion(ObjectNode report) {
    ArrayNode ambiguous = report.putArray("ambiguous");
    proposals.questions().forEach(ambiguous::add);
    ArrayNode suggestion = report.putArray("suggestion");
    proposals.alternatives().forEach(alternative -> suggestion.add(line(alternative)));
  }

  private String line(ArrayProposal alternative) {
    DatasetFormats.Entry to = formats.writable().get(0);
    StringBuilder line = new StringBuilder("saev-hadoop convert ");
    line.append(quoted(source.startsWith("-") ? "./" + source : source));
    line.append(" OUT --to ").append(to.name());
    alternative.options().forEach(word -> line.append(' ').append(quoted(word)));
    if (!alternative.choice().isEmpty()) {
      line.append(' ').append(alternative.choice());
    }
    if (format.assumedModel().equals(ModelName.UNKNOWN)) {
      to.writing().unknownModelOptions().forEach(word -> line.append(' ').append(word));
    }
    return line.toString();
  }

  /** Returns a word as a POSIX shell reads it. */
  static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
