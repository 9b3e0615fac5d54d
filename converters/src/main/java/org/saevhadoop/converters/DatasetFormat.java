package org.saevhadoop.converters;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.activations.ShardFiles;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.safetensors.SafetensorsDataset;
import org.saevhadoop.format.safetensors.SafetensorsTable;
import org.saevhadoop.mapreduce.ActivationInputFormat;
import org.saevhadoop.mapreduce.ActivationOutputFormat;
import org.saevhadoop.mapreduce.ActivationPickleInputFormat;
import org.saevhadoop.mapreduce.ActivationPickleOutputFormat;
import org.saevhadoop.mapreduce.HadoopFolder;
import org.saevhadoop.mapreduce.SaevInputFormat;
import org.saevhadoop.mapreduce.SaevOutputFormat;
import org.saevhadoop.mapreduce.SafetensorsInputFormat;
import org.saevhadoop.mapreduce.SafetensorsOutputFormat;

/** The formats, by the names that the command line gives them. */
enum DatasetFormat {
  saev(new SaevInputFormat(), new SaevOutputFormat()),
  safetensors(new SafetensorsInputFormat(), new SafetensorsOutputFormat()),
  pickle(new ActivationPickleInputFormat(), new ActivationPickleOutputFormat());

  private static final Pattern PICKLE = Pattern.compile(".*\\.(pkl|pickle)(\\.gz)?");

  private final ActivationInputFormat input;
  private final ActivationOutputFormat output;

  DatasetFormat(ActivationInputFormat input, ActivationOutputFormat output) {
    this.input = input;
    this.output = output;
  }

  Class<? extends ActivationInputFormat> inputFormat() {
    return input.getClass();
  }

  Class<? extends ActivationOutputFormat> outputFormat() {
    return output.getClass();
  }

  /** What a configuration says is to be written in this format. */
  DatasetTarget target(Configuration conf) throws IOException {
    return output.target(conf);
  }

  /** Opens the dataset at a path for reading, whatever its columns are. */
  TableDataset openTable(Path path, Configuration conf) throws IOException {
    requireExists(path, conf);
    return input.open(path, conf);
  }

  /**
   * Opens the activations at a path for reading.
   *
   * @throws FormatException where there are other things
   */
  ActivationDataset open(Path path, Configuration conf) throws IOException {
    return activations(openTable(path, conf), conf);
  }

  /** A dataset as activations; says why where it is none. */
  static ActivationDataset activations(TableDataset dataset, Configuration conf)
      throws FormatException {
    return dataset instanceof SafetensorsTable table
        ? SafetensorsDataset.of(table, SafetensorsInputFormat.options(conf))
        : (ActivationDataset) dataset;
  }

  /** Tells the format of what lies at a path by the files there; {@code asked} where it is told. */
  static DatasetFormat of(Path path, DatasetFormat asked, Configuration conf) throws IOException {
    FileStatus status = requireExists(path, conf);
    if (asked != null) {
      return asked;
    }
    if (status.isFile()) {
      return PICKLE.matcher(path.getName()).matches() ? pickle : safetensors;
    }
    Folder folder = HadoopFolder.of(path, conf);
    Set<String> files = folder.files().keySet();
    if (files.stream().anyMatch(ShardFiles::isShard)) {
      return pickle;
    }
    if (files.contains(SaevMetadata.FILE) && !(files.size() == 1 && ShardFiles.areIn(folder))) {
      return saev;
    }
    if (files.contains(SafetensorsTable.MANIFEST)
        || files.stream().anyMatch(name -> name.endsWith(SafetensorsTable.SUFFIX))) {
      return safetensors;
    }
    if (ShardFiles.areIn(folder)) {
      return pickle;
    }
    throw FormatException.of(
        folder.path(),
        "is of no known format (expected %s, %s, files *%s or shard_*.pkl.gz in it%s)",
        SaevMetadata.FILE,
        SafetensorsTable.MANIFEST,
        SafetensorsTable.SUFFIX,
        hint(path, conf));
  }

  private static String hint(Path path, Configuration conf) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    String files = "{*,saev/shards/*}/" + SaevMetadata.FILE;
    List<String> datasets =
        Arrays.stream(fs.globStatus(new Path(path, files)))
            .map(status -> status.getPath().getParent())
            .map(
                p ->
                    p.getParent().getName().equals("shards")
                        ? "saev/shards/" + p.getName()
                        : p.getName())
            .limit(3)
            .toList();
    return datasets.isEmpty() ? "" : "; there are datasets below it: " + datasets;
  }

  private static FileStatus requireExists(Path path, Configuration conf) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    try {
      return fs.getFileStatus(path);
    } catch (FileNotFoundException e) {
      throw new FormatException(Paths.show(path, conf), "no such file or directory");
    }
  }
}
