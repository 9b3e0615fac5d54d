package org.saevhadoop.format.dataset.write;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.saevhadoop.format.io.Folder;

/** Opens the data files of a {@link WritePlan} for their blocks, one file after another. */
public interface ShardSinks extends Closeable {
  /**
   * Opens data file {@code index}. Closing the sink ends the file and writes what belongs beside
   * it.
   *
   * @param anyOrder whether the blocks may come in any order; else they come in the plan's
   * @param folder where the file is created
   * @param localFolder a folder of the local disk, where blocks may wait
   */
  BlockSink open(long index, boolean anyOrder, Folder folder, Path localFolder) throws IOException;
}
