package org.saevhadoop.mapreduce.safetensors;

import java.io.IOException;
import java.util.Set;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.safetensors.dataset.DuplicateKeyScan;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions.KnownIds;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.dataset.TensorDatasetError;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.safetensors.SafetensorsKeys.Duplicates;
import org.saevhadoop.mapreduce.spi.DatasetSurvey;

/** Scans the ids of a whole dataset, if it has ids, because no single task reads all of them. */
final class IdSurvey implements DatasetSurvey {
  @Override
  public Set<SettingKey<?>> keys() {
    return Set.of(SafetensorsKeys.DUPLICATES);
  }

  /**
   * {@inheritDoc}
   *
   * @throws org.saevhadoop.format.io.FormatException if ids occur more than once and the settings
   *     do not permit it
   */
  @Override
  public Settings run(Location location, Settings settings, Consumer<String> warnings)
      throws IOException {
    SafetensorsTable table = SafetensorsReading.table(location, settings, ProvenanceReader.NONE);
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
    DuplicateKeyScan.Twice twice = census.example();
    TensorDatasetError.DUPLICATE_ID.check(
        settings.get(SafetensorsKeys.DUPLICATES) == Duplicates.LAST_WIN,
        table.folder().path(),
        "the id \"%s\" is in %s and in %s; %d ids are repeated (expected each once; "
            + "--duplicates last-win keeps the last one)",
        twice.id(),
        twice.first(),
        twice.second(),
        census.losers().length);
    warnings.accept(
        census.losers().length + " examples are left out, as their ids come again later");
    return known.with(SafetensorsKeys.DROPPED, census.losers());
  }
}
