package org.saevhadoop.mapreduce.job;

import java.util.List;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The keys for dividing a job into tasks and executing the tasks. */
public final class PlanningKeys {
  public static final SettingKey<Long> LOCATED_FILES =
      SettingKey.of(
          "saev.input.located.files",
          SettingTypes.whole(0, Integer.MAX_VALUE),
          "50000",
          "Locate the blocks of a dataset of at most this many files, which is one request to the"
              + " NameNode for each file, so that tasks run on hosts that store their data. With more"
              + " files, splits name no hosts, and a warning is logged.");

  public static final SettingKey<Boolean> LOCAL_RUNNER =
      SettingKey.internalFlag(
          "saev.input.local.runner", "Whether Hadoop's local runner runs all local jobs.");

  private PlanningKeys() {}

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(LOCATED_FILES, LOCAL_RUNNER);
  }
}
