package org.saevhadoop.mapreduce.job;

import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.combined.Combine;
import org.saevhadoop.format.combined.FactsText;
import org.saevhadoop.format.combined.SourceFacts;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;

/** The keys of commands that read several datasets as one. */
public final class CombineKeys {
  public static final SettingKey<List<String>> WITH =
      SettingKey.of(
              "saev.input.with",
              SettingTypes.list(SettingTypes.name("PATH", "a path")),
              null,
              "Read another dataset together with the first one, as one dataset: more examples if it"
                  + " has the same layers, more layers of the same examples if it has others. May be"
                  + " repeated; the order is as typed. Options hold for all of them,"
                  + " -D saev.input.<i>.KEY for one, counted from 0.")
          .option("--with");

  public static final SettingKey<Optional<Combine>> COMBINE =
      SettingKey.of(
              "saev.input.combine",
              SettingTypes.orWord("auto", SettingTypes.choice(Combine.class)),
              "auto",
              "What the datasets of --with are: more examples, or more layers. By default they are"
                  + " what fits.")
          .option("--combine");

  public static final SettingKey<Boolean> RENUMBER =
      SettingKey.of(
              "saev.input.renumber",
              SettingTypes.bool(),
              "false",
              "Whether the ids of several datasets are left out, so that the examples are only"
                  + " numbered.")
          .flag(
              "--renumber",
              "true",
              "Leave out the ids of the datasets of --with, which must otherwise differ: examples are"
                  + " numbered.");

  /** The datasets that tasks open. */
  static final SettingKey<Optional<SeveralSources>> SOURCES =
      SettingKey.internal(
          "saev.input.sources",
          SettingTypes.orWord(
              "none",
              SettingTypes.text(
                  "JSON", "several sources", SeveralSources::parse, SeveralSources::text)),
          "none",
          "The datasets that are read as one.");

  /** What the client knows of them. */
  public static final SettingKey<List<SourceFacts>> FACTS =
      SettingKey.internal(
          "saev.input.facts",
          SettingTypes.text("TEXT", "facts of sources", FactsText::parse, FactsText::of),
          null,
          "What is known of the datasets that are read as one.");

  private CombineKeys() {}

  /** Returns the keys that users set. */
  public static List<SettingKey<?>> all() {
    return List.of(WITH, COMBINE, RENUMBER);
  }

  /** Returns the keys by which tasks know of several sources. */
  static List<SettingKey<?>> ofTasks() {
    return List.of(SOURCES, FACTS);
  }
}
