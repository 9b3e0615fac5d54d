package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.JobPlan;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * Datasets that jobs make from a source, in a folder of their own, before each is converted.
 * Complete parts are recorded there, so that a later run continues a dead one.
 */
public interface Stage {
  /**
   * Makes the checks that are possible before the datasets are made, so that a conversion fails
   * early.
   */
  default void check() throws IOException {}

  /**
   * Returns the datasets before they are made: their descriptions, to plan the conversions; empty
   * if they are not known yet.
   *
   * @param folder the folder in which they will be made, which does not have to exist yet. The run
   *     that converts a dataset records this folder
   */
  List<OpenedSource> planned(StoragePath folder) throws IOException;

  /** Returns the settings that define the datasets, as in the record of a run. */
  Settings recorded() throws IOException;

  /**
   * Divides the datasets into groups that one pass over the source makes.
   *
   * @param files the files to which each will be converted
   * @return the numbers of the datasets of each pass
   */
  default List<List<Integer>> passes(List<WritePlan> files) throws IOException {
    return List.of(IntStream.range(0, files.size()).boxed().toList());
  }

  /**
   * Returns a stage of some of the datasets, with the same record of runs.
   *
   * @param datasets their numbers in this stage, which has several datasets
   */
  default Stage only(List<Integer> datasets) {
    return this;
  }

  /**
   * Makes the datasets.
   *
   * @param files the files to which each will be converted; empty if they are not known yet
   * @param run a folder of a run, which may continue a dead run with the same settings
   */
  List<OpenedSource> make(List<WritePlan> files, RunFolder run)
      throws IOException, InterruptedException;

  /**
   * Returns the plan of the first job of {@link #make} in a folder, which does not have to exist
   * yet.
   *
   * @param resumed whether a dead run is continued
   */
  JobPlan plan(List<WritePlan> files, StoragePath folder, boolean resumed)
      throws IOException, InterruptedException;

  /**
   * Returns the length of the temporary files that {@link #make} would write to a folder, which may
   * not exist yet; null if the length is not known.
   *
   * @param resumed whether a dead run is continued
   */
  @Nullable Long temporaryBytes(List<WritePlan> files, StoragePath folder, boolean resumed)
      throws IOException;

  /**
   * Compares a written dataset with the source, which is read again.
   *
   * @param made the dataset that was made from the source
   * @param written the dataset to which it was converted
   * @param path the path at which it will be published, for messages
   * @throws FormatException if they differ
   */
  void compare(OpenedSource made, SourceRequest written, String path)
      throws IOException, InterruptedException;
}
