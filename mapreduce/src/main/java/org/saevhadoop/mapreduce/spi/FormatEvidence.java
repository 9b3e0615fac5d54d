package org.saevhadoop.mapreduce.spi;

/** How much speaks for what lies at a path being of a format; the most evidence wins. */
public enum FormatEvidence {
  /** Nothing. */
  NONE,
  /** It could be, if nothing speaks for another format. */
  WEAK,
  /** Something that other formats may have, too. */
  FAIR,
  /** A document that the format is known by. */
  STRONG,
  /** Data files that no other format has. */
  CERTAIN
}
