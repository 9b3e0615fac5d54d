package org.saevhadoop.format.spi;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.proposal.ArrayProposals;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;

/**
 * A format in which datasets are stored. A new format implements this interface and is added to the
 * list in {@code DatasetFormats}; all other code uses it only through this interface. Features that
 * not every format has, such as {@linkplain #writing writing}, are optional.
 */
public interface DatasetFormat {
  /** Returns the name of the format on the command line and in reports: one word in lower case. */
  String name();

  /**
   * Returns a description of the expected content of a dataset of this format, such as {@code
   * metadata.json}, for error messages.
   */
  String expected();

  /** Returns the name of a type in files of this format; null if it is the same as in numpy. */
  default @Nullable String storedName(DType dtype) {
    return null;
  }

  /**
   * Returns how strongly a location resembles a dataset of this format. Implementations may read
   * the documents of a folder, or the first bytes of a file.
   */
  FormatEvidence detect(Location location) throws IOException;

  /**
   * Returns whether a file in the folder of a dataset of this format belongs to the dataset but is
   * not a dataset itself; a user who names the file probably means the folder.
   */
  default boolean isPart(String file) {
    return false;
  }

  /**
   * Returns whether files with the given name, in any folder, contain arrays that are read as
   * described for {@code saev.input.files}.
   */
  default boolean isArrayFile(String file) {
    return false;
  }

  /**
   * Returns the folder in which programs keep datasets of this format, relative to the path that
   * users name, such as {@code saev/shards}; empty if there is no such convention.
   */
  default Optional<String> standardFolder() {
    return Optional.empty();
  }

  /** Returns the keys that control how files are read. Other formats may list the same keys. */
  List<SettingKey<?>> readingKeys();

  /**
   * Returns the keys that describe otherwise unrecognized files of this format: if one of the keys
   * is set, files are read as files of this format.
   */
  default List<SettingKey<?>> decidingKeys() {
    return List.of();
  }

  /**
   * Opens a dataset. Its columns may be activations or other columns.
   *
   * @param provenance interprets provenance that another format wrote
   * @throws FormatException if there is no dataset, if it is malformed, or if it must be staged
   *     before it can be read (see {@code StreamAccess.isNeeded})
   */
  TableDataset open(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException;

  /**
   * Returns the settings for tasks that open a dataset after the client of the job has opened it.
   * The settings may contain facts that the client has determined by reading many files.
   *
   * @param opened the whole dataset
   * @param settings the settings with which the dataset was opened
   */
  default Settings forTasks(TableDataset opened, Settings settings) {
    return settings;
  }

  /**
   * Returns the model that is recorded for activations whose provenance names no model; its fields
   * are null if the user must name the model.
   *
   * @param location the location of the dataset; a document that another program wrote to the same
   *     folder may name the model
   */
  default ModelName assumedModel(Location location) throws IOException {
    return ModelName.UNKNOWN;
  }

  /**
   * Returns ways in which the files at a location, or in the folders below it, might be read as a
   * dataset; empty if this format has no options for this, or if there are no files of this format.
   */
  default Optional<ArrayProposals> propose(Location location) throws IOException {
    return Optional.empty();
  }

  /** Reports the properties of a dataset or of a file. */
  void describe(Location location, Settings settings, ProvenanceReader provenance, ReportSink sink)
      throws IOException;

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
   * Returns how the files of datasets are merged, if files of this format can be copied unchanged.
   */
  default Optional<FileMerge> merging() {
    return Optional.empty();
  }

  /** Returns how datasets are written; empty if the format can only be read. */
  default Optional<DatasetWriting> writing() {
    return Optional.empty();
  }

  /**
   * Returns how datasets are written.
   *
   * @throws java.util.NoSuchElementException if the format can only be read
   */
  default DatasetWriting requireWriting() {
    return writing().orElseThrow();
  }

  /** Returns how documents that the format adds to provenance are interpreted, if it adds any. */
  default Optional<ProvenanceDocuments> provenance() {
    return Optional.empty();
  }

  /** Returns how a dataset is surveyed before it is converted, if that is necessary. */
  default Optional<DatasetSurvey> survey() {
    return Optional.empty();
  }

  /** Returns how files are staged, if the format has files that can only be read sequentially. */
  default Optional<StreamAccess> stream() {
    return Optional.empty();
  }

  /** Returns how the dataset at a location is staged, if it must be staged. */
  default Optional<StreamAccess> stream(Location location, Settings settings) throws IOException {
    Optional<StreamAccess> stream = stream();
    return stream.isPresent() && stream.get().isNeeded(location, settings)
        ? stream
        : Optional.empty();
  }

  /** Returns how single tensors are found, if the format stores tensors under names. */
  default Optional<NamedTensors> namedTensors() {
    return Optional.empty();
  }

  /** Returns how one-dimensional tensors are read, if files of this format contain statistics. */
  default Optional<VectorTensors> vectorTensors() {
    return Optional.empty();
  }

  /** Returns the listing of arrays as recorded, if it differs from the blocks of a dataset. */
  default Optional<RecordedArrays> recordedArrays() {
    return Optional.empty();
  }
}
