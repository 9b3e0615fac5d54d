package org.saevhadoop.format.publish.run;

import java.io.IOException;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The files of the tasks of a job. Each attempt of a task writes to its own folder, and its files
 * become part of the output when the attempt or the job is committed.
 */
public interface JobFiles {
  /**
   * Removes the files that tasks of an interrupted run left behind, and creates the folders. This
   * method is called once for each job, before its tasks start, because an attempt may have the
   * same name as an attempt of the interrupted run.
   */
  void begin() throws IOException;

  /** Returns the folder of an attempt of a task; the folder does not have to exist. */
  StoragePath folder(String attempt) throws IOException;

  /**
   * Creates the folder of an attempt before the attempt writes its first file.
   *
   * @throws java.io.FileNotFoundException if the folder of the run no longer exists
   */
  void create(String attempt) throws IOException;

  boolean isWritten(String attempt) throws IOException;

  /**
   * Commits the files of an attempt.
   *
   * @param progress called after each file
   */
  void commit(String attempt, Runnable progress) throws IOException;

  void abort(String attempt) throws IOException;

  /** Commits the job after its tasks have been committed. */
  void end() throws IOException;

  /** Deletes files that were not committed, after the job has failed. */
  void discard() throws IOException;
}
