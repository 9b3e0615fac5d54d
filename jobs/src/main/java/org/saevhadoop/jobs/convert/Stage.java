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
 * Datasets that jobs make from a source, in a separate folder, before each dataset is converted.
 * Complete parts are recorded in that folder, so that a later run can continue an interrupted run.
 */
public interface Stage {
  /**
   * Makes the checks that are possible before the datasets are made, so that a conversion fails
   * early.
   */
  default void check() throws IOException {}

  /**
   * Returns descriptions of the datasets before they are made, so that the conversions can be
   * planned; empty if the descriptions are not known yet.
   *
   * @param folder the folder in which the datasets will be made, which does not have to exist yet.
   *     The run that converts a dataset records this folder
   */
  List<OpenedSource> planned(StoragePath folder) throws IOException;

  /** Returns the settings that define the datasets, as recorded by a run. */
  Settings recorded() throws IOException;

  /**
   * Divides the datasets into groups, each of which is made by one pass over the source.
   *
   * @param files the files to which each dataset will be converted
   * @return the numbers of the datasets of each pass
   */
  default List<List<Integer>> passes(List<WritePlan> files) throws IOException {
    return List.of(IntStream.range(0, files.size()).boxed().toList());
  }

  /**
   * Returns a stage that makes only some of the datasets, with the same record of runs.
   *
   * @param datasets the numbers of the datasets in this stage, which has several datasets
   */
  default Stage only(List<Integer> datasets) {
    return this;
  }

  /**
   * Makes the datasets.
   *
   * @param files the files to which each dataset will be converted; empty if they are not known yet
   * @param run a run folder, which may continue an interrupted run with the same settings
   */
  List<OpenedSource> make(List<WritePlan> files, RunFolder run)
      throws IOException, InterruptedException;

  /**
   * Returns the plan of the first job of {@link #make} in a folder, which does not have to exist
   * yet.
   *
   * @param resumed whether an interrupted run is continued
   */
  JobPlan plan(List<WritePlan> files, StoragePath folder, boolean resumed)
      throws IOException, InterruptedException;

  /**
   * Returns the total length in bytes of the temporary files that {@link #make} would write to a
   * folder, which may not exist yet; null if the length is not known.
   *
   * @param resumed whether an interrupted run is continued
   */
  @Nullable Long temporaryBytes(List<WritePlan> files, StoragePath folder, boolean resumed)
      throws IOException;

  /**
   * Compares a written dataset with the source, which is read again.
   *
   * @param made the dataset that was made from the source
   * @param written the dataset to which it was converted
   * @param path the path at which the converted dataset will be published, for messages
   * @throws FormatException if they differ
   */
  void compare(OpenedSource made, SourceRequest written, String path)
      throws IOException, InterruptedException;
}
