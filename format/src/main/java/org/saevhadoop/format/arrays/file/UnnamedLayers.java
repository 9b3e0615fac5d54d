package org.saevhadoop.format.arrays.file;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Numbers that distinguish file names and may be layer numbers, although the names contain no word
 * for layers.
 *
 * @param pattern the pattern of the names, with {@code {layer}}
 * @param isLikely whether layers are likely enough not to read the files as parts
 */
public record UnnamedLayers(String pattern, boolean isLikely) {
  private static final String LAYER = "{layer}";

  /** The text before the number of a layer, or of something else. */
  private static final Pattern LAYER_LIKE =
      Pattern.compile(
          "(?i)(.*[^a-z])?(layers?|blocks?|blk|resid(_pre|_mid|_post)?|(hidden_?states?|mlp|attn)"
              + "(_out)?|l|h)[._/-]?");

  /** The text after it. */
  private static final Pattern OF_LAYER = Pattern.compile("(?i)[._-]?(layer|block)([._-].*)?");

  /** The text before numbers of parts, or of the examples in a file. */
  private static final Pattern PART =
      Pattern.compile(
          "(?i)(.*[^a-z])?(parts?|shards?|chunks?|batch|batches|split|files?|data|rows?|seed|steps?"
              + "|epochs?|iter|ckpt|checkpoint|rank|worker|job|gpu|fold|run|trial|version|v|idx"
              + "|index|ids?|samples?|examples?|prompts?|seq|sequences?|requests?|docs?|img|images?"
              + "|of|rows?)[._=-]*");

  /** The largest models have 126 layers. */
  private static final int MAX_LAYER = 127;

  private static final int MAX_DIGITS = 3;

  /**
   * Finds the numbers.
   *
   * @param folder the name of the folder of the files
   * @param names names of files without the number of a layer, whose arrays have the same shape
   * @param areExamples whether the names identify examples
   */
  public static Optional<UnnamedLayers> of(String folder, List<String> names, boolean areExamples) {
    Optional<String> found = NamePattern.ofNumbers(names, LAYER);
    if (names.size() < 2 || found.isEmpty()) {
      return Optional.empty();
    }
    String pattern = found.get();
    String before = pattern.substring(0, pattern.indexOf(LAYER));
    String after = pattern.substring(before.length() + LAYER.length());
    boolean isNamed =
        LAYER_LIKE.matcher(folder.toLowerCase(Locale.ROOT) + "/" + before).matches()
            || OF_LAYER.matcher(after).matches();
    NamePattern parsed = NamePattern.parse(pattern);
    List<String> numbers =
        names.stream()
            .flatMap(name -> parsed.match(name).stream())
            .map(parts -> parts.get(NamePattern.Part.LAYER))
            .toList();
    boolean areLayers =
        !areExamples
            && !PART.matcher(before).matches()
            && numbers.size() == names.size()
            && numbers.stream().allMatch(UnnamedLayers::isLayer);
    return isNamed || areLayers
        ? Optional.of(new UnnamedLayers(pattern, isNamed || hasGaps(numbers)))
        : Optional.empty();
  }

  private static boolean isLayer(String number) {
    return number.length() <= MAX_DIGITS && Integer.parseInt(number) <= MAX_LAYER;
  }

  /** Returns whether numbers are left out, as by users who save some layers of a model. */
  private static boolean hasGaps(List<String> numbers) {
    TreeSet<Integer> sorted = new TreeSet<>(numbers.stream().map(Integer::valueOf).toList());
    return sorted.last() - sorted.first() >= sorted.size();
  }

  /** Returns the pattern of the names of parts. */
  public String parts() {
    return pattern.replace(LAYER, "{shard}");
  }
}
