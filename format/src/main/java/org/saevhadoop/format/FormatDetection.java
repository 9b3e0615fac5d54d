package org.saevhadoop.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.kind.FileKind;
import org.saevhadoop.format.kind.FolderKind;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FormatEvidence;

/** Finds the format of the files at a location by asking each format. */
record FormatDetection(List<DatasetFormat> formats) {
  /**
   * Returns the format of the dataset at a location.
   *
   * @throws FormatException if the location matches no format, or is a file inside a dataset; the
   *     message describes the content that was found
   */
  DatasetFormat detect(Location location) throws IOException {
    Optional<Match> best = best(location);
    if (best.isPresent() && !(location.isFile() && best.get().evidence() == FormatEvidence.WEAK)) {
      return withoutRivals(location, best.get());
    }
    if (location.isFile()) {
      refusePart(location.folder(), location.file());
    }
    Optional<String> problem = problem(location);
    if (best.isPresent() && problem.isEmpty()) {
      return best.get().format();
    }
    throw DatasetError.UNKNOWN_FORMAT.in(
        location.path(),
        "%s (expected %s%s)",
        problem.orElse("has an unknown format"),
        formats.stream().map(format -> format.expected()).collect(Collectors.joining(", ")),
        location.isFile() && problem.isEmpty() ? decidingOptions() : "");
  }

  /** Returns the options for files that no format recognizes. */
  private String decidingOptions() {
    return formats.stream()
        .flatMap(format -> format.decidingKeys().stream())
        .flatMap(key -> key.options().stream())
        .map(option -> "; or " + option.name())
        .collect(Collectors.joining());
  }

  /**
   * Returns the format of a folder. The folder must not contain possible activations in several
   * formats; if the files of the likeliest format contain none, the other format is chosen.
   */
  private DatasetFormat withoutRivals(Location location, Match best) throws IOException {
    List<DatasetFormat> found = new ArrayList<>();
    for (DatasetFormat format : rivals(location, best)) {
      if (proposed(format, location).filter(own -> !own.areVectors()).isPresent()) {
        found.add(format);
      }
    }
    if (found.size() == 1 && proposed(best.format, location).isEmpty()) {
      return found.get(0);
    }
    ArrayError.AMBIGUOUS.check(
        found.isEmpty(),
        location.path(),
        "has files of several formats: %s (expected --from with one of them, or --files)",
        Stream.concat(Stream.of(best.format), found.stream()).map(DatasetFormat::name).toList());
    return best.format;
  }

  /** Returns the other formats that a folder resembles as much as the best match. */
  private List<DatasetFormat> rivals(Location location, Match best) throws IOException {
    List<DatasetFormat> rivals = new ArrayList<>();
    if (!location.isFile() && best.evidence == FormatEvidence.FAIR) {
      for (DatasetFormat format : formats) {
        if (format != best.format && format.detect(location) == FormatEvidence.FAIR) {
          rivals.add(format);
        }
      }
    }
    return rivals;
  }

  /** Returns the proposals of a format; empty if it cannot read the files. */
  private static Optional<ArrayProposals> proposed(DatasetFormat format, Location location)
      throws IOException {
    try {
      return format.propose(location);
    } catch (FormatException e) {
      return Optional.empty(); // another format may; opening the files reports this error
    }
  }

  /** Returns the format that a location resembles most, if there is enough evidence of it. */
  Optional<DatasetFormat> find(Location location, FormatEvidence least) throws IOException {
    return best(location)
        .filter(match -> match.evidence().compareTo(least) >= 0)
        .map(Match::format);
  }

  /**
   * Returns the format of the dataset at a location if the name of a file there, such as a
   * document, identifies it as part of the dataset.
   */
  Optional<DatasetFormat> documented(Location folder) throws IOException {
    Set<String> names = folder.files().keySet();
    boolean some = formats.stream().anyMatch(format -> names.stream().anyMatch(format::isPart));
    return some
        ? find(folder, FormatEvidence.WEAK)
            .filter(format -> names.stream().anyMatch(format::isPart))
        : Optional.empty();
  }

  /**
   * Returns the proposals of the first format that has any, and of other formats that the location
   * resembles as much. Their commands name the format if it is not the first and they name no
   * files.
   *
   * @param first the format to try first; null for none
   * @param only the format that the user has named; null for any
   */
  Optional<DatasetFormats.Proposed> propose(
      Location location, @Nullable DatasetFormat first, @Nullable DatasetFormat only)
      throws IOException {
    if (only != null) {
      return proposed(only, location)
          .map(own -> new DatasetFormats.Proposed(only, own.ofFormat(only.name())));
    }
    List<DatasetFormat> asked = new ArrayList<>();
    if (first != null) {
      asked.add(first);
    }
    formats.stream().filter(format -> format != first).forEach(asked::add);
    for (DatasetFormat format : asked) {
      Optional<ArrayProposals> found = proposed(format, location);
      if (found.isPresent()) {
        boolean isOther = first != null && format != first && !found.get().nameFiles();
        return Optional.of(
            new DatasetFormats.Proposed(
                format, withRivals(location, format, found.get(), isOther)));
      }
    }
    return Optional.empty();
  }

  private ArrayProposals withRivals(
      Location location, DatasetFormat format, ArrayProposals proposals, boolean isOther)
      throws IOException {
    Map<String, ArrayProposals> all = new LinkedHashMap<>();
    all.put(format.name(), proposals);
    for (DatasetFormat rival : rivals(location, new Match(format, format.detect(location)))) {
      proposed(rival, location)
          .filter(found -> !found.areVectors())
          .ifPresent(found -> all.put(rival.name(), found));
    }
    if (all.size() > 1) {
      return ArrayProposals.ofFormats(all);
    }
    return isOther ? proposals.ofFormat(format.name()) : proposals;
  }

  /** The format that a location resembles most. */
  private record Match(DatasetFormat format, FormatEvidence evidence) {}

  private Optional<Match> best(Location location) throws IOException {
    Match best = null;
    for (DatasetFormat format : formats) {
      FormatEvidence evidence = format.detect(location);
      if (evidence.compareTo(best == null ? FormatEvidence.NONE : best.evidence()) > 0) {
        best = new Match(format, evidence);
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * Checks that a file or subfolder that is not a dataset itself is not part of a dataset in its
   * folder.
   *
   * @param name the name of the file or subfolder
   * @throws FormatException if it is part of a dataset; the message names the folder
   */
  void refusePart(Folder folder, String name) throws IOException {
    boolean sidecar = name.endsWith(Sidecar.SUFFIX);
    if (!sidecar && formats.stream().noneMatch(format -> format.isPart(name))) {
      return;
    }
    Optional<DatasetFormat> dataset = find(Location.of(folder), FormatEvidence.WEAK);
    if (dataset.isPresent() && (sidecar || dataset.get().isPart(name))) {
      throw FileError.NOT_A_FOLDER.in(
          folder.path(name),
          "is a part of a %s dataset (expected its folder: %s)",
          dataset.get().name(),
          folder.path());
    }
  }

  private static Optional<String> problem(Location location) throws IOException {
    if (!location.isFile()) {
      return FolderKind.problem(location);
    }
    try (Input file = location.folder().open(location.file())) {
      return FileKind.problem(file);
    }
  }
}
