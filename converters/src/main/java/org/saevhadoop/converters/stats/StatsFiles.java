package org.saevhadoop.converters.stats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.storage.ReplacedFile;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.RunStorage.EntryKind;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.StatisticsFiles;

/**
 * The files to which statistics are written; null for each file that is not written.
 *
 * @param report the HTML page
 * @param safetensors the tensor file
 * @param folder the folder for activault's documents
 */
record StatsFiles(
    @Nullable String report,
    @Nullable String safetensors,
    @Nullable String folder,
    boolean overwrite,
    JobRunner runner) {
  private static final String LAYER = "layer_";

  /**
   * Checks, before the job, that all files can be written.
   *
   * @param source the dataset that is read
   * @throws org.saevhadoop.format.io.FormatException if a file is a part of the dataset, or exists
   *     and must not be replaced
   */
  void check(SourceRequest source) throws IOException {
    if (report != null) {
      check(report, source);
    }
    if (safetensors != null) {
      check(safetensors, source);
    }
    if (folder != null) {
      checkFolder(runner.path(folder), source);
    }
  }

  private void check(String file, SourceRequest source) throws IOException {
    ReplacedFile replaced = file(file);
    source.checkOutput(replaced.path());
    replaced.check(overwrite);
  }

  private void checkFolder(StoragePath path, SourceRequest source) throws IOException {
    source.checkOutputFolder(path);
    RunStorage storage = runner.storage(path);
    EntryKind kind = storage.kind(path);
    String shown = path.shown();
    FileError.NOT_A_FOLDER.check(
        kind == EntryKind.ABSENT || kind == EntryKind.FOLDER,
        shown,
        "is not a folder (expected an empty folder, or a new path)");
    FileError.ALREADY_EXISTS.check(
        overwrite || kind == EntryKind.ABSENT || storage.list(path).isEmpty(),
        shown,
        "is not empty (expected an empty folder, a new path, or --overwrite)");
    if (kind == EntryKind.FOLDER) {
      for (RunStorage.Entry entry : storage.list(path)) {
        if (entry.name().startsWith(LAYER) && entry.kind() != EntryKind.FILE) { // may be a link
          source.checkOutput(document(path.child(entry.name())));
        }
      }
    }
  }

  private static StoragePath document(StoragePath layer) {
    return layer.child("statistics.json");
  }

  private ReplacedFile file(String path) throws IOException {
    StoragePath named = runner.path(path);
    return new ReplacedFile(named, runner.storage(named));
  }

  /** Returns the paths of the files and of the folder that are written. */
  List<String> written() throws IOException {
    List<String> paths = new ArrayList<>();
    for (String file : Arrays.asList(safetensors, folder, report)) {
      if (file != null) {
        paths.add(runner.path(file).shown());
      }
    }
    return paths;
  }

  /**
   * Writes the files.
   *
   * @param command the command line that computes the statistics
   * @param version the name and the version of the program
   */
  void write(DatasetStatistics found, String command, String version) throws IOException {
    if (safetensors != null) {
      file(safetensors).write(StatisticsFiles.safetensors(found));
    }
    if (report != null) {
      String page = StatsPage.of(found, command, version);
      file(report).write(page.getBytes(StandardCharsets.UTF_8));
    }
    if (folder != null) {
      StoragePath root = runner.path(folder);
      for (LayerStatistics layer : found.layers()) {
        StoragePath own = root.child(LAYER + layer.layer());
        runner.storage(own).createFolders(own);
        new ReplacedFile(document(own), runner.storage(own))
            .write(StatisticsFiles.activault(layer));
      }
    }
  }
}
