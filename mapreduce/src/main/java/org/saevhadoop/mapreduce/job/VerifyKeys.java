package org.saevhadoop.mapreduce.job;

import java.util.List;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.SettingTypes;

/** The internal keys by which a verification passes values to its own tasks. */
public final class VerifyKeys {
  /** The folder that is compared. */
  public static final SettingKey<String> WRITTEN =
      SettingKey.internal(
          "saev.verify.written",
          SettingTypes.name("PATH", "a path"),
          null,
          "The folder of the dataset that is verified.");

  /** The name of the format that was written. */
  public static final SettingKey<String> FORMAT =
      SettingKey.internal(
          "saev.verify.format",
          SettingTypes.name("FORMAT", "the name of a format"),
          null,
          "The name of its format.");

  private VerifyKeys() {}

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(WRITTEN, FORMAT);
  }
}
