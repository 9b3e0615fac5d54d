package org.saevhadoop.jobs.digest;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.api.PublicApi;

/**
 * The digest of a dataset and its shape: two datasets have the same digest if and only if they
 * contain the same values, whatever their formats.
 *
 * @param sha256 the SHA-256 of the SHA-256 hashes of all blocks, ordered by example and then by
 *     ascending layer, in hexadecimal
 * @param shape the shape, such as {@code examples=3 layers=0,1 tokens=4 dim=8}
 */
@PublicApi
public record DatasetDigest(String sha256, String shape) {
  /** The prefix of the line that contains a digest. */
  public static final String PREFIX = "sha256-blocks:";

  /** The description of a digest line, for errors about lines that are not digests. */
  static final String EXPECTED = PREFIX + " and 64 hexadecimal digits, as digest prints them";

  private static final Pattern LINE = Pattern.compile(PREFIX + "[0-9a-fA-F]{64}(?= |$)");

  /**
   * Returns a line with its digits in lower case, as {@code digest} prints them; empty if the line
   * is not a digest, with or without a shape.
   */
  static Optional<String> line(String text) {
    Matcher digest = LINE.matcher(text);
    return digest.lookingAt()
        ? Optional.of(digest.group().toLowerCase(Locale.ROOT) + text.substring(digest.end()))
        : Optional.empty();
  }

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
