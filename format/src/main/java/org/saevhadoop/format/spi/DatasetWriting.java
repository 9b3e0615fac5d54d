package org.saevhadoop.format.spi;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;

/** Writing of datasets. */
public interface DatasetWriting {
  /** Returns the keys that control the output. */
  List<SettingKey<?>> writingKeys();

  /**
   * Returns the writing keys that determine the size of files. If none is set, {@link #prepare}
   * sets one of them according to {@link ConversionSource#fileBytes}, unless the maximum of the
   * format applies.
   */
  List<SettingKey<?>> fileSizeKeys();

  /**
   * Checks the combination of writing keys; each value was checked when it was parsed.
   *
   * @throws SettingException if settings are mutually exclusive
   */
  default void checkSettings(Settings settings) {}

  /** Returns the value types that the format can store. */
  Set<DType> writableTypes();

  /**
   * Returns whether values are written in their stored types, unless the user requests other types;
   * otherwise activations are written as F32.
   *
   * @param settings the writing keys that are set
   * @param stored the stored types
   * @param samples whether sample metadata is written too
   */
  default boolean keepsStoredTypes(Settings settings, Collection<DType> stored, boolean samples) {
    return false;
  }

  /**
   * Returns whether per-token integers are written as arrays; otherwise they become sample
   * metadata.
   *
   * @param settings the writing keys that are set
   * @param table the shape of the activations that are written
   */
  default boolean keepsTokenArrays(Settings settings, TableShape table) {
    return false;
  }

  /** Returns the option that keeps example ids, if the format has one. */
  default Optional<String> idsOption() {
    return Optional.empty();
  }

  /**
   * Returns the options that record a model, if the format records its name.
   *
   * @param model a model without null fields
   */
  default List<String> modelOptions(ModelName model) {
    return List.of();
  }

  /** Returns the option that leaves the last file unpadded, if the format has one. */
  default Optional<String> unpaddedOption() {
    return Optional.empty();
  }

  /**
   * Returns whether the format records which part of a dataset was selected, and therefore needs
   * the identity of the whole dataset.
   */
  default boolean recordsSelections() {
    return false;
  }

  /**
   * Returns a line that names the programs that can read the output, if only some programs can read
   * it.
   *
   * @param settings the writing keys that are set
   */
  default Optional<String> readers(Settings settings) {
    return Optional.empty();
  }

  /** Returns whether a dataset is written to a subfolder of the path that the user names. */
  default boolean writesBelow() {
    return false;
  }

  /**
   * Performs the checks that are possible before a stream is staged, so that a conversion fails
   * early.
   *
   * @param path the path of the source as the user gave it
   * @param model the model that the source names
   * @throws org.saevhadoop.format.settings.SettingException if the settings must name the model but
   *     do not
   */
  default void checkBefore(String path, ModelName model, Settings settings) {}

  /**
   * Determines the output before the job is submitted.
   *
   * @param settings the writing keys that are set
   * @param whole the whole dataset if the source is a part of it; otherwise null
   * @throws SettingException if the settings do not permit the conversion
   * @throws FormatException if the source does not permit the conversion
   */
  PreparedWrite prepare(ConversionSource source, Settings settings, @Nullable WholeSource whole)
      throws IOException;

  /** Returns the output. The client and all tasks of a job get the same result. */
  DatasetWrite write(Settings settings, WriteContext context) throws IOException;

  /**
   * Returns the names of the files that make up the dataset in a folder: data files and documents.
   * {@code convert --overwrite} replaces a folder only if each file in it is one of these files, or
   * a sidecar of one of them.
   *
   * @throws FormatException if the folder does not contain a complete dataset of this format
   */
  Set<String> datasetFiles(Location folder) throws IOException;
}
