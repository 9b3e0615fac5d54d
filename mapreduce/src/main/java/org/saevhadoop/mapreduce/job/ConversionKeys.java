package org.saevhadoop.mapreduce.job;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.saevhadoop.mapreduce.conf.Key;
import org.saevhadoop.mapreduce.conf.Types;

/** The keys of conversions, and those by which a conversion hands values to its own tasks. */
public final class ConversionKeys {
  /** How blocks are brought into the order of the files. */
  public enum Plan {
    AUTO,
    MAP_ONLY,
    SHUFFLE
  }

  /** What travels from the source beside the blocks. */
  public enum Carried {
    LABELS,
    ATTRIBUTES,
    IDS
  }

  public static final Key<Plan> PLAN =
      Key.of(
          "saev.convert.plan",
          Types.choice(Plan.class),
          "auto",
          "How convert brings blocks into the order of the files that it writes; auto chooses"
              + " map-only wherever a task may write a whole file.");

  public static final Key<Long> REDUCERS =
      Key.of(
          "saev.convert.reducers",
          Types.whole(0, 1_000_000),
          "0",
          "The number of reducers of a conversion through the shuffle. 0 is one for each file that is"
              + " written, but at most 64, or one for each core in the local runner.");

  public static final Key<Boolean> ATTRIBUTES =
      Key.of(
              "saev.convert.attributes",
              Types.bool(),
              "true",
              "Whether the sample metadata of the source is written: texts, ids and whatever else is"
                  + " known of the examples beside their values.")
          .flag(
              "--no-attributes",
              "false",
              "Do not write the sample metadata of SRC: texts, ids and whatever else is known of the"
                  + " examples beside their values.");

  static final Key<List<Integer>> COLUMNS =
      Key.internal(
          "saev.convert.columns",
          Types.of("C,C", "places of columns", ConversionKeys::numbers, ConversionKeys::text),
          "none",
          "The order in which columns are read, as places in the table.");

  static final Key<String> SOURCE =
      Key.internal(
          "saev.convert.source",
          Types.name("PATH", "a path"),
          null,
          "The dataset that is read, with its storage.");

  static final Key<String> SOURCE_FORMAT =
      Key.internal(
          "saev.convert.source.format",
          Types.name("FORMAT", "the name of a format"),
          null,
          "The name of its format.");

  static final Key<Boolean> SOURCE_STAGED =
      Key.internal(
          "saev.convert.source.staged",
          Types.bool(),
          "false",
          "Whether that dataset was staged from a stream.");

  static final Key<Set<Carried>> CARRIED =
      Key.internal(
          "saev.convert.carried",
          Types.of(
              "WHAT", "labels, attributes, ids", ConversionKeys::carried, ConversionKeys::text),
          "none",
          "What travels from that dataset beside the blocks.");

  private static final String NONE = "none";

  private static final List<Key<?>> ALL =
      List.of(PLAN, REDUCERS, ATTRIBUTES, COLUMNS, SOURCE, SOURCE_FORMAT, SOURCE_STAGED, CARRIED);

  private ConversionKeys() {}

  /** Returns all of them. */
  public static List<Key<?>> all() {
    return ALL;
  }

  /** Returns those that name the dataset that is read. */
  static List<Key<?>> source() {
    return List.of(SOURCE, SOURCE_FORMAT, SOURCE_STAGED);
  }

  private static List<Integer> numbers(String text) {
    return text.equals(NONE)
        ? List.of()
        : Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
  }

  private static String text(List<Integer> numbers) {
    return numbers.isEmpty()
        ? NONE
        : numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static Set<Carried> carried(String text) {
    return text.equals(NONE)
        ? Set.of()
        : Arrays.stream(text.split(",")).map(Carried::valueOf).collect(Collectors.toSet());
  }

  private static String text(Set<Carried> carried) {
    return carried.isEmpty()
        ? NONE
        : new TreeSet<>(carried).stream().map(Carried::name).collect(Collectors.joining(","));
  }
}
