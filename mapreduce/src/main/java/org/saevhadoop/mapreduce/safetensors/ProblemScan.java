package org.saevhadoop.mapreduce.safetensors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.SampleMetadataCheck;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.IndexCheck;
import org.saevhadoop.format.safetensors.dataset.DatasetCheck;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.index.ModelCheck;

/**
 * Finds all problems of safetensors files.
 *
 * @param location a dataset, a model or a file
 * @param options the options with which files are read
 */
record ProblemScan(Location location, SafetensorsOptions options) {
  /**
   * Scans the location and returns the problems.
   *
   * @param warnings accepts findings that are unusual but valid
   */
  List<FormatException> run(Consumer<String> warnings) throws IOException {
    Optional<SafetensorsModel> model;
    try {
      model = SafetensorsModel.find(location);
    } catch (FormatException e) {
      return List.of(e);
    }
    if (model.isPresent()) {
      ModelCheck check =
          ModelCheck.of(model.get().index(), model.get().folder(), options.strictness());
      check.warnings().forEach(warnings);
      return check.problems();
    }
    return location.isFile() ? file() : dataset();
  }

  private List<FormatException> file() throws IOException {
    try (Input file = location.folder().open(location.file())) {
      SafetensorsHeader.read(file, options.strictness());
      return List.of();
    } catch (FormatException e) {
      return List.of(e);
    }
  }

  private List<FormatException> dataset() throws IOException {
    Folder folder = location.folder();
    DatasetCheck check = DatasetCheck.of(folder, options);
    List<FormatException> problems = new ArrayList<>(check.problems());
    if (IndexCheck.hasIndex(folder)) {
      problems.addAll(IndexCheck.run(folder, check.files(), check.layout(), options.strictness()));
    }
    if (check.problems().isEmpty()) {
      problems.addAll(SampleMetadataCheck.problems(SafetensorsTable.open(folder, options)));
    }
    return problems;
  }
}
