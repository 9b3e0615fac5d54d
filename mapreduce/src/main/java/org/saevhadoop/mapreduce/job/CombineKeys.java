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
              "Read another dataset and the first one as one dataset: more examples if it has the same"
                  + " layers, more layers of the same examples if it has others. May be repeated;"
                  + " the order is as typed. Reading options apply to all of them, and"
                  + " saev.input.<i>.KEY to one, counted from 0.")
          .option("--with");

  public static final SettingKey<Optional<Combine>> COMBINE =
      SettingKey.of(
              "saev.input.combine",
              SettingTypes.orWord("auto", SettingTypes.choice(Combine.class)),
              "auto",
              "Whether the datasets of --with are more examples, or more layers of the same"
                  + " examples. By default, whichever fits.")
          .option("--combine");

  public static final SettingKey<Boolean> RENUMBER =
      SettingKey.of(
              "saev.input.renumber",
              SettingTypes.bool(),
              "false",
              "Whether the ids of several datasets are dropped, and the examples only numbered.")
          .flag(
              "--renumber",
              "true",
              "Drop the ids of the datasets and number the examples. Without this option, no id may"
                  + " occur twice.");

  /** The datasets that tasks open. */
  static final SettingKey<SeveralSources> SOURCES =
      SettingKey.internal(
          "saev.input.sources",
          SettingTypes.text("JSON", "several sources", SeveralSources::parse, SeveralSources::text),
          null,
          "The datasets that are read as one.");

  /** The facts that the client knows about these datasets. */
  public static final SettingKey<List<SourceFacts>> FACTS =
      SettingKey.internal(
          "saev.input.facts",
          SettingTypes.text("TEXT", "facts of sources", FactsText::parse, FactsText::of),
          null,
          "The known facts about the datasets that are read as one.");

  private CombineKeys() {}

  /** Returns the keys that users set. */
  public static List<SettingKey<?>> all() {
    return List.of(WITH, COMBINE, RENUMBER);
  }

  /** Returns the keys that describe several sources to tasks. */
  static List<SettingKey<?>> ofTasks() {
    return List.of(SOURCES, FACTS);
  }
}
