package org.saevhadoop.jobs.convert;

import java.io.IOException;
import java.util.Optional;
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
 * A dataset that jobs make of a source, in a folder of its own, before it is converted. What is
 * complete there is recorded, so that a later run continues a dead one.
 */
public interface Stage {
  /**
   * Checks what is known before the dataset is made, so that a conversion that must fail does so
   * early.
   */
  default void check() throws IOException {}

  /**
   * Returns the dataset before it is made: its description, to plan the conversion; empty if it is
   * not known yet.
   *
   * @param folder the folder in which it will be made, which need not exist. A run that converts
   *     the dataset records it
   */
  Optional<OpenedSource> planned(StoragePath folder) throws IOException;

  /** Returns the settings that define the dataset, as the record of a run has them. */
  Settings recorded() throws IOException;

  /**
   * Makes the dataset.
   *
   * @param files the files to which it will be converted; null if they are not known yet
   * @param run a folder of a run, which may continue a dead run with the same settings
   */
  OpenedSource make(@Nullable WritePlan files, RunFolder run)
      throws IOException, InterruptedException;

  /**
   * Returns what the first job of {@link #make} would do in a folder, which need not exist.
   *
   * @param resumed whether a dead run is continued
   */
  JobPlan plan(@Nullable WritePlan files, StoragePath folder, boolean resumed)
      throws IOException, InterruptedException;

  /**
   * Returns the length of the temporary files that {@link #make} would write to a folder, which
   * need not exist; null if it is not known.
   *
   * @param resumed whether a dead run is continued
   */
  @Nullable Long temporaryBytes(@Nullable WritePlan files, StoragePath folder, boolean resumed)
      throws IOException;

  /**
   * Compares a dataset that was written with the source, which is read again.
   *
   * @param made the dataset that was made of the source
   * @param written the dataset to which it was converted
   * @param path the path at which that will be published, for messages
   * @throws FormatException if they differ
   */
  void compare(OpenedSource made, SourceRequest written, String path)
      throws IOException, InterruptedException;
}
