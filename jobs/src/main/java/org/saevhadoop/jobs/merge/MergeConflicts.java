package org.saevhadoop.jobs.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.combined.Combine;
import org.saevhadoop.format.combined.CombinedSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.publish.SourceOverlap;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.FileMerge;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.failure.ErrorMessages;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SeveralRequests;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * Finds all obstacles to merging sources, before anything is written: sources that are not found or
 * cannot be opened are listed together with the differences of the others.
 *
 * @param several the sources that were found; possibly none
 * @param target the path that the user named
 */
record MergeConflicts(SeveralRequests several, StoragePath target, JobRunner runner) {
  /**
   * The findings about sources without conflicts.
   *
   * @param open the opened sources, without streams
   * @param files the findings of their format about their files; null if files are not merged
   */
  record Found(List<CombinedSource> open, FileMerge.@Nullable Survey files) {}

  /**
   * Opens the sources.
   *
   * @param failures the reasons why other sources were not found
   * @throws FormatException if there are conflicts; if there are several, each is reported as a
   *     warning
   */
  Found check(List<FormatException> failures) throws IOException {
    List<FormatException> conflicts = new ArrayList<>(failures);
    conflicts.addAll(overlaps());
    conflicts.addAll(otherFormats());
    List<CombinedSource> open = several.open(Map.of(), conflicts, runner);
    conflicts.addAll(several.conflicts(open));
    Set<String> known = new HashSet<>();
    conflicts.forEach(conflict -> known.add(conflict.getMessage()));
    List<FileMerge.Survey> files = files();
    for (FileMerge.Survey survey : files) {
      survey.conflicts().stream()
          .filter(more -> !known.contains(more.getMessage()))
          .forEach(conflicts::add);
    }
    refuse(conflicts);
    return new Found(open, files.isEmpty() ? null : files.get(0));
  }

  private List<SourceRequest> sources() {
    return several.members();
  }

  private List<FormatException> overlaps() throws IOException {
    List<FormatException> overlaps = new ArrayList<>();
    for (SourceRequest source : sources()) {
      try {
        SourceOverlap.check(source.source(), target);
      } catch (FormatException e) {
        overlaps.add(e);
      }
    }
    return overlaps;
  }

  private List<FormatException> otherFormats() {
    List<FormatException> others = new ArrayList<>();
    for (SourceRequest source : sources()) {
      SourceRequest first = sources().get(0);
      if (!source.format().equals(first.format())) {
        others.add(
            MergeError.FORMATS_DIFFER.in(
                source.source().shown(),
                "is a dataset in %s format (expected %s, like %s; convert writes either format)",
                source.format().name(),
                first.format().name(),
                first.source().shown()));
      }
    }
    return others;
  }

  /**
   * Returns the findings of each format about merging the files of its sources as additional
   * examples.
   */
  private List<FileMerge.Survey> files() throws IOException {
    List<FileMerge.Survey> surveys = new ArrayList<>();
    List<DatasetFormat> formats = sources().stream().map(SourceRequest::format).distinct().toList();
    for (DatasetFormat format : formats) {
      FileMerge files = format.merging().orElse(null);
      if (files != null && several.way() != Combine.LAYERS) {
        surveys.add(
            files.survey(
                sources().stream()
                    .filter(source -> source.format().equals(format))
                    .map(MergeConflicts::file)
                    .toList()));
      }
    }
    return surveys;
  }

  /** Returns a source in the form that its format needs to copy the files. */
  static FileMerge.Source file(SourceRequest source) {
    return new FileMerge.Source(source.source().shown(), source.location(), source.spec().format());
  }

  private void refuse(List<FormatException> conflicts) throws FormatException {
    if (conflicts.size() == 1) {
      throw conflicts.get(0);
    }
    if (!conflicts.isEmpty()) {
      conflicts.forEach(conflict -> runner.warning(ErrorMessages.describe(conflict)));
      FormatException all =
          MergeError.CONFLICTS.in(
              target.shown(),
              "is not written because the sources have %d conflicts (expected none; each is a"
                  + " warning above)",
              conflicts.size());
      conflicts.forEach(all::addSuppressed);
      throw all;
    }
  }
}
