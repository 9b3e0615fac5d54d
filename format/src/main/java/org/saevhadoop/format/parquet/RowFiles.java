package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.table.TableFooter;
import org.saevhadoop.format.parquet.write.ParquetWritePlan;

/**
 * The files of a dataset in the {@link RowLayout}, which hold all of its examples.
 *
 * @param path the path of the dataset
 * @param shards the files in the order of their examples
 */
record RowFiles(String path, RowLayout layout, Shards shards) {
  /**
   * The examples of a file.
   *
   * @param file the path relative to the folder of the dataset
   * @param first the number of the first example
   */
  record Run(String file, long first, long examples) {}

  /**
   * Reads the footers of all files; examples are in the order of the file names.
   *
   * @param layout the layout of the dataset
   * @param footers the receiver of the footers
   */
  static RowFiles read(
      Location location,
      List<ArrayFiles.Found> files,
      RowLayout layout,
      BiConsumer<TableFooter, RowLayout> footers)
      throws IOException {
    List<Run> runs = new ArrayList<>();
    long next = 0;
    for (ArrayFiles.Found file : files) {
      try (Input in = ArrayFiles.open(location.folder(), file.path())) {
        TableFooter footer = TableFooter.read(in);
        RowLayout own = RowLayout.of(footer, List.of()).orElse(null);
        ParquetError.UNORDERED_ROWS.check(
            own != null && layout.isOfSameDataset(own),
            in.path(),
            "is a file of another dataset (expected the %s, columns and documents of %s)",
            ParquetWritePlan.SHAPE_KEY,
            layout.file());
        footers.accept(footer, own);
        long examples = layout.examples(footer);
        runs.add(new Run(file.path(), next, examples));
        next += examples;
      }
    }
    return of(location.path(), layout, runs);
  }

  /**
   * Creates the files of a dataset.
   *
   * @throws FormatException if their examples do not match the dataset
   */
  static RowFiles of(String path, RowLayout layout, List<Run> runs) throws FormatException {
    List<Shard> shards = new ArrayList<>();
    long next = 0;
    for (Run run : runs.stream().sorted(Comparator.comparingLong(Run::first)).toList()) {
      ParquetError.UNORDERED_ROWS.check(
          run.first == next,
          path,
          "%s begins with example %d (expected %d)",
          run.file,
          run.first,
          next);
      if (run.examples > 0) {
        long bytes = run.examples * layout.geometry().exampleBytes();
        shards.add(new Shard(run.file, next, run.examples, bytes));
      }
      next += run.examples;
    }
    ParquetError.UNORDERED_ROWS.check(
        next == layout.geometry().examples(),
        path,
        "has %d examples (expected %d: all files of the dataset, in one folder)",
        next,
        layout.geometry().examples());
    return new RowFiles(path, layout, new Shards(shards));
  }

  /** Returns the dataset without its values, which are not staged. */
  RowTable table(Location location) {
    return new RowTable(
        path,
        location.folder(),
        layout,
        layout.table(shards.examples()),
        layout.geometry().layers(),
        shards,
        location.folder(),
        List.of(),
        List.of());
  }

  /**
   * Returns the examples of files whose row groups are staged.
   *
   * @param groups the row groups of all files
   * @throws FormatException if the row groups of a layer are not consecutive
   */
  static List<Run> runs(RowLayout layout, List<StagedGroup> groups) throws FormatException {
    Map<String, List<StagedGroup>> files = new LinkedHashMap<>();
    for (StagedGroup group : groups.stream().sorted(StagedGroup.ORDER).toList()) {
      files.computeIfAbsent(group.path(), unknown -> new ArrayList<>()).add(group);
    }
    List<Run> runs = new ArrayList<>();
    for (Map.Entry<String, List<StagedGroup>> own : files.entrySet()) {
      Run first = null;
      for (int layer : layout.geometry().layers()) {
        Run run = run(own.getKey(), own.getValue(), layer);
        first = first == null ? run : first;
        ParquetError.UNORDERED_ROWS.check(
            run.equals(first),
            run.file,
            "has examples %d:%d of layer %d (expected %d:%d, as for layer %d)",
            run.first,
            run.first + run.examples,
            layer,
            first.first,
            first.first + first.examples,
            layout.geometry().layers().get(0));
      }
      if (first != null) {
        runs.add(first);
      }
    }
    return runs;
  }

  private static Run run(String file, List<StagedGroup> groups, int layer) throws FormatException {
    long first = -1;
    long next = -1;
    for (StagedGroup group : groups) {
      RowGroupKeys keys = group.keys();
      if (keys == null || !keys.layers().contains(layer)) {
        continue;
      }
      ParquetError.UNORDERED_ROWS.check(
          next < 0 || keys.first() == next,
          file,
          "row group %d begins with example %d of layer %d (expected example %d)",
          group.group(),
          keys.first(),
          layer,
          next);
      first = first < 0 ? keys.first() : first;
      next = keys.first() + keys.examples();
    }
    return new Run(file, Math.max(0, first), Math.max(0, next) - Math.max(0, first));
  }
}
