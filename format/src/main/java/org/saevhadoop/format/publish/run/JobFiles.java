package org.saevhadoop.format.publish.run;

import java.io.IOException;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The files of the tasks of a job. Each attempt of a task writes in a folder of its own, and its
 * files are part of the output when it is committed, or when the job is.
 */
public interface JobFiles {
  /**
   * Removes the files that tasks of a dead run have left, and creates the folders. Called once for
   * a job, before its tasks: an attempt may have the name of an attempt of the dead run.
   */
  void begin() throws IOException;

  /** Returns the folder of an attempt of a task, which need not exist. */
  StoragePath folder(String attempt) throws IOException;

  /**
   * Creates the folder of an attempt, before its first file.
   *
   * @throws java.io.FileNotFoundException if the folder of the run is gone
   */
  void create(String attempt) throws IOException;

  /** Returns whether an attempt has written files. */
  boolean isWritten(String attempt) throws IOException;

  /**
   * Commits the files of an attempt.
   *
   * @param progress called after each file
   */
  void commit(String attempt, Runnable progress) throws IOException;

  /** Deletes the files of an attempt. */
  void abort(String attempt) throws IOException;

  /** Commits the job, whose tasks were committed. */
  void end() throws IOException;

  /** Deletes files that were not committed, after the job has failed. */
  void discard() throws IOException;
}
