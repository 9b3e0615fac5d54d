package org.saevhadoop.format.dataset.write;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.saevhadoop.format.io.Folder;

/**
 * Opens the data files of a {@link WritePlan}, one file after another, so that their blocks can be
 * written.
 */
@FunctionalInterface
public interface ShardSinks extends Closeable {
  /**
   * Opens data file {@code index}. Closing the sink completes the file and writes the files that
   * belong to it.
   *
   * @param anyOrder whether the blocks may arrive in any order instead of the order of the plan
   * @param localFolder a folder on the local disk in which blocks may be spooled
   */
  BlockSink open(long index, boolean anyOrder, Folder folder, Path localFolder) throws IOException;

  /** Closes the resources that the sinks share, after all sinks were closed. */
  @Override
  default void close() throws IOException {}
}
