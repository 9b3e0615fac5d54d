package org.saevhadoop.converters;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.DatasetCheck;
import org.saevhadoop.format.safetensors.ModelCheck;
import org.saevhadoop.format.safetensors.SafetensorsHeader;
import org.saevhadoop.format.safetensors.SafetensorsOptions;
import org.saevhadoop.mapreduce.HadoopFolder;
import org.saevhadoop.mapreduce.SafetensorsInputFormat;
import org.saevhadoop.mapreduce.index.IndexCheck;

/** Everything that is wrong with what lies at a path, each for a line. */
final class Check {
  private Check() {}

  /**
   * Looks at a safetensors dataset, a model or a file.
   *
   * @throws FormatException where there is something else
   */
  static List<FormatException> problems(Path at, Configuration conf) throws IOException {
    SafetensorsOptions options = SafetensorsInputFormat.options(conf);
    Optional<Model> model;
    try {
      model = Model.find(at, conf);
    } catch (FormatException e) {
      return List.of(e);
    }
    if (model.isPresent()) {
      ModelCheck check =
          ModelCheck.of(model.get().index(), model.get().folder(), options.strictness());
      check.warnings().forEach(w -> System.err.println("warning: " + OneLine.of(w)));
      return check.problems();
    }
    FormatException.check(
        DatasetFormat.of(at, null, conf) == DatasetFormat.safetensors,
        Paths.show(at, conf),
        "is of a format that is not checked (expected safetensors)");
    return at.getFileSystem(conf).getFileStatus(at).isFile()
        ? file(at, options, conf)
        : dataset(HadoopFolder.of(at, conf), options);
  }

  private static List<FormatException> file(Path at, SafetensorsOptions options, Configuration conf)
      throws IOException {
    try (Input in = Model.parent(at, conf).open(at.getName())) {
      SafetensorsHeader.read(in, options.strictness());
      return List.of();
    } catch (FormatException e) {
      return List.of(e);
    }
  }

  private static List<FormatException> dataset(Folder folder, SafetensorsOptions options)
      throws IOException {
    DatasetCheck check = DatasetCheck.of(folder, options);
    List<FormatException> problems = new ArrayList<>(check.problems());
    if (IndexCheck.hasIndex(folder)) {
      problems.addAll(IndexCheck.run(folder, check.files(), check.layout(), options.strictness()));
    }
    return problems;
  }
}
