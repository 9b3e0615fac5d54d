package org.saevhadoop.format.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.Settings;

/** Merging of datasets of one format by copying their files, without decoding values. */
public interface FileMerge {
  /**
   * A dataset.
   *
   * @param path the path that is shown in messages
   * @param settings the settings with which the dataset is read
   */
  record Source(String path, Location location, Settings settings) {}

  /** The datasets without conflicts that are merged. */
  @FunctionalInterface
  interface Members {
    /** Returns a dataset, which may have been opened before. */
    TableDataset get(int source) throws IOException;
  }

  /**
   * The facts about the files of datasets, kept so that the documents of the datasets are read only
   * once.
   */
  @FunctionalInterface
  interface Survey {
    /** Returns the conflicts between the datasets that only the format can find. */
    default List<FormatException> conflicts() {
      return List.of();
    }

    /**
     * Returns the files to copy, with their new names, and the documents that complete them, or the
     * reason why examples must be rewritten. This method is called only if there are no conflicts.
     *
     * @param combined the datasets combined into one, whose examples the files must contain; null
     *     if the datasets {@linkplain StreamAccess#isNeeded must be staged}
     * @param members the datasets, each as a whole; used only if they are combined
     */
    MergePlan plan(@Nullable TableDataset combined, Members members) throws IOException;
  }

  /**
   * Reads the documents of datasets.
   *
   * @param sources the datasets, in the order of the examples
   */
  Survey survey(List<Source> sources) throws IOException;

  /**
   * Returns the writing settings with which rewritten examples are stored in the same form as in
   * the sources.
   */
  default Settings writing(List<Source> sources) throws IOException {
    return Settings.NONE;
  }

  /**
   * Returns the bytes that replace the beginning of a file.
   *
   * @param head the text that the plan specifies for the file
   */
  default ByteBuffer head(Input file, String head) throws IOException {
    throw new UnsupportedOperationException(file.path());
  }
}
