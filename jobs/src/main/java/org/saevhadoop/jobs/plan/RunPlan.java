package org.saevhadoop.jobs.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;

/**
 * The plan of a verb, as far as it is known before the first write. A number that is only known
 * after a stream has been staged, or a file compressed, is null.
 *
 * @param plan the way in which the work is done: {@link #MAP_ONLY}, {@link #SHUFFLE}, {@link
 *     #STAGED}, {@link #COPY}, {@link #TWO_PASSES}, {@link #SECOND_PASS} or {@link #NOTHING}
 * @param path the path at which a dataset would be published; null if none is written, or if its
 *     name is not known yet
 * @param tasks the number of map tasks; if a source must be staged, the number of map tasks of the
 *     first job
 * @param files the number of data files that would be written
 * @param bytesRead the number of bytes that the map tasks would read
 * @param bytesWritten the total length of the data files that would be written
 * @param temporary the folders for temporary files
 * @param removes the datasets that would be replaced, and the unused files of an interrupted run
 * @param losses source data that the result would not contain
 * @param changes other differences from the source
 */
@PublicApi
public record RunPlan(
    String plan,
    @Nullable String path,
    long tasks,
    @JsonInclude @Nullable Long files,
    long bytesRead,
    @JsonInclude @Nullable Long bytesWritten,
    List<TemporaryBytes> temporary,
    List<RemovedFiles> removes,
    List<String> losses,
    List<String> changes) {
  /** Map tasks read the sources. */
  public static final String MAP_ONLY = "map-only";

  /** Map tasks read the source, and reducers do the rest. */
  public static final String SHUFFLE = "shuffle";

  /** A source is staged first, and the rest is planned afterward. */
  public static final String STAGED = "staged";

  /** Map tasks stage the rows of the source in buckets, and other map tasks write the files. */
  public static final String TWO_PASSES = "two passes";

  /** Map tasks write the files from rows staged by an earlier plan of the same command. */
  public static final String SECOND_PASS = "second pass";

  /** Map tasks copy files. */
  public static final String COPY = "copy";

  /** No job is needed. */
  public static final String NOTHING = "nothing";

  /**
   * Temporary files in a folder.
   *
   * @param bytes their size; null if it is unknown
   * @param free the free space in the folder, in bytes; null if the storage does not report it
   */
  public record TemporaryBytes(
      String path, @JsonInclude @Nullable Long bytes, @JsonInclude @Nullable Long free) {}

  /**
   * Files that would be removed.
   *
   * @param path their folder
   * @param files their number
   */
  public record RemovedFiles(String path, long files) {}

  public RunPlan {
    temporary = List.copyOf(temporary);
    removes = List.copyOf(removes);
    losses = List.copyOf(losses);
    changes = List.copyOf(changes);
  }
}
