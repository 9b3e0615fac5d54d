package org.saevhadoop.mapreduce.job;

import java.util.LinkedHashSet;
import java.util.Set;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.settings.SettingKey;

/** The keys of all settings of formats and jobs. */
public final class ProjectKeys {
  private ProjectKeys() {}

  /** Returns all keys, in the order of docs/configuration.md. */
  public static Set<SettingKey<?>> of(DatasetFormats formats) {
    Set<SettingKey<?>> keys = new LinkedHashSet<>(InputKeys.all());
    keys.addAll(CombineKeys.all());
    keys.add(formats.sourceFormat());
    keys.addAll(formats.readingKeys());
    keys.addAll(OutputKeys.all());
    keys.addAll(formats.writingKeys());
    keys.addAll(ConversionKeys.all());
    keys.addAll(PlanningKeys.all());
    keys.addAll(ContactKeys.all());
    keys.addAll(DigestKeys.all());
    return keys;
  }
}
