package org.saevhadoop.mapreduce.safetensors;

import java.io.IOException;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions.KnownIds;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.job.TensorKeys;

/** Opens safetensors files with the options that settings define. */
final class SafetensorsReading {
  private SafetensorsReading() {}

  /** Returns the options that settings define. */
  static SafetensorsOptions options(Settings settings, ProvenanceReader provenance) {
    return new SafetensorsOptions(
        settings.get(SafetensorsKeys.LAYOUT_READ).orElse(null),
        settings.get(SafetensorsKeys.SEPARATOR_READ),
        strictness(settings),
        TensorKeys.mappings(settings),
        provenance,
        knownIds(settings));
  }

  /** Returns the facts that a survey determined, so that tasks need not read all headers. */
  private static KnownIds knownIds(Settings settings) {
    return settings.isSet(SafetensorsKeys.IDS_MAX_BYTES)
        ? new KnownIds(
            settings.get(SafetensorsKeys.IDS_MAX_BYTES).intValue(),
            settings.get(SafetensorsKeys.IDS_ARE_NUMBERS))
        : null;
  }

  static HeaderStrictness strictness(Settings settings) {
    return settings.get(SafetensorsKeys.LENIENT)
        ? HeaderStrictness.LENIENT
        : HeaderStrictness.STRICT;
  }

  /** Opens the files at a location as a table, whether or not its columns are activations. */
  static SafetensorsTable table(Location location, Settings settings, ProvenanceReader provenance)
      throws IOException {
    SafetensorsOptions options = options(settings, provenance);
    SafetensorsTable all =
        location.isFile()
            ? SafetensorsTable.openFile(location.folder(), location.file(), options)
            : location.isChecked()
                ? SafetensorsTable.openChecked(location.folder(), options)
                : SafetensorsTable.open(location.folder(), options);
    return settings.isSet(SafetensorsKeys.DROPPED)
        ? all.without(settings.get(SafetensorsKeys.DROPPED))
        : all;
  }
}
