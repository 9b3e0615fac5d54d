package org.saevhadoop.format.json;

import com.fasterxml.jackson.core.StreamReadConstraints;

/**
 * Limits of Jackson's parsers. By default, they reject long texts and numbers and deep nesting with
 * messages that name Jackson's settings.
 */
public final class JacksonLimits {
  /** No limits: for readers with limits of their own, and for text that the program wrote. */
  public static final StreamReadConstraints NONE =
      StreamReadConstraints.builder()
          .maxStringLength(Integer.MAX_VALUE)
          .maxNameLength(Integer.MAX_VALUE)
          .maxNumberLength(Integer.MAX_VALUE)
          .maxNestingDepth(Integer.MAX_VALUE)
          .build();

  private JacksonLimits() {}
}
