package org.saevhadoop.jobs.merge;

import java.util.List;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.mapreduce.job.CombineKeys;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.OutputKeys;

/** The keys of merges, including the keys with which a merge passes values to its own tasks. */
public final class MergeKeys {
  static final SettingKey<List<String>> SOURCES =
      SettingKey.internal(
          "saev.merge.sources",
          SettingTypes.list(SettingTypes.name("PATH", "a path")),
          null,
          "The folders of the sources.");

  static final SettingKey<CopiedFiles> FILES =
      SettingKey.internal(
          "saev.merge.files",
          SettingTypes.of("FILES", "deflated lines", CopiedFiles::parse, CopiedFiles::text),
          null,
          "The files that are copied.");

  /** The folder of copies that are compared with the sources. */
  static final SettingKey<String> COMPARED =
      SettingKey.internalName("saev.merge.compared", "The folder of the copies.");

  /** A hash of the list of files, which identifies the copied data in the record of a run. */
  static final SettingKey<String> PLAN =
      SettingKey.internalName("saev.merge.plan", "A hash of the list of files.");

  private MergeKeys() {}

  /** Returns the keys that have an effect on a merge, whatever the format. */
  public static List<SettingKey<?>> writing() {
    return List.of(ConversionKeys.RESUME, ConversionKeys.VERIFY);
  }

  /** Returns the keys that define how datasets are combined. */
  public static List<SettingKey<?>> several() {
    return List.of(CombineKeys.COMBINE, CombineKeys.RENUMBER);
  }

  /** Returns the keys for unusual cases. */
  public static List<SettingKey<?>> safety() {
    return List.of(
        ConversionKeys.TRUST_RUN_FOLDER,
        OutputKeys.SYNC,
        ConversionKeys.SPACE_CHECK,
        ConversionKeys.QUOTA_CHECK);
  }
}
