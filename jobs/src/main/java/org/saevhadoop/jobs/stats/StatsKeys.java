package org.saevhadoop.jobs.stats;

import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The internal keys through which the statistics verb passes values to its tasks. */
final class StatsKeys {
  static final SettingKey<Long> SEED =
      SettingKey.internal(
          "saev.stats.seed",
          SettingTypes.whole(Long.MIN_VALUE, Long.MAX_VALUE),
          "0",
          "The seed of the random pairs of vectors.");

  private StatsKeys() {}
}
