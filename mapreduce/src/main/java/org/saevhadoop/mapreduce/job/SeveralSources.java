package org.saevhadoop.mapreduce.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.combined.Combine;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;

/**
 * Several datasets that tasks open as one.
 *
 * @param way whether the datasets add examples or layers; null to choose whichever fits
 * @param renumber whether the ids of the datasets are omitted
 */
public record SeveralSources(List<Source> sources, @Nullable Combine way, boolean renumber) {
  public SeveralSources {
    sources = List.copyOf(sources);
  }

  /**
   * One of the datasets.
   *
   * @param path the path as shown in messages
   * @param settings the reading keys of the format and the part that is read, as {@link
   *     ConfSettings#toMap} returns them, sorted: a later process compares the text
   */
  public record Source(String path, SourceReference reference, Map<String, String> settings) {
    public Source {
      settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    /** Returns a dataset that is read as the given input specifies. */
    public static Source of(String path, SourceReference reference, InputSpec input) {
      return new Source(path, reference, ConfSettings.toMap(input.toSettings()));
    }

    /** Returns the part that is read, and the way in which it is read. */
    public InputSpec input(Collection<? extends SettingKey<?>> formatKeys) {
      List<SettingKey<?>> keys = new ArrayList<>(InputKeys.all());
      keys.addAll(formatKeys);
      return InputSpec.of(ConfSettings.read(settings, keys), formatKeys);
    }
  }

  String text() {
    return Jackson.SETTINGS.valueToTree(this).toString();
  }

  static SeveralSources parse(String text) {
    try {
      return Jackson.SETTINGS.readValue(text, SeveralSources.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
