package org.saevhadoop.mapreduce.job;

import java.util.List;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The keys for the first contact with a cluster. */
public final class ContactKeys {
  private static final int SECONDS_OF_A_DAY = 86_400;

  public static final SettingKey<Long> TIMEOUT =
      SettingKey.of(
          "saev.contact.timeout",
          SettingTypes.whole(0, SECONDS_OF_A_DAY),
          "30",
          "How many seconds a command waits for the first answer of a NameNode, a ResourceManager or"
              + " another server. Later requests are repeated as Hadoop's own keys define. With 0,"
              + " this also applies to the first one.");

  private ContactKeys() {}

  /** Returns all keys of this class. */
  public static List<SettingKey<?>> all() {
    return List.of(TIMEOUT);
  }
}
