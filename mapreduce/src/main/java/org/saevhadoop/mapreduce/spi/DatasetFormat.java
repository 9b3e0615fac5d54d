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

/**
 * A format in which datasets are stored. A new format implements this interface and is added to the
 * list in {@code DatasetFormats}; all other code uses it only through this interface.
 */
public interface DatasetFormat {
  /** Returns the name of the format on the command line and in reports: one word in lower case. */
  String name();

  /**
   * Returns what a dataset of this format is expected to contain, for error messages, such as
   * {@code metadata.json}.
   */
  String expected();

  /** Returns how strongly a location resembles a dataset of this format. No data file is read. */
  FormatEvidence detect(Location location) throws IOException;

  /**
   * Returns the paths of datasets that are probably meant by a folder that is not a dataset itself,
   * for error messages.
   */
  default List<String> findBelow(Location folder) throws IOException {
    return List.of();
  }

  /** Returns the keys that control how files are read. Other formats may list the same keys. */
  List<SettingKey<?>> readingKeys();

  /** Returns the reading keys that only {@link #survey} uses, which only conversions have. */
  default Set<SettingKey<?>> surveyKeys() {
    return Set.of();
  }

  /** Returns the keys that control what is written. */
  List<SettingKey<?>> writingKeys();

  /**
   * Checks settings against each other; each one was checked alone when it was parsed.
   *
   * @param settings reading keys, writing keys or both
   * @throws SettingException if settings exclude each other
   */
  default void checkSettings(Settings settings) {}

  /**
   * Opens a dataset. Its columns may be activations or other columns.
   *
   * @param provenance interprets provenance that another format wrote
   * @throws FormatException if there is no dataset, if it is malformed, or if it {@linkplain
   *     #isStream is a stream}
   */
  TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException;

  /**
   * Scans a whole dataset before it is converted, for facts that no single task can determine.
   *
   * @param warnings accepts warnings for the user
   * @return the settings with which tasks read the dataset
   */
  default Settings survey(Location location, Settings settings, Consumer<String> warnings)
      throws IOException {
    return settings;
  }

  /** Returns how files are staged, if the format has files that can only be read sequentially. */
  default Optional<StreamAccess> stream() {
    return Optional.empty();
  }

  /**
   * Returns whether the dataset at a location must be staged, by the {@link #stream()} that is then
   * present. A format may store datasets in both ways.
   */
  default boolean isStream(Location location) throws IOException {
    return stream().isPresent();
  }

  /** Returns how single tensors are found, if the format stores tensors under names. */
  default Optional<NamedTensors> namedTensors() {
    return Optional.empty();
  }

  /**
   * Returns how arrays are listed as they were recorded, if that differs from the blocks of a
   * dataset.
   */
  default Optional<RecordedArrays> recordedArrays() {
    return Optional.empty();
  }

  /** Reports the properties of a dataset or of a file. */
  void describe(Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException;

  /**
   * Returns the names of the files of a folder that make up the dataset in it: data files and
   * documents. {@code convert --overwrite} replaces a folder only if each file is one of these, or
   * a side file of one.
   *
   * @throws FormatException if the folder does not contain a whole dataset of this format
   */
  Set<String> datasetFiles(Location folder) throws IOException;

  /**
   * Finds all problems of a dataset.
   *
   * @param warnings accepts findings that are unusual but valid
   * @return the problems, in no particular order
   */
  List<FormatException> check(
      Location location, Settings settings, ProvenanceReader provenance, Consumer<String> warnings)
      throws IOException;

  /**
   * Returns the number of [CLS] tokens according to provenance; empty if this format wrote none of
   * it.
   */
  default OptionalInt clsTokens(Provenance provenance) throws FormatException {
    return OptionalInt.empty();
  }

  /** Returns the identity of the dataset in provenance; empty if this format wrote none of it. */
  default Optional<DatasetIdentity> identity(Provenance provenance) throws FormatException {
    return Optional.empty();
  }

  /** Returns the shape in provenance; empty if this format wrote none of it. */
  default Optional<Geometry> geometry(Provenance provenance) throws FormatException {
    return Optional.empty();
  }

  /**
   * Returns the provenance that writing keys of this format define, regardless of the format that
   * is written.
   */
  default Provenance provenance(Settings settings) {
    return Provenance.NONE;
  }

  /** Returns the model in provenance; empty if this format wrote none of it. */
  default Optional<ModelName> model(Provenance provenance) throws FormatException {
    return Optional.empty();
  }

  /**
   * Returns the provenance of a part of a dataset: the provenance of the whole dataset, in which
   * the documents of this format are changed so that they describe the part.
   *
   * @param whole the whole dataset
   * @param part the projection, which does not select everything
   * @param provenance the provenance to change
   */
  default Provenance select(ActivationDataset whole, Projection part, Provenance provenance)
      throws FormatException {
    return provenance;
  }

  /**
   * Returns the writing keys that determine the size of files. If none is set, {@link #prepare} may
   * set one for the size that {@link ConversionSource#fileBytes} suggests.
   */
  default List<SettingKey<?>> fileSizeKeys() {
    return List.of();
  }

  /** Returns the value types that the format can store. */
  Set<DType> writableTypes();

  /**
   * Returns whether values are written in their stored types, unless the user requests other types;
   * otherwise activations are written as F32.
   *
   * @param samples whether sample metadata is written
   */
  default boolean keepsStoredTypes(boolean samples) {
    return false;
  }

  /**
   * Returns whether the format records which part of a dataset was selected, and therefore needs
   * the identity of the whole dataset.
   */
  default boolean recordsSelections() {
    return false;
  }

  /** Returns whether a dataset is written to a subfolder of the path that the user names. */
  default boolean writesBelow() {
    return false;
  }

  /**
   * Checks what is known before a stream is staged, so that a conversion that must fail does so
   * early.
   *
   * @param path the path of the source as the user gave it
   * @param model the model that the source names
   * @throws FormatException if a dataset without provenance of this format cannot be written
   */
  default void checkBefore(String path, ModelName model, Settings settings)
      throws FormatException {}

  /**
   * Determines what is written, before the job is submitted.
   *
   * @param settings the writing keys that are set
   * @param whole the dataset of which the source is a part; null if the source is a whole dataset
   * @throws SettingException if the settings do not permit the conversion
   * @throws FormatException if the source does not permit the conversion
   */
  PreparedWrite prepare(ConversionSource source, Settings settings, WholeSource whole)
      throws IOException;

  /** Returns what is written, as the client and all tasks of a job see it. */
  DatasetWrite write(Settings settings, WriteContext context) throws IOException;
}
