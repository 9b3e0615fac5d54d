package org.saevhadoop.jobs.verify;

import java.util.List;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The internal keys by which a verification passes values to its tasks. */
final class VerifyKeys {
  static final SettingKey<List<Integer>> COLUMNS =
      SettingKey.internal(
          "saev.verify.columns",
          SettingTypes.integers("C,C", "columns"),
          null,
          "The ids of all columns, in their order.");

  static final SettingKey<Boolean> VECTORS =
      SettingKey.internalFlag(
          "saev.verify.vectors", "Whether the columns are activations, which consist of vectors.");

  static final SettingKey<Long> BUCKETS =
      SettingKey.internal(
          "saev.verify.buckets",
          SettingTypes.whole(0, Integer.MAX_VALUE),
          "0",
          "Into how many buckets the hashes of a column are divided; 0 if vectors are not compared.");

  private VerifyKeys() {}
}
