package org.saevhadoop.converters;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.KeyedTensor;
import org.saevhadoop.format.safetensors.KeyedTensors;
import org.saevhadoop.format.safetensors.Layout;
import org.saevhadoop.format.safetensors.ModelIndex;
import org.saevhadoop.format.safetensors.SafetensorsTable;
import org.saevhadoop.format.safetensors.Strictness;
import org.saevhadoop.mapreduce.HadoopFolder;
import org.saevhadoop.mapreduce.SafetensorsInputFormat;
import org.saevhadoop.mapreduce.index.IndexCheck;
import org.saevhadoop.mapreduce.index.ParquetTensorIndex;

/** Finds single tensors. */
final class TensorSource {
  private final Path at;
  private final Configuration conf;
  private final Strictness strictness;

  TensorSource(Path at, Configuration conf) {
    this.at = at;
    this.conf = conf;
    this.strictness = SafetensorsInputFormat.options(conf).strictness();
  }

  /** The tensor of a name, in a file or a model. */
  KeyedTensor named(String name) throws IOException {
    Optional<Model> model = Model.find(at, conf);
    if (model.isPresent()) {
      ModelIndex index = model.get().index();
      String file = index.weightMap().get(name);
      FormatException.check(file != null, index.path(), "names no tensor \"%s\"", OneLine.of(name));
      return in(model.get().folder(), file, name);
    }
    DatasetFormat.of(at, DatasetFormat.safetensors, conf);
    FormatException.check(
        at.getFileSystem(conf).getFileStatus(at).isFile(),
        Paths.show(at, conf),
        "is a folder without *%s (expected a file or a model for --name; --key is for datasets)",
        ModelIndex.SUFFIX);
    return in(Model.parent(at, conf), at.getName(), name);
  }

  private KeyedTensor in(Folder folder, String file, String name) throws IOException {
    return KeyedTensor.open(folder, file, name, strictness)
        .orElseThrow(
            () -> FormatException.of(folder.path(file), "has no tensor \"%s\"", OneLine.of(name)));
  }

  /**
   * The tensor of a key in a dataset in the key-value layout: by its index where it has one, else
   * by the headers of its files in their order.
   */
  KeyedTensor keyed(String key) throws IOException {
    DatasetFormat format = DatasetFormat.of(at, null, conf);
    FormatException.check(format == DatasetFormat.safetensors, Paths.show(at, conf), "has no keys");
    boolean folder = at.getFileSystem(conf).getFileStatus(at).isDirectory();
    if (folder && IndexCheck.hasIndex(HadoopFolder.of(at, conf))) {
      Folder dataset = HadoopFolder.of(at, conf);
      try (ParquetTensorIndex index = ParquetTensorIndex.open(dataset)) {
        return new KeyedTensors(dataset, index)
            .fetch(key)
            .orElseThrow(
                () -> FormatException.of(index.path(), "has no key \"%s\"", OneLine.of(key)));
      }
    }
    SafetensorsTable table = SafetensorsInputFormat.table(at, conf);
    FormatException.check(
        table.layout() == Layout.KV,
        Paths.show(at, conf),
        "is in the layout %s (expected kv for --key; --from-layout says so)",
        table.layout());
    for (Shard shard : table.shards()) {
      Optional<KeyedTensor> tensor =
          KeyedTensor.open(table.folder(), shard.name(), key, strictness);
      if (tensor.isPresent()) {
        return tensor.get();
      }
    }
    throw FormatException.of(Paths.show(at, conf), "has no key \"%s\"", OneLine.of(key));
  }
}
