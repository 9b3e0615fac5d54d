package org.saevhadoop.jobs.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.io.Text;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.ExternalException;
import org.saevhadoop.format.io.FormatException;

/**
 * An error in a dataset, or something unusual.
 *
 * @param kind the kind in capitals, such as {@code TRUNCATED} or {@code NAN}
 * @param path the affected file or folder
 * @param where the position in the file or folder; null if it is not known, or if the problem names
 *     it
 * @param expected what was expected; null if that is obvious
 * @param example the number of the stored example; null if no single example is affected
 * @param layer the number of the layer; null if no single layer is affected
 * @param token the token; for columns that are not activations, the index of the vector
 * @param advice advice for the user
 */
@PublicApi
public record Finding(
    Severity severity,
    String kind,
    String path,
    @JsonInclude @Nullable String where,
    String problem,
    @JsonInclude @Nullable String expected,
    @JsonInclude @Nullable Long example,
    @JsonInclude @Nullable Integer layer,
    @JsonInclude @Nullable Long token,
    String advice) {
  /** The kind of format warnings. */
  static final String UNUSUAL = "UNUSUAL";

  /** The kind of errors that are known only as text, such as errors of tasks on a cluster. */
  static final String UNREADABLE = "UNREADABLE";

  /** The kind of findings about bytes that do not match the checksum in the storage. */
  static final String STORED_CHECKSUM = "STORED_CHECKSUM";

  private static final String REPAIR =
      "Restore the file from another copy, or write the dataset again.";

  /** Describes an error in the data. */
  static Finding of(FormatException e) {
    String advice =
        e.kind() == DatasetError.NO_VECTORS
            ? "Write the arrays again, with vectors."
            : e.kind() == DatasetError.NOT_CONVERTIBLE
                ? "Choose another value for the option."
                : REPAIR;
    return withoutPlace(
        Severity.ERROR, e.kind().name(), e.path(), e.where(), e.problem(), e.expected(), advice);
  }

  /** Returns a finding in values with known coordinates. */
  static Finding of(
      ContentError kind,
      FormatException e,
      long example,
      @Nullable Integer layer,
      @Nullable Long token) {
    return new Finding(
        kind.severity(),
        kind.name(),
        e.path(),
        e.where(),
        e.problem(),
        e.expected(),
        example,
        layer,
        token,
        kind.advice());
  }

  /**
   * Returns a finding with the reason why values could not be checked, although nothing is known to
   * be wrong.
   */
  static Finding unchecked(FormatException e) {
    return of(
        e, "The values were not checked. Choose how they are read: inspect lists the options.");
  }

  /** Returns a finding with the reason why each token was checked as an example. */
  static Finding flattened(FormatException e) {
    return of(
        e,
        "Each token was checked as an example of one token, with the coordinates of --ragged"
            + " flatten.");
  }

  private static Finding of(FormatException e, String advice) {
    return withoutPlace(
        Severity.WARNING, e.kind().name(), e.path(), e.where(), e.problem(), e.expected(), advice);
  }

  /** Returns a finding for a format warning. */
  static Finding warning(String dataset, String text) {
    String prefix = dataset + ": ";
    String problem = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    return withoutPlace(
        Severity.WARNING,
        UNUSUAL,
        dataset,
        null,
        problem,
        null,
        "Check whether this is intended; if so, nothing needs to be done.");
  }

  /** Returns a finding for a failure of unknown kind. */
  static Finding unreadable(Severity severity, String dataset, String text) {
    String prefix = dataset + ": ";
    String problem = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    return withoutPlace(severity, UNREADABLE, dataset, null, problem, null, REPAIR);
  }

  /**
   * Returns the finding that a failed read reveals about the data; null if a storage system or a
   * server is at fault.
   *
   * @param path the file or the dataset, if the failure does not name it
   */
  static @Nullable Finding ofRead(IOException failure, String path) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ChecksumException e) {
        return withoutPlace(
            Severity.ERROR,
            STORED_CHECKSUM,
            path,
            "at byte " + e.getPos(),
            Objects.requireNonNullElse(e.getMessage(), "has a different checksum"),
            "the checksum that the storage has recorded",
            "Restore the file from another copy; on HDFS, fsck lists the blocks.");
      }
    }
    return failure instanceof FormatException e && !(e instanceof ExternalException) ? of(e) : null;
  }

  private static Finding withoutPlace(
      Severity severity,
      String kind,
      String path,
      @Nullable String where,
      String problem,
      @Nullable String expected,
      String advice) {
    return new Finding(severity, kind, path, where, problem, expected, null, null, null, advice);
  }

  /** Returns whether both findings are errors of the same kind in the same file. */
  boolean repeats(Finding other) {
    return kind.equals(other.kind) && path.equals(other.path);
  }

  /** Returns the line for a person: severity, kind, path, problem, position, and expectation. */
  @Override
  public String toString() {
    return "%s %s %s: %s%s%s"
        .formatted(
            severity.name().toLowerCase(Locale.ROOT),
            kind,
            path,
            problem,
            where == null ? "" : ", " + where,
            expected == null ? "" : " (expected " + expected + ")");
  }

  /** Writes an error that has no coordinates. */
  void write(DataOutput out) throws IOException {
    for (String text : new String[] {kind, path, where, problem, expected, advice}) {
      out.writeBoolean(text != null);
      Text.writeString(out, Objects.requireNonNullElse(text, ""));
    }
  }

  static Finding read(DataInput in) throws IOException {
    String[] texts = new String[6];
    for (int i = 0; i < texts.length; i++) {
      boolean exists = in.readBoolean();
      String text = Text.readString(in);
      texts[i] = exists ? text : null;
    }
    return withoutPlace(Severity.ERROR, texts[0], texts[1], texts[2], texts[3], texts[4], texts[5]);
  }
}
