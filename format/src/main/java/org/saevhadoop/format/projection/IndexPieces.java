package org.saevhadoop.format.projection;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.io.FormatException;

/**
 * Indexes and ranges in user notation: {@code 7}, {@code 0:1000}, {@code 5000:}, {@code -10:},
 * separated by commas. A negative number counts from the end, as in Python.
 */
@PublicApi
public record IndexPieces(List<Piece> pieces) {
  private static final String NUMBER = "(-?\\d{1,18})";
  private static final Pattern INDEX = Pattern.compile(NUMBER);
  private static final Pattern HYPHENED = Pattern.compile("(\\d{1,15})-(\\d{1,15})");
  private static final Pattern RANGE = Pattern.compile(NUMBER + "?:" + NUMBER + "?");

  /**
   * One index or range.
   *
   * @param start the first index; null for the beginning
   * @param stop the index after the last one; null for the end; equal to {@code start} for a single
   *     index
   */
  public record Piece(@Nullable Long start, @Nullable Long stop) {
    @Override
    public String toString() {
      String first = start == null ? "" : start.toString();
      return start != null && start.equals(stop) ? first : first + ":" + (stop == null ? "" : stop);
    }

    private long first() {
      return start == null ? 0 : start;
    }

    /** Returns the range, if it is independent of the number of indexes. */
    private Optional<IndexRange> absolute() {
      boolean single = start != null && start.equals(stop);
      return first() >= 0 && stop != null && stop >= 0
          ? Optional.of(new IndexRange(first(), single ? stop + 1 : stop))
          : Optional.empty();
    }
  }

  public IndexPieces {
    pieces = List.copyOf(pieces);
  }

  /**
   * Parses pieces.
   *
   * @throws IllegalArgumentException if the text has another form or is invalid for every dataset,
   *     such as an empty range or overlapping pieces
   */
  public static IndexPieces parse(String text) {
    List<Piece> pieces = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      pieces.add(piece(item.strip()));
    }
    IndexRanges.checkDisjoint(pieces.stream().flatMap(piece -> piece.absolute().stream()).toList());
    return new IndexPieces(pieces);
  }

  private static Piece piece(String text) {
    Matcher index = INDEX.matcher(text);
    if (index.matches()) {
      Long number = Long.valueOf(text);
      return new Piece(number, number);
    }
    Matcher range = RANGE.matcher(text);
    if (!range.matches()) {
      throw new IllegalArgumentException(
          text.isEmpty()
              ? "a piece is empty"
              : "\"" + text + "\" is neither an index nor a range" + inclusive(text));
    }
    Long start = range.group(1) == null ? null : Long.valueOf(range.group(1));
    Long stop = range.group(2) == null ? null : Long.valueOf(range.group(2));
    Piece piece = new Piece(start, stop);
    if (stop != null && piece.first() < 0 == stop < 0 && stop <= piece.first()) {
      throw new IllegalArgumentException(text + " selects nothing");
    }
    return piece;
  }

  /** Returns a hint about the notation for a range with a hyphen; empty for other text. */
  private static String inclusive(String text) {
    Matcher range = HYPHENED.matcher(text);
    if (!range.matches()) {
      return "";
    }
    long first = Long.parseLong(range.group(1));
    long last = Long.parseLong(range.group(2));
    return ": %d:%d includes %d, %d:%d does not".formatted(first, last + 1, last, first, last);
  }

  /**
   * Returns whether the pieces are in ascending order, as far as they can be compared without a
   * length.
   */
  boolean mayAscend() {
    for (int i = 1; i < pieces.size(); i++) {
      Optional<IndexRange> before = pieces.get(i - 1).absolute();
      long first = pieces.get(i).first();
      if (before.isPresent() && first >= 0 && first < before.get().stop()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the ranges that these pieces select from {@code length} indexes, in order; adjacent
   * ranges are merged.
   *
   * @param what the unit of the indexes, such as {@code example}
   * @throws FormatException if an index is out of range, a piece is empty, or two pieces overlap
   */
  public List<IndexRange> resolve(long length, String path, String what) throws FormatException {
    List<IndexRange> ranges = new ArrayList<>();
    for (Piece piece : pieces) {
      ranges.add(resolve(piece, length, path, what));
    }
    try {
      IndexRanges.checkDisjoint(ranges);
    } catch (IllegalArgumentException e) {
      throw DatasetError.BAD_SELECTION
          .in(path, "%ss %s (expected each %s once)", what, e.getMessage(), what)
          .causedBy(e);
    }
    return IndexRanges.merged(ranges);
  }

  private static IndexRange resolve(Piece piece, long length, String path, String what)
      throws FormatException {
    if (piece.start != null && piece.start.equals(piece.stop)) {
      long index = piece.start < 0 ? piece.start + length : piece.start;
      DatasetError.BAD_SELECTION.check(
          index >= 0 && index < length,
          path,
          "has no %s %d (expected %d to %d)",
          what,
          piece.start,
          piece.start < 0 ? -length : 0,
          piece.start < 0 ? -1 : length - 1);
      return new IndexRange(index, index + 1);
    }
    long start = clamp(piece.first(), length);
    long stop = clamp(piece.stop == null ? length : piece.stop, length);
    DatasetError.EMPTY_SELECTION.check(
        start < stop, path, "%ss %s select nothing (the dataset has %d)", what, piece, length);
    return new IndexRange(start, stop);
  }

  private static long clamp(long index, long length) {
    return Math.max(0, Math.min(length, index < 0 ? index + length : index));
  }

  @Override
  public String toString() {
    return pieces.stream().map(Piece::toString).collect(Collectors.joining(","));
  }
}
