package org.saevhadoop.mapreduce.job;

import java.util.List;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The internal keys by which a digest job passes values to its own tasks. */
public final class DigestKeys {
  public static final SettingKey<List<Integer>> LAYERS =
      SettingKey.internal(
          "saev.digest.layers",
          SettingTypes.integers("L,L", "layers"),
          null,
          "The ids of the columns in the order of the digest.");

  public static final SettingKey<String> SUMMED =
      SettingKey.internalName("saev.digest.summed", "The dataset whose files are summed.");

  public static final SettingKey<Boolean> BLOCKS =
      SettingKey.internalFlag(
          "saev.digest.blocks", "Whether the blocks that summed files contain are digested.");

  private DigestKeys() {}

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(LAYERS, SUMMED, BLOCKS);
  }
}
