package org.saevhadoop.format.arrays;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * The groups of a dataset that has been surveyed. The headers of a group's files are read when the
 * group is needed, and discarded when memory is low.
 */
final class SurveyedGroups {
  private final Location location;
  private final List<ArrayFiles.Found> files;
  private final ArrayReader reader;
  private final ArrayOptions options;
  private final ArraySurvey survey;
  private final boolean isLayerAssumed;
  private final List<String> warnings;

  /** For each group, the number of earlier groups in the same files. */
  private final int[] ranks;

  /** For each group, the last group before it in the same files; -1 if there is none. */
  private final int[] previous;

  /** The index of the first stored example of each group in its files; -1 if unknown. */
  private final long[] firstStored;

  /** All groups if this object has read their headers; cleared when memory is low. */
  private SoftReference<List<ExampleGroup>> surveyed = new SoftReference<>(null);

  /** The groups in each set of files, in order, by the indexes of the files. */
  private final Map<List<Integer>, SoftReference<List<ExampleGroup>>> known =
      new ConcurrentHashMap<>();

  /** Creates groups that have not been read. */
  private SurveyedGroups(
      Location location,
      List<ArrayFiles.Found> files,
      ArrayReader reader,
      ArrayOptions options,
      ArraySurvey survey,
      boolean isLayerAssumed,
      List<String> warnings) {
    this.location = location;
    this.files = files;
    this.reader = reader;
    this.options = options;
    this.survey = survey;
    this.isLayerAssumed = isLayerAssumed;
    this.warnings = List.copyOf(warnings);
    this.ranks = new int[survey.groups().size()];
    this.previous = new int[ranks.length];
    this.firstStored = new long[ranks.length];
    Arrays.fill(firstStored, -1);
    Map<List<Integer>, Integer> last = new HashMap<>();
    for (int i = 0; i < ranks.length; i++) {
      Integer before = last.put(survey.groups().get(i).files(), i);
      previous[i] = before == null ? -1 : before;
      ranks[i] = before == null ? 0 : ranks[before] + 1;
    }
  }

  /**
   * Reads the headers of all files.
   *
   * @param isSample whether to skip the comparison of the token ids of joined layers
   * @throws FormatException if the arrays are not activations, or if their dimensions are ambiguous
   */
  static SurveyedGroups of(
      Location location, ArrayReader reader, ArrayOptions options, boolean isSample)
      throws IOException {
    List<ArrayFiles.Found> files = ArrayFiles.of(location, reader, options.files());
    ArrayAssembly.Result found =
        ArrayAssembly.of(location, files, reader, options).result(isSample);
    List<String> notes = new ArrayList<>(found.warnings());
    Geometry geometry = GroupShapes.geometry(location.path(), found, options.ragged(), notes::add);
    List<ExampleGroup> some = ExampleGroup.withVectors(found.groups(), options.ragged());
    ArraySurvey survey = ArraySurvey.of(files, some, geometry, options.ragged());
    DatasetError.TOO_LARGE.check(
        !survey.integers().contains(Column.LABELS) || geometry.tokens() <= ArrayTokens.MAX_TOKENS,
        location.path(),
        "has labels for examples with %d tokens (expected at most %d, or no --label-column)",
        geometry.tokens(),
        ArrayTokens.MAX_TOKENS);
    if (survey.integers().contains(PaddingMarks.NAME)
        && geometry.tokens() > ArrayTokens.MAX_TOKENS) {
      notes.add(
          Quote.sentence(
              "the padding of examples of more than %d tokens is not marked",
              ArrayTokens.MAX_TOKENS));
    }
    SurveyedGroups groups =
        new SurveyedGroups(location, files, reader, options, survey, found.isLayerAssumed(), notes);
    groups.surveyed = new SoftReference<>(some);
    return groups;
  }

  /**
   * Returns the groups of files that have been surveyed.
   *
   * @throws FormatException if names or lengths of files have changed
   */
  static SurveyedGroups of(
      Location location, ArrayReader reader, ArrayOptions options, ArraySurvey survey)
      throws IOException {
    List<ArrayFiles.Found> files = ArrayFiles.of(location, reader, options.files());
    SurveyedGroups groups =
        new SurveyedGroups(location, files, reader, options, survey, false, List.of());
    groups.check();
    return groups;
  }

  private void check() throws FormatException {
    ArrayError.CHANGED.check(
        files.size() == survey.files() && ArraySurvey.digest(files).equals(survey.listing()),
        location.path(),
        "files were added, removed or rewritten after the job had begun: %d files (expected %d with"
            + " the same names and lengths)",
        files.size(),
        survey.files());
  }

  /** Returns warnings about the files. */
  List<String> warnings() {
    return warnings;
  }

  /**
   * Returns whether nothing states the number of the only layer; false if the files were surveyed
   * before.
   */
  boolean isLayerAssumed() {
    return isLayerAssumed;
  }

  ArraySurvey survey() {
    return survey;
  }

  /** Returns the path of the first file of a group, relative to the folder of the dataset. */
  String firstFile(int group) {
    return found(group).path();
  }

  ArrayReader reader() {
    return reader;
  }

  /** Returns the sample metadata in the first file of a group; empty if it has none. */
  Optional<SampleMetadata> samples(int group) throws IOException {
    return reader.samples(location.folder(), firstFile(group));
  }

  /**
   * Returns the field names of the sample metadata in the first file of a group, if all examples
   * have the same fields.
   */
  List<String> sampleFields(int group) throws IOException {
    return reader.sampleFields(location.folder(), firstFile(group));
  }

  /** Returns the index of the first stored example of a group in its files. */
  synchronized long firstStored(int group) throws IOException {
    Deque<Integer> unknown = new ArrayDeque<>();
    for (int i = group; i >= 0 && firstStored[i] < 0; i = previous[i]) {
      unknown.push(i);
    }
    for (int i : unknown) {
      int before = previous[i];
      firstStored[i] =
          get(i).skipped() + (before < 0 ? 0 : firstStored[before] + get(before).storedExamples());
    }
    return firstStored[group];
  }

  /** Opens the elements of an array of integers. */
  Input elements(String file, String array) throws IOException {
    return reader.elements(location.folder(), file, array);
  }

  private ArrayFiles.Found found(int group) {
    return files.get(survey.groups().get(group).files().get(0));
  }

  /**
   * Returns a group; reads the headers of its files if they are not in memory.
   *
   * @throws FormatException if the group differs from the survey
   */
  ExampleGroup get(int index) throws IOException {
    return get(index, null);
  }

  /**
   * Returns a group.
   *
   * @param open the only file with layers of the group if that file is already open; otherwise null
   */
  ExampleGroup get(int index, @Nullable Input open) throws IOException {
    List<ExampleGroup> all = surveyed.get();
    if (all != null) {
      return all.get(index);
    }
    ArraySurvey.Group surveyed = survey.groups().get(index);
    Geometry geometry = survey.geometry();
    List<ExampleGroup> groups = groups(surveyed.files(), open);
    int rank = ranks[index];
    ArrayError.CHANGED.check(
        rank < groups.size() && isSurveyed(groups.get(rank), surveyed),
        found(index).folder().path(found(index).name()),
        "was changed after the job had begun (expected %d examples of shape %s, %s)",
        surveyed.examples(),
        List.of(geometry.layers().size(), geometry.tokens(), geometry.dim()),
        geometry.dtype());
    return groups.get(rank);
  }

  private List<ExampleGroup> groups(List<Integer> indexes, @Nullable Input open)
      throws IOException {
    SoftReference<List<ExampleGroup>> reference = known.get(indexes);
    List<ExampleGroup> groups = reference == null ? null : reference.get();
    if (groups == null) {
      groups = read(indexes, open);
      known.put(indexes, new SoftReference<>(groups));
    }
    return groups;
  }

  private boolean isSurveyed(ExampleGroup group, ArraySurvey.Group surveyed) {
    Geometry geometry = survey.geometry();
    Map<Long, Long> lengths = group.lengths();
    return (options.ragged().mode() != RaggedPolicy.Mode.ERROR
            || lengths.keySet().equals(Set.of((long) geometry.tokens())))
        && group.first().dtype() == geometry.dtype()
        && group.first().size(Axis.DIM) == geometry.dim()
        && group.examples(options.ragged()) == surveyed.examples()
        && group.isDirect(geometry, options.ragged()) == surveyed.isDirect();
  }

  /** Reads the groups that consist of exactly the given files. */
  private List<ExampleGroup> read(List<Integer> indexes, @Nullable Input open) throws IOException {
    List<ArrayFiles.Found> some = new ArrayList<>();
    // in the order of all files, because the integers come from the first one
    for (int index : indexes.stream().sorted().toList()) {
      some.add(files.get(index).opened(index == indexes.get(0) ? open : null));
    }
    List<String> paths = indexes.stream().map(index -> files.get(index).path()).toList();
    List<ExampleGroup> all =
        ArrayAssembly.of(location, some, reader, options).groups(survey.geometry().layers());
    return ExampleGroup.withVectors(all, options.ragged()).stream()
        .filter(group -> group.files().equals(paths))
        .toList();
  }
}
