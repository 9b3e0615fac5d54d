package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.mapreduce.io.HadoopFolder;

/**
 * The blocks of the storage that contains a dataset.
 *
 * @param fs the file system
 * @param localBlockSize the block size of local disks according to the job's configuration
 */
record StorageBlocks(FileSystem fs, long localBlockSize) {
  private static final String LOCAL_BLOCK_SIZE = "fs.local.block.size";

  /** The default of {@code fs.local.block.size} in Hadoop. */
  private static final long DEFAULT_LOCAL_BLOCK_SIZE = 32L << 20;

  /** Returns the blocks of the storage that contains a path. */
  static StorageBlocks of(Path path, Configuration conf) throws IOException {
    // the file system's own value is not used: the instance is cached, with the settings of
    // whichever caller created it
    return new StorageBlocks(
        path.getFileSystem(conf), conf.getLong(LOCAL_BLOCK_SIZE, DEFAULT_LOCAL_BLOCK_SIZE));
  }

  /** Returns the block size of a file in bytes. */
  long size(String file) throws IOException {
    long size =
        HadoopFolder.isLocal(fs)
            ? localBlockSize
            : fs.getFileStatus(fs.makeQualified(new Path(file))).getBlockSize();
    return Math.max(1, size);
  }

  /** Returns the locations of a file's blocks; none if the storage only emulates blocks. */
  BlockLocation[] locations(String file) throws IOException {
    Path qualified = fs.makeQualified(new Path(file));
    if (qualified.toUri().getScheme().equals("file")
        || fs.hasPathCapability(qualified, "fs.capability.virtual.block.locations")) {
      return new BlockLocation[0];
    }
    FileStatus status = fs.getFileStatus(qualified);
    return fs.getFileBlockLocations(status, 0, status.getLen());
  }
}
