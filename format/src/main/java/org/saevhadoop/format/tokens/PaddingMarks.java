package org.saevhadoop.format.tokens;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The names of per-token integers that mark padding: tokens that only pad an example. The first
 * mask with a known name decides; without a mask, all arrays of token ids with known names decide
 * together. Arrays with other names mark nothing, whatever their values are.
 */
public final class PaddingMarks {
  /** Name of the mask that is added to a dataset whose padding is not marked otherwise. */
  public static final String NAME = "attention_mask";

  /** Value of that mask for a token that is not padding. */
  public static final long TOKEN = 1;

  /** Value of a mask for padding. */
  public static final long MASKED = 0;

  /** Names of masks; if a dataset has several masks, the first one counts. */
  public static final List<String> MASKS = List.of(NAME, "mask");

  /** Names of arrays of token ids. */
  public static final Set<String> TOKEN_IDS = Set.of("token_ids", "input_ids", "tokens");

  private PaddingMarks() {}

  /** Returns whether an array with this name is a mask or contains token ids. */
  public static boolean isNamed(String name) {
    return MASKS.contains(name) || TOKEN_IDS.contains(name);
  }

  /**
   * Returns the names of the arrays that decide which tokens are padding: a token is padding if
   * {@link #isMark} holds for all of them. Without such arrays, no token is padding.
   *
   * @param names the names of all per-token integers of a dataset or of an example
   */
  public static List<String> deciding(Collection<String> names) {
    for (String mask : MASKS) {
      if (names.contains(mask)) {
        return List.of(mask);
      }
    }
    return names.stream().filter(TOKEN_IDS::contains).toList();
  }

  /**
   * Returns whether a value marks padding in an array with this name: 0 in masks, -1 in all arrays.
   */
  public static boolean isMark(String name, long value) {
    return value == TokenArrays.PADDING || value == MASKED && MASKS.contains(name);
  }
}
