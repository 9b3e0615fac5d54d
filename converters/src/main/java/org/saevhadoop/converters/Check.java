package org.saevhadoop.converters;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.activations.ShardFiles;
import org.saevhadoop.format.attributes.AttributeCursor;
import org.saevhadoop.format.attributes.Attributes;
import org.saevhadoop.format.attributes.ExampleAttributes;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.safetensors.DatasetCheck;
import org.saevhadoop.format.safetensors.ModelCheck;
import org.saevhadoop.format.safetensors.SafetensorsHeader;
import org.saevhadoop.format.safetensors.SafetensorsOptions;
import org.saevhadoop.mapreduce.ActivationPickleInputFormat;
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
    DatasetFormat format = DatasetFormat.of(at, null, conf);
    if (format == DatasetFormat.pickle) {
      return pickles(at, conf);
    }
    FormatException.check(
        format == DatasetFormat.safetensors,
        Paths.show(at, conf),
        "is of a format that is not checked (expected safetensors or pickled shards)");
    return at.getFileSystem(conf).getFileStatus(at).isFile()
        ? file(at, options, conf)
        : dataset(at, options, conf);
  }

  private static List<FormatException> pickles(Path at, Configuration conf) throws IOException {
    List<FormatException> problems = new ArrayList<>();
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    try {
      ShardFiles files = ActivationPickleInputFormat.shards(at, conf);
      problems.addAll(
          new ListPickles(files, false, false, nowhere)
              .run(w -> System.err.println("warning: " + OneLine.of(w)), problems::add));
    } catch (FormatException e) {
      problems.add(e);
    }
    return problems;
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

  private static List<FormatException> dataset(
      Path at, SafetensorsOptions options, Configuration conf) throws IOException {
    Folder folder = HadoopFolder.of(at, conf);
    DatasetCheck check = DatasetCheck.of(folder, options);
    List<FormatException> problems = new ArrayList<>(check.problems());
    if (IndexCheck.hasIndex(folder)) {
      problems.addAll(IndexCheck.run(folder, check.files(), check.layout(), options.strictness()));
    }
    if (check.problems().isEmpty()) {
      attributes(SafetensorsInputFormat.table(at, conf), problems);
    }
    return problems;
  }

  /** What is wrong with the attributes of each data file. */
  private static void attributes(TableDataset dataset, List<FormatException> problems)
      throws IOException {
    Optional<Attributes> attributes = dataset.attributes();
    if (attributes.isEmpty()) {
      return;
    }
    for (Shard shard : dataset.shards()) {
      try (AttributeCursor cursor = attributes.get().cursor(shard.first(), shard.examples())) {
        ExampleAttributes next = cursor.next();
        while (next != null) {
          next = cursor.next();
        }
      } catch (FormatException e) {
        problems.add(e);
      }
    }
  }
}
