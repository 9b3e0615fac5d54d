package org.saevhadoop.mapreduce.job;

import org.saevhadoop.format.io.Quote;

/** The names under which clusters list the jobs of this program. */
public final class JobName {
  /** The maximum length of the dataset's name in the name of a job. */
  private static final int MAX_NAME = 100;

  private JobName() {}

  /**
   * Returns the name of a job, such as {@code saev-hadoop digest acts}.
   *
   * @param action the action of the job
   * @param dataset the last component of the path that the user named, not of a staged copy; empty
   *     for a root
   */
  public static String of(String action, String dataset) {
    String name = dataset.isEmpty() ? "/" : dataset;
    return "saev-hadoop " + action + " " + Quote.ascii(name, MAX_NAME);
  }

  /**
   * Returns the name of a job, such as {@code saev-hadoop convert acts to safetensors}.
   *
   * @param format the name of the format that is written
   */
  public static String of(String action, String dataset, String format) {
    return of(action, dataset) + " to " + format;
  }
}
