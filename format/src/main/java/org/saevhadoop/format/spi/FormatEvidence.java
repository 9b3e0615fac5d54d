package org.saevhadoop.format.spi;

/**
 * The strength of the evidence that a location is a dataset of a format, in ascending order. The
 * format with the strongest evidence is chosen.
 */
public enum FormatEvidence {
  /** The location does not resemble a dataset of the format. */
  NONE,
  /** The location may be a dataset of the format, if no other format claims it. */
  WEAK,
  /** The location contains files that may also belong to other formats. */
  FAIR,
  /** The location contains a document that identifies the format. */
  STRONG,
  /** The location contains data files that can only belong to the format. */
  CERTAIN
}
