package org.saevhadoop.jobs.convert;

import java.io.IOException;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;

/** A check of a written dataset before it is published. */
@FunctionalInterface
interface SourceCheck {
  /** Checks nothing: the converted dataset is the one that the user named. */
  SourceCheck NONE = (source, written, path) -> {};

  /**
   * Checks a dataset.
   *
   * @param source the dataset that was converted
   * @param path the path at which the dataset will be published, for messages
   * @throws FormatException if the written dataset is not as expected
   */
  void run(OpenedSource source, SourceRequest written, String path)
      throws IOException, InterruptedException;
}
