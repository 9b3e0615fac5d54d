package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.Layout;
import org.saevhadoop.format.safetensors.SafetensorsDataset;
import org.saevhadoop.format.safetensors.SafetensorsOptions;
import org.saevhadoop.format.safetensors.SafetensorsTable;
import org.saevhadoop.format.safetensors.Strictness;
import org.saevhadoop.format.safetensors.TensorMapping;

/**
 * Reads safetensors files: a directory with a manifest or without, or one file. Columns that are
 * activations are read as such, others as a table.
 */
public final class SafetensorsInputFormat extends ActivationInputFormat {
  private enum Asked {
    AUTO,
    BATCH,
    KV
  }

  @Override
  public TableDataset open(Path path, Configuration conf) throws IOException {
    SafetensorsOptions options = options(conf);
    SafetensorsTable table = table(path, conf);
    if (!options.mappings().isEmpty()) {
      return SafetensorsDataset.of(table, options);
    }
    try {
      return SafetensorsDataset.of(table, options);
    } catch (FormatException e) {
      // other columns are a table all the same; who needs activations asks and is told why not
      return table;
    }
  }

  /** Opens what lies at a path, whatever its columns are. */
  public static SafetensorsTable table(Path path, Configuration conf) throws IOException {
    long[] dropped = DroppedExamples.of(conf);
    SafetensorsTable all = all(path, conf);
    return dropped.length == 0 ? all : all.without(dropped);
  }

  private static SafetensorsTable all(Path path, Configuration conf) throws IOException {
    if (path.getFileSystem(conf).getFileStatus(path).isFile()) {
      Folder folder = HadoopFolder.of(path.getParent(), conf);
      return SafetensorsTable.openFile(folder, path.getName(), options(conf));
    }
    return SafetensorsTable.open(HadoopFolder.of(path, conf), options(conf));
  }

  /** How a configuration says files are to be understood. */
  public static SafetensorsOptions options(Configuration conf) {
    String separator = SaevConf.INPUT_SEPARATOR.getPlain(conf);
    Asked layout = SaevConf.INPUT_LAYOUT.getEnum(conf, Asked.class);
    List<TensorMapping> mappings = new ArrayList<>();
    for (String mapping : SaevConf.INPUT_TENSORS.getList(conf)) {
      mappings.add(TensorMapping.parse(mapping));
    }
    return new SafetensorsOptions(
        layout == Asked.AUTO ? null : Layout.valueOf(layout.name()),
        separator.isEmpty() ? null : separator,
        Boolean.parseBoolean(SaevConf.INPUT_LENIENT.get(conf))
            ? Strictness.LENIENT
            : Strictness.STRICT,
        mappings);
  }
}
