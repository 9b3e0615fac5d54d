package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.job.PlanningKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage blocks of the files of a dataset.
 *
 * @param localBlockSize the block size of local disks according to the job's configuration
 * @param maxLocatedFiles the maximum number of files whose blocks are located
 */
record StorageBlocks(Configuration conf, long localBlockSize, long maxLocatedFiles) {
  private static final Logger LOG = LoggerFactory.getLogger(StorageBlocks.class);
  private static final String LOCAL_BLOCK_SIZE = "fs.local.block.size";

  /** The default of {@code fs.local.block.size} in Hadoop. */
  private static final long DEFAULT_LOCAL_BLOCK_SIZE = 32L << 20;

  /** Returns the storage blocks of files, as the configuration of a job defines them. */
  static StorageBlocks of(Configuration conf) {
    // the file system's own value is not used: the instance is cached, with the settings of
    // whichever caller created it
    return new StorageBlocks(
        conf,
        conf.getLong(LOCAL_BLOCK_SIZE, DEFAULT_LOCAL_BLOCK_SIZE),
        ConfSettings.get(conf, PlanningKeys.LOCATED_FILES));
  }

  /** Returns the path of a file. A name without a scheme denotes a local file. */
  private static Path path(String file) {
    Path path = new Path(file);
    return path.toUri().getScheme() == null ? new Path("file", null, file) : path;
  }

  long size(String file) throws IOException {
    Path path = path(file);
    FileSystem fs = path.getFileSystem(conf);
    long size = HadoopFolder.isLocal(fs) ? localBlockSize : fs.getFileStatus(path).getBlockSize();
    return Math.max(1, size);
  }

  /**
   * Returns whether the blocks of a dataset are located. Blocks are not located if the storage only
   * emulates them, or if the dataset has too many files.
   */
  boolean areLocated(String first, long files) throws IOException {
    Path qualified = path(first);
    FileSystem fs = qualified.getFileSystem(conf);
    if (HadoopFolder.isLocal(fs)
        || fs.hasPathCapability(qualified, "fs.capability.virtual.block.locations")) {
      return false;
    }
    if (files > maxLocatedFiles) {
      LOG.warn(
          "{}: the blocks of {} files are not located, and splits name no hosts ({} is {})",
          qualified.getParent(),
          files,
          PlanningKeys.LOCATED_FILES,
          maxLocatedFiles);
      return false;
    }
    return true;
  }

  List<BlockLocation> locations(String file, long offset, long length) throws IOException {
    // by path and not by status, which would be one more request
    Path path = path(file);
    BlockLocation[] found = path.getFileSystem(conf).getFileBlockLocations(path, offset, length);
    return found == null ? List.of() : List.of(found);
  }
}
