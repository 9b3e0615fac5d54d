package org.saevhadoop.format.arrays.file;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Numbers that distinguish file names and may be layer numbers, although the names contain no word
 * for layers.
 *
 * @param pattern the pattern of the names, with {@code {layer}}, and {@code {shard}} if they differ
 *     in several numbers
 * @param parts the pattern of the names if the files are parts
 * @param isLikely whether layers are so likely that the files are not read as parts
 */
public record UnnamedLayers(String pattern, String parts, boolean isLikely) {
  /** The text before a number that is probably a layer number. */
  private static final Pattern LAYER_LIKE =
      Pattern.compile(
          "(?i)(.*[^a-z])?(layers?|blocks?|blk|resid(_pre|_mid|_post)?|(hidden_?states?|mlp|attn)"
              + "(_out)?|l|h)[._/-]?");

  /** The text after a number that is probably a layer number. */
  private static final Pattern OF_LAYER = Pattern.compile("(?i)[._-]?(layer|block)([._-].*)?");

  /** The text before a number that identifies a part, or the examples in a file. */
  private static final Pattern PART =
      Pattern.compile(
          "(?i)(.*[^a-z])?(parts?|shards?|chunks?|batch|batches|split|files?|data|rows?|seed|steps?"
              + "|epochs?|iter|ckpt|checkpoint|rank|worker|job|gpu|fold|run|trial|version|v|idx"
              + "|index|ids?|samples?|examples?|prompts?|seq|sequences?|requests?|docs?|img|images?"
              + "|of|rows?)[._=-]*");

  /**
   * A number after a word for layers, or before {@code layer} or {@code block}; l1 and l2 are
   * excluded because they are norms, and h5 because it is HDF5.
   */
  private static final Pattern ONLY =
      Pattern.compile(
          "(?i)(?<![a-z])(?:layers?|blocks?|blk|resid(?:_pre|_mid|_post)?|(?:hidden_?states?|mlp"
              + "|attn)(?:_out)?|(?!(?:l[12]|h5)(?![0-9]))[lh])[._/-]?([0-9]{1,3})(?![0-9a-z])"
              + "|(?<![0-9a-z])([0-9]{1,3})[._-]?(?:layer|block)(?![a-z])");

  /** The largest models have 126 layers. */
  private static final int MAX_LAYER = 127;

  private static final int MAX_DIGITS = 3;

  /**
   * Finds possible layer numbers. If names differ in several numbers, only likely layer numbers are
   * found.
   *
   * @param folder the name of the folder of the files
   * @param names the names of files without a recognized layer number
   * @param shapes the known shapes of the arrays in the files; layers of the same examples have the
   *     same shape
   * @param areExamples whether the names identify examples
   */
  public static Optional<UnnamedLayers> of(
      String folder, List<String> names, Map<String, ?> shapes, boolean areExamples) {
    Optional<String> parts =
        names.size() < 2 ? Optional.empty() : NamePattern.ofNumbers(names, NamePattern.SHARD);
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> only = NamePattern.ofNumbers(names, NamePattern.LAYER);
    return only.map(List::of).orElseGet(() -> NamePattern.ofSeveralNumbers(names)).stream()
        .filter(pattern -> areLayersOfParts(NamePattern.parse(pattern), names, shapes))
        .flatMap(pattern -> find(folder, names, pattern, parts.get(), areExamples).stream())
        .filter(layers -> layers.isLikely || only.isPresent())
        .findFirst();
  }

  /**
   * Finds the number, other than 0, that may be the number of the only layer.
   *
   * @param names names of files and arrays
   */
  public static Optional<Integer> ofOne(Collection<String> names) {
    if (names.stream().anyMatch(name -> !LayerNumber.numbers(name).isEmpty())) {
      return Optional.empty();
    }
    List<Integer> numbers =
        names.stream()
            .flatMap(name -> ONLY.matcher(name).results())
            .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
            .filter(UnnamedLayers::isLayer)
            .map(Integer::valueOf)
            .distinct()
            .toList();
    return numbers.size() == 1 && numbers.get(0) > 0
        ? Optional.of(numbers.get(0))
        : Optional.empty();
  }

  /** Returns whether each part has the same layers, in arrays of the same shape. */
  private static boolean areLayersOfParts(
      NamePattern pattern, List<String> names, Map<String, ?> shapes) {
    Map<String, Set<Integer>> layers = new HashMap<>();
    Map<String, Set<Object>> shapesOfParts = new HashMap<>();
    for (String name : names) {
      Map<NamePattern.Part, String> matched = pattern.match(name).orElse(Map.of());
      String part = matched.getOrDefault(NamePattern.Part.SHARD, "");
      String layer = matched.get(NamePattern.Part.LAYER);
      if (layer == null) {
        return false;
      }
      layers.computeIfAbsent(part, key -> new HashSet<>()).add(Integer.valueOf(layer));
      if (shapes.containsKey(name)) {
        shapesOfParts.computeIfAbsent(part, key -> new HashSet<>()).add(shapes.get(name));
      }
    }
    return layers.values().stream().distinct().count() == 1
        && shapesOfParts.values().stream().allMatch(own -> own.size() == 1);
  }

  private static Optional<UnnamedLayers> find(
      String folder, List<String> names, String pattern, String parts, boolean areExamples) {
    int begin = pattern.indexOf(NamePattern.LAYER);
    String before = pattern.substring(0, begin);
    String after = pattern.substring(begin + NamePattern.LAYER.length());
    boolean isNamed =
        LAYER_LIKE.matcher(folder.toLowerCase(Locale.ROOT) + "/" + before).matches()
            || OF_LAYER.matcher(after).matches();
    NamePattern parsed = NamePattern.parse(pattern);
    List<String> numbers =
        names.stream()
            .flatMap(name -> parsed.match(name).stream())
            .map(matched -> matched.get(NamePattern.Part.LAYER))
            .toList();
    boolean areLayers =
        !areExamples
            && !PART.matcher(before).matches()
            && numbers.stream().allMatch(UnnamedLayers::isLayer);
    return isNamed || areLayers
        ? Optional.of(new UnnamedLayers(pattern, parts, isNamed || hasGaps(numbers)))
        : Optional.empty();
  }

  private static boolean isLayer(String number) {
    return number.length() <= MAX_DIGITS && Integer.parseInt(number) <= MAX_LAYER;
  }

  /** Returns whether the numbers have gaps, as when users save only some layers of a model. */
  private static boolean hasGaps(List<String> numbers) {
    TreeSet<Integer> sorted = new TreeSet<>(numbers.stream().map(Integer::valueOf).toList());
    return sorted.last() - sorted.first() >= sorted.size();
  }
}
