package org.saevhadoop.converters;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.safetensors.ModelIndex;
import org.saevhadoop.format.safetensors.SafetensorsTable;
import org.saevhadoop.mapreduce.HadoopFolder;

/** A model's tensors in files that an index names: a folder with such an index, or the index. */
record Model(Folder folder, ModelIndex index) {
  /** The model at a path; empty for everything else, a dataset among them. */
  static Optional<Model> find(Path at, Configuration conf) throws IOException {
    FileSystem fs = at.getFileSystem(conf);
    try {
      if (fs.getFileStatus(at).isFile()) {
        return at.getName().endsWith(ModelIndex.SUFFIX)
            ? Optional.of(read(parent(at, conf), at.getName()))
            : Optional.empty();
      }
    } catch (FileNotFoundException e) {
      return Optional.empty(); // who opens it as something else says so
    }
    Folder folder = HadoopFolder.of(at, conf);
    Set<String> files = folder.files().keySet();
    if (files.contains(SafetensorsTable.MANIFEST) || files.contains(SaevMetadata.FILE)) {
      return Optional.empty();
    }
    Optional<String> name = ModelIndex.find(folder);
    return name.isPresent() ? Optional.of(read(folder, name.get())) : Optional.empty();
  }

  /** The folder of a file. */
  static Folder parent(Path file, Configuration conf) throws IOException {
    return HadoopFolder.of(file.getFileSystem(conf).makeQualified(file).getParent(), conf);
  }

  private static Model read(Folder folder, String name) throws IOException {
    return new Model(folder, ModelIndex.read(folder, name));
  }
}
