package org.saevhadoop.format.arrays.proposal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.ArrayChoice;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.AxisChoice;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.arrays.file.LayerNumber;
import org.saevhadoop.format.arrays.file.NamePattern;

/** Mappings of the arrays that may be activations, most likely first. */
final class TensorChoices {
  /**
   * The options that select arrays.
   *
   * @param mapping null if names and shapes determine the mapping
   * @param axes the dimensions of the arrays; empty if they are not known
   * @param sample one of the arrays
   */
  record Choice(@Nullable String mapping, String name, List<Axis> axes, FileArray sample) {
    /** Returns the question to ask the user if no dimensions fit. */
    String question() {
      return "which dimensions the arrays %s have (--tensor %s=AXES)"
          .formatted(ArrayChoice.show(sample), name);
    }

    /** Returns the mapping, even if names and shapes determine it. */
    String explicit() {
      return name + "=" + AxisChoice.joined(axes);
    }

    /**
     * Returns the numbers of tokens of the arrays in files; 1 for an array without a token
     * dimension.
     */
    TreeSet<Long> lengths(Iterable<ArrayFile> files) {
      NamePattern pattern = NamePattern.ofArrays(name);
      TreeSet<Long> lengths = new TreeSet<>();
      for (ArrayFile file : files) {
        for (ArrayFile part : file.parts()) {
          for (FileArray array : part.arrays()) {
            if (array.shape().size() == axes.size() && pattern.match(array.name()).isPresent()) {
              lengths.add(tokens(array.shape()));
            }
          }
        }
      }
      return lengths;
    }

    private long tokens(List<Long> shape) {
      long tokens = 1;
      for (int i = 0; i < shape.size(); i++) {
        tokens *= axes.get(i) == Axis.TOKEN ? shape.get(i) : 1;
      }
      return tokens;
    }
  }

  /** Arrays whose names differ only in the layer number. */
  private static final class Kind {
    private final String pattern;
    private final boolean isLayer;
    private final List<FileArray> arrays = new ArrayList<>();
    private final Set<List<Axis>> possible = new LinkedHashSet<>();
    private boolean hasIds;

    /** Whether {@link #possible} reflects at least one array. */
    private boolean isDecided;

    private List<List<Long>> ids = List.of();

    Kind(String pattern, boolean isLayer) {
      this.pattern = pattern;
      this.isLayer = isLayer;
    }

    void add(FileArray array, List<List<Long>> found) {
      List<List<Axis>> axes = AxisChoice.of(array.shape(), found, isLayer);
      if (axes.isEmpty() && !found.isEmpty()) {
        axes = AxisChoice.loosely(array.shape(), found, isLayer);
      }
      if (!isDecided) {
        possible.addAll(axes);
      } else if (!axes.isEmpty() || found.isEmpty()) { // else the ids are of other tokens
        possible.retainAll(axes);
      }
      isDecided |= !axes.isEmpty() || found.isEmpty();
      arrays.add(array);
      hasIds |= !found.isEmpty();
      ids = found.isEmpty() ? ids : found;
    }

    /** Adds the possible meanings for files that contain one example each and differ in length. */
    void addOthers() {
      boolean isCube = arrays.get(0).shape().size() == 3 && !hasIds && !isLayer;
      if (isCube && sizes(0).size() > 1 && sizes(1).size() == 1) {
        possible.add(List.of(Axis.TOKEN, Axis.LAYER, Axis.DIM));
      }
    }

    /**
     * Returns the possible meanings, beginning with those that the sizes in several files support.
     */
    Set<List<Axis>> likeliest() {
      if (possible.isEmpty() && hasIds) {
        possible.addAll(AxisChoice.ofRanks(arrays.get(0).shape(), ids, isLayer));
      }
      Set<List<Axis>> axes = new LinkedHashSet<>();
      if (!hasIds && !isLayer) {
        List<Axis> found = AxisChoice.ofFiles(arrays.stream().map(FileArray::shape).toList());
        axes.addAll(found.isEmpty() ? List.of() : List.of(found));
      }
      axes.addAll(possible);
      return axes;
    }

    private Set<Long> sizes(int dimension) {
      return arrays.stream()
          .filter(array -> array.shape().size() > dimension)
          .map(array -> array.shape().get(dimension))
          .collect(Collectors.toSet());
    }

    String shown() {
      return ArrayChoice.show(arrays.get(0));
    }
  }

  /** The minimum number of arrays that can be examples; fewer are probably of different kinds. */
  private static final int MIN_SEQUENCES = 3;

  private static final Pattern LAST_NUMBER = Pattern.compile("(.*?)([0-9]{1,9})([^0-9]*)");
  private static final Pattern UNLIKELY =
      Pattern.compile("(?i)(.*[^a-z])?(mean|std|mask|loss|weight|norm|logits?|probs?)([^a-z].*)?");
  private static final Predicate<Kind> IS_UNLIKELY =
      kind -> UNLIKELY.matcher(kind.pattern).matches();
  private static final Pattern TOKENS = Pattern.compile("(.*\\.)?(token_ids|input_ids|tokens)");

  private TensorChoices() {}

  /**
   * Returns the mappings.
   *
   * @param isLayer whether each file contains one layer
   * @param explicit whether all arrays are mapped, even if names and shapes determine the mapping
   * @param questions accepts open questions
   */
  static List<Choice> of(
      Iterable<ArrayFile> files, boolean isLayer, boolean explicit, List<String> questions) {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    for (ArrayFile file : files) {
      List<FileArray> arrays =
          file.arrays().stream()
              .filter(a -> ArrayChoice.isCandidate(a) && !TOKENS.matcher(a.name()).matches())
              .toList();
      List<List<Long>> ids =
          file.arrays().stream().filter(ArrayChoice::isTokenIds).map(FileArray::shape).toList();
      Map<FileArray, String> patterns = patterns(arrays);
      for (FileArray array : arrays) {
        String pattern = patterns.getOrDefault(array, array.name());
        boolean layer = isLayer || pattern.contains("{layer}");
        kinds.computeIfAbsent(pattern, key -> new Kind(pattern, layer)).add(array, ids);
      }
    }
    if (kinds.isEmpty()) {
      return files.iterator().hasNext() ? vectors(files, questions) : List.of();
    }
    kinds.values().forEach(Kind::addOthers);
    List<Kind> sorted = new ArrayList<>(kinds.values());
    sorted.sort(
        Comparator.comparing(IS_UNLIKELY::test)
            .thenComparing(kind -> !kind.pattern.contains("{layer}")));
    if (sorted.size() > 1) {
      questions.add(
          "which arrays are activations: "
              + sorted.stream().map(Kind::shown).collect(Collectors.joining(", ")));
    }
    List<Choice> choices = new ArrayList<>(sequences(sorted));
    for (Kind kind : sorted) {
      choices.addAll(choices(kind, !explicit && sorted.size() == 1, questions));
    }
    sorted.forEach(kind -> addOthers(kind, choices));
    return choices;
  }

  /** Returns the mapping of many arrays of the same width, each with the tokens of an example. */
  private static List<Choice> sequences(List<Kind> kinds) {
    boolean areAlike =
        kinds.size() >= MIN_SEQUENCES
            && kinds.stream().noneMatch(kind -> kind.hasIds || kind.isLayer)
            && kinds.stream().noneMatch(IS_UNLIKELY)
            && kinds.stream().allMatch(kind -> kind.arrays.get(0).shape().size() == 2)
            && kinds.stream().map(kind -> kind.arrays.get(0).shape().get(1)).distinct().count()
                == 1;
    List<Axis> axes = List.of(Axis.TOKEN, Axis.DIM);
    String name = "{example}";
    return areAlike
        ? List.of(
            new Choice(
                name + "=" + AxisChoice.joined(axes), name, axes, kinds.get(0).arrays.get(0)))
        : List.of();
  }

  /**
   * Returns the mappings of files of vectors; each vector is an example or one layer of an example.
   */
  private static List<Choice> vectors(Iterable<ArrayFile> files, List<String> questions) {
    Optional<ArrayFile> several = Optional.empty();
    for (ArrayFile file : files) {
      if (!ArrayChoice.areVectors(file)) {
        return List.of();
      }
      several = ArrayChoice.isVector(file) ? several : several.or(() -> Optional.of(file));
    }
    List<Axis> axes = List.of(Axis.DIM);
    FileArray first = several.orElseGet(() -> files.iterator().next()).arrays().get(0);
    if (several.isEmpty()) {
      return List.of(new Choice(null, NamePattern.escaped(first.name()), axes, first));
    }
    String folder = first.name().substring(0, first.name().lastIndexOf('.') + 1);
    boolean isShared =
        several.get().arrays().stream().allMatch(array -> array.name().startsWith(folder));
    String name = NamePattern.escaped(isShared ? folder : "") + "{example}";
    questions.add("whether the vectors %s, ... are examples".formatted(ArrayChoice.show(first)));
    return List.of(new Choice(name + "=" + AxisChoice.joined(axes), name, axes, first));
  }

  private static List<Choice> choices(Kind kind, boolean only, List<String> questions) {
    FileArray first = kind.arrays.get(0);
    Set<List<Axis>> possible = kind.likeliest();
    if (possible.size() > 1) {
      questions.add(
          "which dimensions %s%s has: %s"
              .formatted(
                  kind.shown(),
                  kind.hasIds ? " with token ids of " + kind.ids : "",
                  possible.stream().map(AxisChoice::joined).collect(Collectors.joining(" or "))));
    }
    List<Choice> choices = new ArrayList<>();
    for (List<Axis> axes : possible) {
      boolean isDefault = possible.size() == kind.possible.size();
      boolean decided =
          only && !kind.hasIds && isDefault && axes.equals(kind.possible.iterator().next());
      boolean isNamed = kind.pattern.equals(NamePattern.escaped(first.name()));
      String mapping = kind.pattern + "=" + AxisChoice.joined(axes);
      choices.add(
          new Choice(
              decided && (isNamed || LayerNumber.find(first.name()).isPresent()) ? null : mapping,
              kind.pattern,
              axes,
              first));
    }
    addExamples(kind, choices, questions);
    if (kind.possible.isEmpty()) {
      Choice unknown = new Choice(null, kind.pattern, List.of(), first);
      questions.add(unknown.question());
      choices.add(unknown);
    }
    return choices;
  }

  /** Adds further possible meanings of arrays without token ids. */
  private static void addOthers(Kind kind, List<Choice> choices) {
    FileArray first = kind.arrays.get(0);
    if (!kind.hasIds && kind.arrays.stream().noneMatch(array -> array.shape().contains(0L))) {
      for (List<Axis> axes : AxisChoice.others(first.shape(), kind.isLayer)) {
        String mapping = kind.pattern + "=" + AxisChoice.joined(axes);
        choices.add(new Choice(mapping, kind.pattern, axes, first));
      }
    }
  }

  /** Adds the arrays of a list as examples, if their names contain no layer numbers. */
  private static void addExamples(Kind kind, List<Choice> choices, List<String> questions) {
    FileArray first = kind.arrays.get(0);
    boolean isList = kind.pattern.contains("{layer}") && LayerNumber.find(first.name()).isEmpty();
    if (!isList || kind.hasIds || choices.isEmpty()) {
      return;
    }
    questions.add("whether the arrays %s, ... are layers or examples".formatted(kind.shown()));
    String pattern = kind.pattern.replace("{layer}", "{example}");
    List<Axis> axes = choices.get(0).axes;
    List<Axis> own =
        axes.equals(List.of(Axis.EXAMPLE, Axis.DIM)) ? List.of(Axis.TOKEN, Axis.DIM) : axes;
    choices.add(new Choice(pattern + "=" + AxisChoice.joined(own), pattern, own, first));
  }

  /** Returns the name pattern of each array in a file. */
  private static Map<FileArray, String> patterns(List<FileArray> arrays) {
    List<String> names = arrays.stream().map(FileArray::name).toList();
    Optional<String> common =
        names.stream().anyMatch(name -> LayerNumber.pattern(name).isPresent()) || names.size() < 2
            ? Optional.empty()
            : NamePattern.ofNumbers(names, "{layer}");
    if (common.isPresent()) {
      return arrays.stream().collect(Collectors.toMap(array -> array, array -> common.get()));
    }
    Map<String, Long> counts =
        arrays.stream()
            .collect(Collectors.groupingBy(array -> numbered(array.name()), Collectors.counting()));
    Map<FileArray, String> patterns = new HashMap<>();
    for (FileArray array : arrays) {
      String numbered = numbered(array.name());
      patterns.put(
          array,
          LayerNumber.pattern(array.name())
              .orElse(
                  counts.getOrDefault(numbered, 0L) > 1
                      ? numbered
                      : NamePattern.escaped(array.name())));
    }
    return patterns;
  }

  /** Returns the pattern of names that differ in their last number, like the items of a list. */
  private static String numbered(String name) {
    Matcher matcher = LAST_NUMBER.matcher(name);
    return matcher.matches()
        ? NamePattern.escaped(matcher.group(1)) + "{layer}" + NamePattern.escaped(matcher.group(3))
        : NamePattern.escaped(name);
  }
}
