package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.mapreduce.input.StoredBlocks;
import org.saevhadoop.mapreduce.io.ByteMeter;

/**
 * Writes the sums of files and, from the same pass, the digests of their blocks.
 *
 * @param blocks the blocks in the files; null if they are not digested
 * @param digests the digests of the blocks; null if they are not computed
 */
record HashedFiles(
    HashedFolder folder, @Nullable StoredBlocks blocks, @Nullable BlockDigests digests) {
  /**
   * Returns an instance for the files of a folder.
   *
   * @param meter receives the bytes that are read
   * @param columns the ids of the columns in the order of the digest; null if no blocks are
   *     digested
   */
  static HashedFiles of(
      Folder folder,
      ByteMeter meter,
      @Nullable StoredBlocks blocks,
      @Nullable List<Integer> columns) {
    return new HashedFiles(
        new HashedFolder(folder, meter),
        blocks,
        columns == null ? null : new BlockDigests(columns));
  }

  void read(String name, TaskOutput output) throws IOException, InterruptedException {
    byte[] sum = folder.sha256(name, () -> digestBlocks(name, output));
    output.write(DigestParts.FILE, DigestParts.file(name, sum));
  }

  private void digestBlocks(String name, TaskOutput output)
      throws IOException, InterruptedException {
    if (blocks != null && digests != null) {
      for (int index : blocks.shards(name)) {
        Shard shard = blocks.shard(index);
        digests.begin(shard.first(), shard.examples());
        blocks.read(index, folder, digests::add);
        digests.write(output);
      }
    }
  }

  /** Returns the changes to the values in the blocks. */
  ConversionChanges changes() {
    return blocks == null ? ConversionChanges.NONE : blocks.changes();
  }
}
