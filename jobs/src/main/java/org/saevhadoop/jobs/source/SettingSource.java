package org.saevhadoop.jobs.source;

import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.mapreduce.conf.ConfSettings;

/** A source of the values that a user has set for keys: a configuration, and possibly others. */
@FunctionalInterface
public interface SettingSource {
  SettingSource CONFIGURATION = new SettingSource() { // a method reference would load Configuration
        @Override
        public Settings settings(
            @Nullable Configuration conf, Collection<? extends SettingKey<?>> keys) {
          return ConfSettings.read(conf, keys);
        }
      };

  /**
   * Returns the values of the keys that are set.
   *
   * @param conf the configuration; null if it contains nothing but Hadoop's defaults
   * @throws org.saevhadoop.format.settings.SettingException if a value is invalid
   */
  Settings settings(@Nullable Configuration conf, Collection<? extends SettingKey<?>> keys);
}
