package org.saevhadoop.converters;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.TableDataset;

/**
 * A dataset that is read: where it lies, and where jobs find it. Pickled shards are unpacked first,
 * into a folder that goes when this is closed.
 *
 * @param path where jobs read it
 * @param unpacked the folder that goes; null where there is none
 */
record Source(
    Path path, DatasetFormat format, TableDataset dataset, Path unpacked, Configuration conf)
    implements AutoCloseable {
  /** Opens the dataset at a path; what has to be unpacked is, below Hadoop's folder for such. */
  static Source open(Path at, DatasetFormat asked, Configuration conf)
      throws IOException, InterruptedException, ClassNotFoundException {
    Path folder = new Path("/tmp/saev-hadoop-unpacked-" + UUID.randomUUID());
    return open(at, asked, FileSystem.get(conf).makeQualified(folder), conf);
  }

  /**
   * Opens the dataset at a path.
   *
   * @param folder where to unpack what has to be
   */
  static Source open(Path at, DatasetFormat asked, Path folder, Configuration conf)
      throws IOException, InterruptedException, ClassNotFoundException {
    DatasetFormat format = DatasetFormat.of(at, asked, conf);
    if (format != DatasetFormat.pickle) {
      return new Source(at, format, format.openTable(at, conf), null, conf);
    }
    FileSystem fs = folder.getFileSystem(conf);
    fs.delete(folder, true);
    // of a process that is asked to end; one that is killed leaves it to the next run
    fs.mkdirs(folder);
    fs.deleteOnExit(folder);
    try {
      return new Source(folder, format, UnpackJob.run(at, folder, conf), folder, conf);
    } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException e) {
      fs.delete(folder, true);
      throw e;
    }
  }

  /** Where jobs read it, with its storage. */
  Path qualified() throws IOException {
    return path.getFileSystem(conf).makeQualified(path);
  }

  @Override
  public void close() throws IOException {
    if (unpacked != null) {
      unpacked.getFileSystem(conf).delete(unpacked, true);
    }
  }
}
