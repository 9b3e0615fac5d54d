package org.saevhadoop.format.arrays;

import java.util.List;
import java.util.regex.Pattern;
import org.saevhadoop.format.arrays.file.IntegerFiles;
import org.saevhadoop.format.tokens.PaddingMarks;

/**
 * The use of an integer array as a mask.
 *
 * @param name the name of the array in its file, or the last part of that name
 * @param isDropping whether tokens are left out where the array is 0; otherwise the array is kept
 *     as per-token integers
 */
public record MaskChoice(String name, boolean isDropping) {
  /** Names of arrays that are masks unless another use is chosen; the first one takes effect. */
  public static final List<String> USUAL = PaddingMarks.MASKS;

  private static final Pattern CONTAINER =
      Pattern.compile("(?s).+\\.(npy|npz|pt|pth|ckpt|safetensors)");

  private static final String DROP = "=drop";
  private static final String KEEP = "=keep";

  /** Returns whether a file is named like a mask, in a container of any kind. */
  public static boolean isFile(String path) {
    return USUAL.stream().anyMatch(path::contains) // most names need no regular expression
        && CONTAINER.matcher(path).matches()
        && USUAL.contains(IntegerFiles.arrayName(path));
  }

  /**
   * Parses {@code NAME=drop} or {@code NAME=keep}.
   *
   * @throws IllegalArgumentException if the text does not have this form
   */
  public static MaskChoice parse(String text) {
    int cut = text.lastIndexOf('=');
    String use = cut < 0 ? "" : text.substring(cut);
    if (cut < 1 || !use.equals(DROP) && !use.equals(KEEP)) {
      throw new IllegalArgumentException(
          "\"%s\" (expected NAME=drop or NAME=keep)".formatted(text));
    }
    return new MaskChoice(text.substring(0, cut), use.equals(DROP));
  }

  /** Returns the text that {@link #parse} accepts. */
  @Override
  public String toString() {
    return name + (isDropping ? DROP : KEEP);
  }
}
