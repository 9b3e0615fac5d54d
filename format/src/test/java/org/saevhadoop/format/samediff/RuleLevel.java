package org.saevhadoop.format.samediff;

/** The files to which a rule applies. */
enum RuleLevel {
  /** Any file that all loaders open, and whose arrays the newest Java loader finds. */
  ANY,
  /** Also without anything that some loader reads as other values, or that no writer needs. */
  OURS;

  /** Asserts a rule of all files. */
  static void rule(boolean holds, String rule, Object found) {
    if (!holds) {
      throw new AssertionError("rule broken: " + rule + ": " + found);
    }
  }

  /** Asserts a rule of our files only. */
  void ours(boolean holds, String rule, Object found) {
    rule(this == ANY || holds, "ours: " + rule, found);
  }
}
