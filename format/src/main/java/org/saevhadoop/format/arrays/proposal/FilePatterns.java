package org.saevhadoop.format.arrays.proposal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.FileSets;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.arrays.file.UnnamedLayers;

/**
 * The possible patterns of file paths, most likely first.
 *
 * @param questions accepts open questions
 * @param areExamples whether the files are named after their examples
 * @param layers the possible layer numbers in names
 */
record FilePatterns(List<String> questions, boolean areExamples, Optional<UnnamedLayers> layers) {
  /**
   * The options that select files.
   *
   * @param pattern null for all files of the folder
   * @param layerNames the names of layers that contain no number, in order
   * @param run the name of the parent folder of the layer folders; empty if there is none
   */
  record Choice(@Nullable String pattern, List<String> layerNames, String run) {
    Choice(@Nullable String pattern, List<String> layerNames) {
      this(pattern, layerNames, "");
    }

    /** Returns whether all files are read and no options name their layers. */
    private boolean isOfAll() {
      return pattern == null && layerNames.isEmpty();
    }

    private Choice with(int layer) {
      return new Choice(pattern, List.of(Integer.toString(layer)), run);
    }

    private Choice under(String folder, String name) {
      return new Choice(NamePattern.escaped(folder) + "/" + pattern, layerNames, name);
    }
  }

  private static final int MAX_RUNS = 5;
  private static final int MAX_SHOWN = 5;
  private static final String SHARD = "{shard}";
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  /** The file names of activault: a UUID, the number of the upload, and the number of the job. */
  private static final Pattern UPLOAD = Pattern.compile(".+--[0-9]+_[0-9]+\\.saved\\.pt");

  /** Returns the patterns of files that are all at the same depth. */
  static List<Choice> of(HeaderSample sample, List<String> questions) {
    List<Choice> choices =
        of(
            sample.paths(),
            sample.allPaths(),
            sample.areExamples(),
            sample.unnamedLayers(),
            questions);
    Optional<Integer> number = sample.areExamples() ? Optional.empty() : sample.onlyNumber();
    if (number.isEmpty() || choices.stream().noneMatch(Choice::isOfAll)) {
      return choices;
    }
    questions.add("whether %d is the number of the layer (--layer-names)".formatted(number.get()));
    return choices.stream()
        .flatMap(
            choice ->
                choice.isOfAll()
                    ? Stream.of(choice.with(number.get()), choice, choice.with(0))
                    : Stream.of(choice))
        .toList();
  }

  /**
   * Returns the patterns.
   *
   * @param paths the paths of files in natural order, all at the same depth
   * @param all these paths and the paths of integer files
   * @param areExamples whether the files are named after their examples
   * @param layers the possible layer numbers in names
   * @param questions accepts open questions
   */
  static List<Choice> of(
      List<String> paths,
      List<String> all,
      boolean areExamples,
      Optional<UnnamedLayers> layers,
      List<String> questions) {
    FilePatterns patterns = new FilePatterns(questions, areExamples, layers);
    long depth = paths.get(0).chars().filter(c -> c == '/').count();
    if (depth == 0) {
      return patterns.here(paths, all);
    }
    List<Choice> choices =
        depth == 1 ? patterns.inFolders(byFolder(all)) : patterns.inRuns(byFolder(all));
    // names without a common ending do not show the format
    return choices.stream()
        .filter(choice -> !String.valueOf(choice.pattern).endsWith("}"))
        .toList();
  }

  private static Map<String, List<String>> byFolder(List<String> paths) {
    Map<String, List<String>> folders = new LinkedHashMap<>();
    for (String path : paths) {
      int end = path.indexOf('/');
      folders
          .computeIfAbsent(path.substring(0, end), key -> new ArrayList<>())
          .add(path.substring(end + 1));
    }
    return folders;
  }

  /**
   * Returns the patterns of the files of a folder.
   *
   * @param all the names of all files, including integer files
   */
  private List<Choice> here(List<String> names, List<String> all) {
    Optional<FileSets> sets = FileSets.of(all);
    if (sets.isPresent()) {
      questions.add(
          sets.get().isCopied()
              ? "whether the copies are read: " + shown(sets.get().sets().get(1))
              : "which of the sets is read: " + shown(all));
      return ofSets(sets.get(), names, all);
    }
    List<Choice> choices = new ArrayList<>();
    choices.add(new Choice(null, List.of()));
    List<String> layered = layered(names);
    if (layered.size() > 1) {
      questions.add("which numbers in the names of files are layers: " + shown(names));
      return layered.stream().map(pattern -> new Choice(pattern, List.of())).toList();
    }
    if (names.size() == 1 || !layered.isEmpty()) {
      return choices;
    }
    if (layers.isPresent()) {
      questions.add("whether the numbers in the names of files are layers or parts");
      Choice layer = new Choice(layers.get().pattern(), List.of());
      Choice part = new Choice(layers.get().isLikely() ? layers.get().parts() : null, List.of());
      return layers.get().isLikely() ? List.of(layer, part) : List.of(part, layer);
    }
    Optional<FileSets> words = areExamples ? Optional.empty() : FileSets.ofWords(names);
    if (words.isPresent()) {
      choices.addAll(ofSets(words.get(), names, all));
      if (hasNumbers(names)) {
        questions.add("whether all files are read, or those of one name: " + shown(names));
      }
    }
    if (!hasNumbers(names)) {
      List<String> hooks = names.stream().map(name -> name.replaceFirst("\\..*", "")).toList();
      String ending = names.get(0).substring(hooks.get(0).length());
      if (names.stream().allMatch(name -> name.endsWith(ending))
          && Set.copyOf(hooks).size() == hooks.size()) {
        questions.add("whether the files are parts, or layers: " + shown(hooks));
        choices.add(new Choice("{hook}" + NamePattern.escaped(ending), hooks));
      }
    }
    return choices;
  }

  private static boolean hasNumbers(List<String> names) {
    return names.stream().anyMatch(name -> NUMBER.matcher(name).find());
  }

  /** Returns a pattern for each set of files whose names have a common pattern. */
  private List<Choice> ofSets(FileSets sets, List<String> names, List<String> all) {
    List<Choice> choices = new ArrayList<>();
    for (List<String> set : sets.sets()) {
      List<String> own = set.stream().filter(names::contains).toList();
      if (!own.isEmpty() && choices.size() < MAX_RUNS) {
        Stream.of(own.equals(set) ? List.<String>of() : set, own)
            .filter(files -> !files.isEmpty())
            .flatMap(FilePatterns::patterns)
            .filter(
                pattern -> {
                  NamePattern parsed = NamePattern.parse(pattern);
                  List<String> found =
                      all.stream().filter(name -> parsed.match(name).isPresent()).toList();
                  return found.containsAll(own) && set.containsAll(found);
                })
            .findFirst()
            .ifPresent(pattern -> addParts("", own, pattern, choices));
      }
    }
    return choices;
  }

  /**
   * Adds the pattern of files, preceded by a pattern with layers if the numbers in the file names
   * are likely layer numbers.
   */
  private void addParts(String folder, List<String> names, String pattern, List<Choice> choices) {
    UnnamedLayers.of(folder, names, Map.of(), areExamples)
        .filter(found -> found.isLikely() && !pattern.contains("{layer}"))
        .ifPresent(found -> choices.add(new Choice(found.pattern(), List.of())));
    choices.add(new Choice(pattern, List.of()));
  }

  /** Returns patterns that names have in common, most exact first. */
  private static Stream<String> patterns(List<String> names) {
    if (names.size() == 1) {
      return Stream.of(NamePattern.escaped(names.get(0)));
    }
    List<String> layered = layered(names);
    if (layered.size() == 1) {
      return layered.stream();
    }
    String prefix = names.stream().reduce(FilePatterns::commonPrefix).orElse("");
    return Stream.concat(
        NamePattern.ofNumbers(names, SHARD).stream(),
        Stream.of(NamePattern.escaped(prefix) + SHARD + NamePattern.escaped(commonEnding(names))));
  }

  /** Returns the patterns of names with layer numbers, one for each kind of name. */
  private static List<String> layered(List<String> names) {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    for (String name : names) {
      for (String pattern : LayerNumber.patterns(name)) {
        kinds
            .computeIfAbsent(NUMBER.matcher(pattern).replaceAll("#"), k -> new ArrayList<>())
            .add(pattern);
      }
    }
    return kinds.values().stream()
        .map(FilePatterns::sharded)
        .filter(pattern -> pattern.contains("{layer}"))
        .limit(MAX_RUNS)
        .toList();
  }

  /** Joins patterns that differ in numbers into one pattern; these numbers divide the examples. */
  private static String sharded(List<String> patterns) {
    String first = patterns.get(0);
    String head = first;
    String tail = first;
    for (String other : patterns) {
      head = commonPrefix(head, other);
      tail = reversed(commonPrefix(reversed(tail), reversed(other)));
    }
    if (head.equals(first)) {
      return first;
    }
    head = head.replaceFirst("[0-9]+$", "");
    tail = tail.substring(Math.max(0, head.length() + tail.length() - first.length()));
    return head + SHARD + tail.replaceFirst("^[0-9]+", "");
  }

  private static String commonPrefix(String a, String b) {
    int length = 0;
    while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
      length++;
    }
    return a.substring(0, length);
  }

  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  private List<Choice> inRuns(Map<String, List<String>> runs) {
    List<Choice> choices = new ArrayList<>();
    if (runs.size() > 1) {
      questions.add("which of the folders is read: " + shown(runs.keySet()));
    }
    runs.entrySet().stream()
        .limit(MAX_RUNS)
        .forEach(
            run ->
                inFolders(byFolder(run.getValue()))
                    .forEach(choice -> choices.add(choice.under(run.getKey(), run.getKey()))));
    return choices;
  }

  private List<Choice> inFolders(Map<String, List<String>> folders) {
    Set<String> names = new LinkedHashSet<>();
    folders.values().forEach(names::addAll);
    List<String> hooks = List.copyOf(folders.keySet());
    String file = file(names);
    boolean numbered = hooks.stream().allMatch(hook -> LayerNumber.find(hook).isPresent());
    if (numbered) {
      return numberedHooks(hooks, file);
    }
    if (hooks.size() == 1) {
      List<Choice> choices = new ArrayList<>();
      addParts(hooks.get(0), List.copyOf(names), file, choices);
      return choices.stream().map(choice -> choice.under(hooks.get(0), "")).toList();
    }
    List<Choice> sets = ofFolders(folders);
    if (!sets.isEmpty()) {
      questions.add("which of the folders is read: " + shown(hooks));
      return sets;
    }
    Set<String> layers = distinct(names, name -> LayerNumber.pattern(name).orElse(""));
    if (layers.size() == 1 && !layers.contains("")) {
      return List.of(new Choice("{shard}/" + layers.iterator().next(), List.of()));
    }
    questions.add("whether the folders are layers or parts: " + shown(hooks));
    List<Choice> choices = new ArrayList<>();
    Optional<String> layer = NamePattern.ofNumbers(hooks, "{layer}");
    choices.add(
        layer.isPresent()
            ? new Choice(layer.get() + "/" + file, List.of())
            : new Choice("{hook}/" + file, hooks));
    choices.add(new Choice("{shard}/" + file.replace(SHARD, "{example}"), List.of()));
    return choices;
  }

  /**
   * Returns a pattern for each folder if the folders are different datasets: their files are named
   * after the folders, or have names that differ in words.
   */
  private static List<Choice> ofFolders(Map<String, List<String>> folders) {
    List<Choice> choices = new ArrayList<>();
    List<String> hooks = List.copyOf(folders.keySet());
    Set<String> words = new LinkedHashSet<>();
    Set<String> alike = new LinkedHashSet<>();
    for (Map.Entry<String, List<String>> folder : folders.entrySet()) {
      String hook = NamePattern.escaped(folder.getKey());
      String file = file(Set.copyOf(folder.getValue()));
      words.add(NUMBER.matcher(file.replace(SHARD, "0")).replaceAll("#"));
      alike.add(file.replace(hook, "{hook}"));
      choices.add(new Choice(hook + "/" + file, List.of()));
    }
    boolean areNamedAlike = alike.size() == 1 && alike.iterator().next().contains("{hook}");
    boolean isNumbered = folders.values().stream().allMatch(files -> files.size() > 1);
    if (areNamedAlike) {
      choices.add(new Choice("{hook}/" + alike.iterator().next(), hooks));
    }
    boolean differ = words.size() == hooks.size() && !words.contains("#");
    return areNamedAlike || isNumbered && differ ? choices : List.of();
  }

  /** Returns the patterns of folders with layer numbers in their names. */
  private List<Choice> numberedHooks(List<String> hooks, String file) {
    Set<String> kinds = distinct(hooks, hook -> LayerNumber.pattern(hook).orElseThrow());
    List<Choice> choices = new ArrayList<>();
    if (kinds.size() == 1) {
      choices.add(new Choice("{hook}/" + file, List.of()));
      return choices;
    }
    questions.add("which hooks are read, because layers have several: " + shown(hooks));
    kinds.forEach(kind -> choices.add(new Choice(kind + "/" + file, List.of())));
    choices.add(new Choice("{hook}/" + file, hooks));
    return choices;
  }

  private static <T> Set<String> distinct(
      Iterable<String> names, Function<String, String> property) {
    Set<String> values = new LinkedHashSet<>();
    names.forEach(name -> values.add(property.apply(name)));
    return values;
  }

  private static String shown(Iterable<String> names) {
    List<String> all = new ArrayList<>();
    names.forEach(all::add);
    return String.join(", ", all.subList(0, Math.min(MAX_SHOWN, all.size())))
        + (all.size() > MAX_SHOWN ? ", ... (%d)".formatted(all.size()) : "");
  }

  /** Returns the name pattern of files that contain different examples. */
  private static String file(Set<String> names) {
    List<String> all = List.copyOf(names);
    if (all.size() == 1) {
      return NamePattern.escaped(all.get(0));
    }
    if (all.stream().allMatch(name -> UPLOAD.matcher(name).matches())) {
      return "{example}--{shard}.saved.pt"; // {shard} sorts first: in the order of uploads
    }
    return NamePattern.ofNumbers(all, SHARD)
        .orElseGet(
            () -> {
              String suffix = commonEnding(all);
              String ending = suffix.substring(Math.max(0, suffix.indexOf('.')));
              return SHARD + NamePattern.escaped(ending);
            });
  }

  /** Returns the longest common ending of all names. */
  private static String commonEnding(List<String> names) {
    String first = names.get(0);
    for (int begin = 0; begin < first.length(); begin++) {
      String ending = first.substring(begin);
      if (names.stream().allMatch(name -> name.endsWith(ending))) {
        return ending;
      }
    }
    return "";
  }
}
