package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.parquet.RowFiles.Run;
import org.saevhadoop.format.samples.DataFile;

/**
 * The document of a folder in which row groups of the {@link RowLayout} are staged.
 *
 * @param file a file of the dataset, whose metadata describes it
 * @param layers the layers whose vectors are staged
 * @param runs the examples of the files
 * @param ids the examples of the files that contain ids
 * @param samples the examples of the sidecars
 */
record StagedRows(
    String file, List<Integer> layers, List<Run> runs, List<Run> ids, List<Run> samples) {
  private static final String DOCUMENT = "_rows.json";

  /**
   * Describes the row groups, which must all be staged.
   *
   * @throws FormatException if a vector of the dataset is missing or occurs twice
   */
  static StagedRows of(
      String path, RowLayout layout, String file, List<Integer> layers, List<StagedGroup> groups)
      throws FormatException {
    List<Run> runs = RowFiles.runs(layout, groups);
    RowFiles.of(path, layout, runs);
    return new StagedRows(
        file, layers, runs, beside(groups, StagedGroup::ids), beside(groups, StagedGroup::samples));
  }

  /** Returns the examples of the files that accompany row groups, in ascending order. */
  private static List<Run> beside(
      List<StagedGroup> groups, Function<StagedGroup, @Nullable String> file) {
    List<Run> files = new ArrayList<>();
    for (StagedGroup group : groups) {
      RowGroupKeys keys = group.keys();
      String name = file.apply(group);
      if (keys != null && name != null) {
        files.add(new Run(name, keys.first(), keys.examples()));
      }
    }
    files.sort(Comparator.comparingLong(Run::first));
    return files;
  }

  static boolean isIn(Folder staged) throws IOException {
    return staged.files().containsKey(DOCUMENT);
  }

  static StagedRows read(Folder staged) throws IOException {
    return Jackson.read(staged, DOCUMENT, StagedRows.class);
  }

  void write(Folder staged) throws IOException {
    Jackson.write(staged, DOCUMENT, this);
  }

  /** Opens the dataset. */
  RowTable open(Location tables, RowLayout layout, Folder staged) throws FormatException {
    Shards shards = RowFiles.of(tables.path(), layout, runs).shards();
    List<DataFile> files =
        samples.stream().map(run -> new DataFile(run.file(), run.first(), run.examples())).toList();
    return new RowTable(
        tables.path(),
        tables.folder(),
        layout,
        layout.table(shards.examples()),
        layers,
        shards,
        staged,
        ids,
        files);
  }
}
