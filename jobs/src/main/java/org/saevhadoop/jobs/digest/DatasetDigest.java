package org.saevhadoop.jobs.digest;

/**
 * The digest of a dataset and its shape: two datasets have the same if and only if they contain the
 * same values, whatever their formats.
 *
 * @param sha256 the SHA-256 over the SHA-256 of each block, by example and then by ascending layer,
 *     in hexadecimal
 * @param shape the shape, such as {@code examples=3 layers=0,1 tokens=4 dim=8}
 */
public record DatasetDigest(String sha256, String shape) {
  /** The prefix of the line that contains a digest. */
  public static final String PREFIX = "sha256-blocks:";

  /** Returns the digest with its prefix. */
  public String identity() {
    return PREFIX + sha256;
  }

  /** Returns the line that {@code digest} prints. */
  @Override
  public String toString() {
    return identity() + " " + shape;
  }
}
