package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.jobs.run.JobRunner;

/**
 * The recorded digest with which a dataset is compared.
 *
 * @param digest the expected line; null if only sums are expected
 * @param sums the sums of the files; null if only a digest is expected
 */
public record DigestExpectation(@Nullable String digest, @Nullable SumsFile sums) {
  /** The prefix of digests; no file system uses such a prefix as its scheme. */
  private static final Pattern SHA256 =
      Pattern.compile("\\s*sha-?256[\\w-]*:", Pattern.CASE_INSENSITIVE);

  /**
   * Returns the digest that the user expects: a line that {@code digest} printed, or the content of
   * a file that {@code digest --save} wrote.
   *
   * @throws SettingException if the text begins like a line that {@code digest} prints but is not
   *     such a line
   * @throws FormatException if the file does not exist or does not contain sums
   */
  public static DigestExpectation of(String lineOrFile, JobRunner runner) throws IOException {
    if (SHA256.matcher(lineOrFile).lookingAt()) {
      Supplier<SettingException> invalid =
          () ->
              new SettingException(
                  "%s is not a digest of a dataset (expected %s)"
                      .formatted(Quote.show(lineOrFile), DatasetDigest.EXPECTED));
      return new DigestExpectation(
          DatasetDigest.line(lineOrFile.strip()).orElseThrow(invalid), null);
    }
    Location location = runner.path(lineOrFile).locate();
    FileError.NOT_A_FILE.check(
        location.isFile(), location.path(), "is a folder (expected a digest, or a checksum file)");
    try (Input in = location.folder().open(location.file())) {
      SumsFile sums = SumsParser.read(in);
      return new DigestExpectation(sums.digest(), sums);
    }
  }

  /**
   * Compares the sums of the files of a dataset, if sums are expected.
   *
   * @throws FormatException if a file differs; the error names the first such file in name order
   */
  public void compare(Location dataset, SortedMap<String, String> found) throws FormatException {
    if (sums == null) {
      return;
    }
    Map<String, String> expected = sums.sums();
    TreeSet<String> names = new TreeSet<>(expected.keySet());
    names.addAll(found.keySet());
    for (String name : names) {
      String path = dataset.folder().path(name);
      String recorded = expected.get(name);
      String sum = found.get(name);
      DigestError.MISSING_FILE.check(
          sum != null, path, "does not exist (expected the SHA-256 %s)", recorded);
      DigestError.EXTRA_FILE.check(
          recorded != null, path, "has no recorded checksum (expected only files that have one)");
      DigestError.DIFFERENT_SUM.check(
          Objects.equals(recorded, sum), path, "has the SHA-256 %s (expected %s)", sum, recorded);
    }
  }

  /**
   * Compares the digest, and its shape if one is expected.
   *
   * @throws FormatException if they differ
   */
  public void compare(Location dataset, DatasetDigest computed) throws FormatException {
    boolean shape = digest != null && digest.indexOf(' ') >= 0;
    String found = shape ? computed.toString() : computed.identity();
    DigestError.DIFFERENT_DIGEST.check(
        digest == null || digest.equals(found),
        dataset.path(),
        "has the digest %s (expected %s)",
        found,
        digest);
  }
}
