package org.saevhadoop.jobs.diff;

import java.util.List;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The internal keys with which a comparison passes values to its tasks. */
final class DiffKeys {
  static final SettingKey<String> TOLERANCE =
      SettingKey.internalName("saev.diff.tolerance", "The tolerance.");

  static final SettingKey<Boolean> NAN_EQUAL =
      SettingKey.internalFlag("saev.diff.nan.equal", "Whether any NaN equals any other.");

  static final SettingKey<List<Integer>> COLUMNS =
      SettingKey.internal(
          "saev.diff.columns",
          SettingTypes.integers("C,C", "columns"),
          null,
          "The indexes of the columns of the second dataset that are compared, in the order of"
              + " the columns of the first.");

  static final SettingKey<Boolean> LABELS =
      SettingKey.internalFlag("saev.diff.labels", "Whether labels are compared.");

  static final SettingKey<Boolean> SAMPLES =
      SettingKey.internalFlag("saev.diff.samples", "Whether sample metadata is compared.");

  private DiffKeys() {}
}
