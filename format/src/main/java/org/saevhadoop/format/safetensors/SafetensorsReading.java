package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.safetensors.SafetensorsKeys.Duplicates;
import org.saevhadoop.format.safetensors.dataset.DuplicateKeyScan;
import org.saevhadoop.format.safetensors.dataset.ForeignTensors;
import org.saevhadoop.format.safetensors.dataset.SafetensorsArrays;
import org.saevhadoop.format.safetensors.dataset.SafetensorsDataset;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions.KnownIds;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.dataset.TensorDatasetError;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.index.ModelIndex;
import org.saevhadoop.format.settings.Settings;

/**
 * Opens safetensors files: as a table of examples, or as arrays in any other layout.
 *
 * @param settings how tensors are interpreted
 * @param provenance the reader for documents in other formats
 */
record SafetensorsReading(Settings settings, ProvenanceReader provenance) {
  /** Opens the files at a location as activations if they contain any, otherwise as a table. */
  TableDataset open(Location location) throws IOException {
    if (isArrays(location)) {
      return arrays(location);
    }
    SafetensorsTable table = table(location);
    return settings.isSet(ArrayKeys.TENSORS)
        ? SafetensorsDataset.of(table, options())
        : table.asActivations();
  }

  /** Returns the options that settings define. */
  SafetensorsOptions options() {
    return new SafetensorsOptions(
        settings.get(SafetensorsKeys.LAYOUT_READ).orElse(null),
        settings.get(SafetensorsKeys.SEPARATOR_READ),
        strictness(),
        ArrayKeys.mappings(settings),
        provenance,
        knownIds());
  }

  /** Returns facts that the client determined, so that tasks do not have to read all headers. */
  private @Nullable KnownIds knownIds() {
    return settings.isSet(SafetensorsKeys.IDS_MAX_BYTES)
        ? new KnownIds(
            settings.get(SafetensorsKeys.IDS_MAX_BYTES).intValue(),
            settings.get(SafetensorsKeys.IDS_ARE_NUMBERS))
        : null;
  }

  HeaderStrictness strictness() {
    return settings.get(SafetensorsKeys.LENIENT)
        ? HeaderStrictness.LENIENT
        : HeaderStrictness.STRICT;
  }

  /**
   * Returns whether the tensors are arrays in a layout that the settings or the first file defines.
   */
  boolean isArrays(Location location) throws IOException {
    return ArrayKeys.isLayout(settings)
        || !location.isChecked() // tasks have the settings that the client determined
            && !settings.isSet(SafetensorsKeys.LAYOUT_READ)
            && !settings.isSet(SafetensorsKeys.SEPARATOR_READ)
            && !isModel(location)
            && ForeignTensors.areAt(location, strictness(), settings.isSet(ArrayKeys.TENSORS));
  }

  /** Returns whether a location is a model index or contains one. */
  static boolean isModel(Location location) throws IOException {
    return location.files().keySet().stream().anyMatch(file -> file.endsWith(ModelIndex.SUFFIX));
  }

  /** Opens the tensors of files as arrays of activations, as described by settings. */
  ArrayDataset arrays(Location location) throws IOException {
    return ArrayKeys.open(location, new SafetensorsArrays(strictness()), settings);
  }

  /** Opens the files at a location as a table, whether or not its columns are activations. */
  SafetensorsTable table(Location location) throws IOException {
    SafetensorsOptions options = options();
    SafetensorsTable all =
        location.isFile()
            ? SafetensorsTable.openFile(location.folder(), location.file(), options)
            : location.isChecked()
                ? SafetensorsTable.openChecked(location.folder(), options)
                : SafetensorsTable.open(location, options);
    return settings.isSet(SafetensorsKeys.DROPPED)
        ? all.without(settings.get(SafetensorsKeys.DROPPED))
        : all;
  }

  /**
   * Scans the ids of the whole dataset, if it has ids, because no single task reads all of them.
   *
   * @throws org.saevhadoop.format.io.FormatException if ids occur more than once and the settings
   *     do not permit it
   */
  static Settings survey(Location location, Settings settings, Consumer<String> warnings)
      throws IOException {
    SafetensorsReading reading = new SafetensorsReading(settings, ProvenanceReader.NONE);
    if (reading.isArrays(location)) {
      return settings;
    }
    SafetensorsTable table = reading.table(location);
    if (table.layout() == TensorLayout.BATCH) {
      return settings;
    }
    DuplicateKeyScan census = DuplicateKeyScan.of(table);
    KnownIds ids = KnownIds.of(census);
    Settings known =
        settings
            .with(SafetensorsKeys.IDS_MAX_BYTES, (long) ids.maxBytes())
            .with(SafetensorsKeys.IDS_ARE_NUMBERS, ids.areNumbers());
    if (census.losers().length == 0) {
      return known;
    }
    DuplicateKeyScan.Twice twice = Objects.requireNonNull(census.example());
    TensorDatasetError.DUPLICATE_ID.check(
        settings.get(SafetensorsKeys.DUPLICATES) == Duplicates.LAST_WIN,
        table.path(),
        "the id \"%s\" is in %s and in %s; %d ids are repeated (expected each once; "
            + "--duplicates last-win keeps the last one)",
        twice.id(),
        twice.first(),
        twice.second(),
        census.losers().length);
    warnings.accept(
        Quote.sentence(
            "%d examples are left out because their ids occur again later",
            census.losers().length));
    return known.with(SafetensorsKeys.DROPPED, census.losers());
  }
}
