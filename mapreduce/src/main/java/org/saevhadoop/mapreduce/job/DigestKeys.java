package org.saevhadoop.mapreduce.job;

import java.util.List;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.conf.SettingTypes;

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

  public static final SettingKey<String> INPUT =
      SettingKey.internalName(
          "saev.digest.input", "The input format of the blocks that summed files contain.");

  private DigestKeys() {}

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(LAYERS, SUMMED, INPUT);
  }
}
