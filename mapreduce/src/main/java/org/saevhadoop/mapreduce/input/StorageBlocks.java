package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.mapreduce.io.HadoopFolder;

/**
 * The blocks of the storage in which a dataset lies.
 *
 * @param fs the storage
 * @param localBlockSize the block size that the job's configuration gives to local disks
 */
record StorageBlocks(FileSystem fs, long localBlockSize) {
  private static final String LOCAL_BLOCK_SIZE = "fs.local.block.size";

  /** Hadoop's own default. */
  private static final long DEFAULT_LOCAL_BLOCK_SIZE = 32L << 20;

  /** Returns the blocks of the storage of a path. */
  static StorageBlocks of(Path path, Configuration conf) throws IOException {
    // not the file system's own, which is cached with the settings of whoever opened it first
    return new StorageBlocks(
        path.getFileSystem(conf), conf.getLong(LOCAL_BLOCK_SIZE, DEFAULT_LOCAL_BLOCK_SIZE));
  }

  /** Returns the block size of a file. */
  long size(String file) throws IOException {
    long size =
        HadoopFolder.isLocal(fs)
            ? localBlockSize
            : fs.getFileStatus(fs.makeQualified(new Path(file))).getBlockSize();
    return Math.max(1, size);
  }

  /** Returns where the blocks of a file are; none on a storage that has blocks only in name. */
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
