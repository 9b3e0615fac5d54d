package org.saevhadoop.mapreduce.spi;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetIdentity;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.SettingException;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;

/** A format in which datasets are stored. */
public interface DatasetFormat {
  /** Returns the name by which the command line and reports call it: a word in lower case. */
  String name();

  /** Returns what is expected at the path of a dataset of it, such as {@code metadata.json}. */
  String expected();

  /** Returns how much speaks for what lies at a location being of this format. */
  FormatEvidence detect(Location location) throws IOException;

  /** Returns the paths, below a folder that is no dataset itself, where one would look for some. */
  default List<String> findBelow(Location folder) throws IOException {
    return List.of();
  }

  /** Returns the keys that say how its files are read. */
  List<SettingKey<?>> readingKeys();

  /**
   * Returns those of the reading keys that only {@link #survey} uses. Commands that do not convert
   * a dataset do not survey it, and do not offer their options.
   */
  default Set<SettingKey<?>> surveyKeys() {
    return Set.of();
  }

  /** Returns the keys that say what is written. */
  List<SettingKey<?>> writingKeys();

  /**
   * Checks settings against one another; each alone was checked when it was parsed.
   *
   * @param settings reading keys or writing keys or both
   * @throws SettingException if they exclude each other
   */
  default void checkSettings(Settings settings) {}

  /**
   * Opens a dataset. Its columns may be activations or anything else.
   *
   * @param provenance reads what travels with activations, if another format wrote it
   * @throws FormatException if there is no such dataset, or it is broken; if the format {@linkplain
   *     #stream() is a stream}
   */
  TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException;

  /**
   * Looks through a whole dataset before it is converted, for what no task sees of it alone.
   *
   * @param warnings takes what the user should know
   * @return the settings with which tasks read it
   */
  default Settings survey(Location location, Settings settings, Consumer<String> warnings)
      throws IOException {
    return settings;
  }

  /**
   * Returns how its files are staged, if they can only be read from their beginning to their end.
   */
  default Optional<StreamAccess> stream() {
    return Optional.empty();
  }

  /** Returns how single tensors are found, if it holds tensors under names. */
  default Optional<NamedTensors> namedTensors() {
    return Optional.empty();
  }

  /**
   * Returns how arrays are listed as they were recorded, if that differs from a dataset's blocks.
   */
  default Optional<RecordedArrays> recordedArrays() {
    return Optional.empty();
  }

  /** Says what a dataset, or a file, says of itself. */
  void describe(Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException;

  /**
   * Looks for everything that is wrong with a dataset.
   *
   * @param warnings takes what is unusual and not wrong
   * @return the problems, in no particular order
   */
  List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException;

  /**
   * Returns what of provenance says which token is [CLS]; empty if this format wrote none of it.
   */
  default OptionalInt clsTokens(Provenance provenance) throws FormatException {
    return OptionalInt.empty();
  }

  /** Returns what of provenance names the dataset; empty if this format wrote none of it. */
  default Optional<DatasetIdentity> identity(Provenance provenance) throws FormatException {
    return Optional.empty();
  }

  /** Returns what of provenance says the shape; empty if this format wrote none of it. */
  default Optional<Geometry> geometry(Provenance provenance) throws FormatException {
    return Optional.empty();
  }

  /** Returns the provenance that writing keys of this format set for whatever format is written. */
  default Provenance provenance(Settings settings) {
    return Provenance.NONE;
  }

  /** Returns what of provenance names the model; empty if this format wrote none of it. */
  default Optional<ModelName> model(Provenance provenance) throws FormatException {
    return Optional.empty();
  }

  /**
   * Returns the provenance of a part of a dataset: that of the whole, with what this format wrote
   * of it changed so that it is right for the part.
   *
   * @param whole the whole dataset
   * @param part what was selected, which is not everything
   * @param provenance the provenance so far
   */
  default Provenance select(ActivationDataset whole, Projection part, Provenance provenance)
      throws FormatException {
    return provenance;
  }

  /** Returns the types of values that it can hold. */
  Set<DType> writableTypes();

  /**
   * Returns whether values are written in the types in which they are stored, unless the user asks
   * for others; otherwise activations are written as F32.
   *
   * @param samples whether the metadata of the samples travels
   */
  default boolean keepsStoredTypes(boolean samples) {
    return false;
  }

  /**
   * Returns whether it records which part of a dataset was selected, and so needs the identity of
   * the whole dataset.
   */
  default boolean recordsSelections() {
    return false;
  }

  /** Returns whether datasets are written to a folder of their own below the path that is named. */
  default boolean writesBelow() {
    return false;
  }

  /**
   * Checks what is known before a stream is staged, so that what must fail does so before the work.
   *
   * @param path the source's path, as the user knows it
   * @param model the model that the source names
   * @throws FormatException if a dataset without provenance of this format cannot be written
   */
  default void checkBefore(String path, ModelName model, Settings settings)
      throws FormatException {}

  /**
   * Works out what is written, before the job.
   *
   * @param settings the writing keys that are set
   * @param whole the dataset of which the source is a part; null if it is a whole one
   * @throws SettingException if the settings do not allow it
   * @throws FormatException if the source does not
   */
  PreparedWrite prepare(ConversionSource source, Settings settings, WholeSource whole)
      throws IOException;

  /** Returns what is written, as a client and all tasks of a job see it. */
  DatasetWrite write(Settings settings, WriteContext context) throws IOException;
}
