package org.saevhadoop.format.json;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.PackageVersion;

/**
 * Limits of Jackson's parsers. By default, they reject long texts and numbers and deep nesting with
 * messages that name Jackson's settings. Jackson has these limits since 2.15, and one of names
 * since 2.16; an older one, as in Hadoop 3.4 (2.12) and Spark 3.5 (2.15), lacks the classes.
 */
public final class JacksonLimits {
  private static final int LIMITS_SINCE = 15;
  private static final int NAME_LIMIT_SINCE = 16;

  private JacksonLimits() {}

  /**
   * Returns a builder of factories without limits: for readers with limits of their own, and for
   * text that the program wrote.
   */
  public static JsonFactoryBuilder none() {
    JsonFactoryBuilder builder = new JsonFactoryBuilder();
    int minor = PackageVersion.VERSION.getMinorVersion();
    return minor < LIMITS_SINCE ? builder : LiftedLimits.of(builder, minor >= NAME_LIMIT_SINCE);
  }

  /** A class of its own, which is loaded only if the class that it refers to exists. */
  private static final class LiftedLimits {
    static JsonFactoryBuilder of(JsonFactoryBuilder builder, boolean names) {
      StreamReadConstraints.Builder limits =
          StreamReadConstraints.builder()
              .maxStringLength(Integer.MAX_VALUE)
              .maxNumberLength(Integer.MAX_VALUE)
              .maxNestingDepth(Integer.MAX_VALUE);
      if (names) {
        limits.maxNameLength(Integer.MAX_VALUE);
      }
      return builder.streamReadConstraints(limits.build());
    }
  }
}
