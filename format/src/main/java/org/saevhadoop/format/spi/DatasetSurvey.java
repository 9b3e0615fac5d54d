package org.saevhadoop.format.spi;

import java.io.IOException;
import java.util.Set;
import java.util.function.Consumer;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;

/**
 * Scan of a whole dataset before it is converted, for facts that no single task can determine.
 *
 * @param keys the reading keys of the scan, which apply only to conversions
 */
public record DatasetSurvey(Set<SettingKey<?>> keys, Scan scan) {
  /** Scans datasets. */
  @FunctionalInterface
  public interface Scan {
    /**
     * Scans a dataset.
     *
     * @param warnings accepts warnings for the user
     * @return the settings with which tasks read the dataset
     */
    Settings run(Location location, Settings settings, Consumer<String> warnings)
        throws IOException;
  }
}
