package org.saevhadoop.format;

/**
 * The extent of tests tagged {@code sampled}: all cases with {@code mvn -P long}, otherwise a
 * sample.
 */
public final class TestExtent {
  private static final boolean WHOLE = Boolean.getBoolean("saev.test.long");

  private TestExtent() {}

  /** Returns whether tests run all of their cases. */
  public static boolean isWhole() {
    return WHOLE;
  }

  /** Returns one of two numbers: that of a sample, or that of the whole. */
  public static int of(int sample, int whole) {
    return WHOLE ? whole : sample;
  }
}
