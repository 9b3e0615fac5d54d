package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;

/**
 * The CRC-32C of a file that is being written, to be compared with the checksum that HDFS has
 * stored. HDFS computes this checksum by combining the checksums that its DataNodes keep next to
 * the blocks ({@code COMPOSITE_CRC}, HDFS-13056): this takes one request to the NameNode, and one
 * request to a DataNode for each block, which reads no data.
 */
public final class StoredChecksum {
  private static final String HDFS = "hdfs";
  private static final String TYPE = "dfs.checksum.type";
  private static final String CRC32C = "CRC32C";

  /** The key of the mode in which HDFS clients combine the checksums of blocks. */
  public static final String MODE = "dfs.checksum.combine.mode";

  /** The mode in which the checksum of a file covers the bytes of the file. */
  public static final String COMPOSITE = "COMPOSITE_CRC";

  private static final String COMPOSITE_CRC32C = "COMPOSITE-CRC32C";

  private final FileSystem fs;
  private final Path file;
  private final CRC32C written = new CRC32C();

  private StoredChecksum(FileSystem fs, Path file) {
    this.fs = fs;
    this.file = file;
  }

  /**
   * Returns the checksum of a file that is about to be written; null if its storage keeps no
   * comparable checksum: on file systems other than HDFS, with other types of checksums, and in
   * encryption zones, where the bytes that HDFS stores differ from the bytes that it receives.
   */
  static @Nullable StoredChecksum of(FileSystem fs, Path file, FSDataOutputStream stream) {
    boolean kept =
        HDFS.equals(fs.getUri().getScheme())
            && CRC32C.equals(fs.getConf().getTrimmed(TYPE, CRC32C))
            && !(stream.getWrappedStream() instanceof CryptoOutputStream);
    return kept ? new StoredChecksum(fs, file) : null;
  }

  void update(byte[] bytes, int offset, int length) {
    written.update(bytes, offset, length);
  }

  /**
   * Compares the checksum of all bytes with the checksum of the file, which must be closed.
   *
   * @throws org.saevhadoop.format.io.FormatException if they differ
   * @throws IOException if the file has a checksum, but no DataNode returns it
   */
  void compare() throws IOException {
    FileChecksum stored = stored();
    // an empty file has another type of checksum
    if (stored == null || !COMPOSITE_CRC32C.equals(stored.getAlgorithmName())) {
      return;
    }
    int found = ByteBuffer.wrap(stored.getBytes()).getInt();
    FileError.CHECKSUM_MISMATCH.check(
        found == (int) written.getValue(),
        file.toString(),
        "was stored with the CRC-32C %08x (expected %08x, the CRC-32C of the written bytes)",
        found,
        (int) written.getValue());
  }

  /**
   * Returns the stored checksum, using a client with this mode, because the mode is a setting of
   * the client.
   */
  private FileChecksum stored() throws IOException {
    if (COMPOSITE.equals(fs.getConf().get(MODE))) {
      return fs.getFileChecksum(file);
    }
    Configuration composite = new Configuration(fs.getConf());
    composite.set(MODE, COMPOSITE);
    try (FileSystem client = FileSystem.newInstance(fs.getUri(), composite)) {
      return client.getFileChecksum(file);
    }
  }
}
