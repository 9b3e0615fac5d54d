package org.saevhadoop.converters.stats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.LayerStatistics;
import org.saevhadoop.jobs.stats.StatisticsFiles;
import org.saevhadoop.mapreduce.io.HadoopStorage;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.publish.storage.ReplacedFile;
import org.saevhadoop.mapreduce.publish.storage.RunStorage;
import org.saevhadoop.mapreduce.publish.storage.RunStorage.EntryKind;

/**
 * The files to which statistics are written; null for each that is not.
 *
 * @param report the page of HTML
 * @param safetensors the file of tensors
 * @param folder the folder of activault's documents
 */
record StatsFiles(
    @Nullable String report,
    @Nullable String safetensors,
    @Nullable String folder,
    boolean overwrite,
    JobRunner runner) {
  private static final String LAYER = "layer_";

  private Configuration conf() {
    return runner.conf();
  }

  /**
   * Checks, before the job, that all of them can be written.
   *
   * @param source the dataset that is read
   * @throws org.saevhadoop.format.io.FormatException if one is a part of the dataset, or exists and
   *     must not be replaced
   */
  void check(SourceRequest source) throws IOException {
    if (report != null) {
      check(report, source);
    }
    if (safetensors != null) {
      check(safetensors, source);
    }
    if (folder != null) {
      checkFolder(PathArgument.parse(folder, conf()), source);
    }
  }

  private void check(String file, SourceRequest source) throws IOException {
    ReplacedFile replaced = file(file);
    source.checkOutput(replaced.path(), conf());
    replaced.check(overwrite);
  }

  private void checkFolder(Path path, SourceRequest source) throws IOException {
    source.checkOutputFolder(path, conf());
    RunStorage storage = RunStorage.of(path, conf());
    EntryKind kind = storage.kind(path);
    String shown = HadoopStorage.show(path, conf());
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
          source.checkOutput(document(PathArgument.child(path, entry.name())), conf());
        }
      }
    }
  }

  private static Path document(Path layer) {
    return PathArgument.child(layer, "statistics.json");
  }

  private ReplacedFile file(String path) throws IOException {
    return ReplacedFile.at(PathArgument.parse(path, conf()), conf());
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
      Path root = PathArgument.parse(folder, conf());
      for (LayerStatistics layer : found.layers()) {
        Path own = PathArgument.child(root, LAYER + layer.layer());
        own.getFileSystem(conf()).mkdirs(own);
        ReplacedFile.at(document(own), conf()).write(StatisticsFiles.activault(layer));
      }
    }
  }
}
