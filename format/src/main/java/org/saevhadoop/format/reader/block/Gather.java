package org.saevhadoop.format.reader.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Input;

/**
 * Gathers pieces of files in a buffer with few reads. Pieces that are adjacent in the file and in
 * the buffer are read directly into the buffer in one read. Short pieces with short gaps between
 * them are also read together; the gaps are then discarded.
 */
public final class Gather {
  /**
   * The minimum size in bytes of a piece that is read separately from its neighbors. A call costs
   * 0.6 microseconds, the equivalent of 8 KiB at 15 GB/s from the page cache; disks and networks
   * are slower. If pieces are at least as long as a page, only their bytes are read.
   */
  public static final int WORTH_A_READ = 4 << 10;

  /**
   * Maximum size, in bytes, of a gap that is read together with the shorter pieces around it,
   * because reading the gap costs no more than a call. The value also suits HDFS, which skips up to
   * 128 KiB within a stream; skipping a larger gap costs as much as a new connection.
   */
  public static final int WORTH_READING = 8 << 10;

  /**
   * Read in progress, for error messages of threads that wait for it.
   *
   * @param path the file
   * @param unit the unit of {@code number}, such as byte
   * @param number the position of the read
   * @param since the start time of the read, in terms of {@link System#nanoTime}
   */
  public record Reading(String path, String unit, long number, long since) {}

  private static final int SCRATCH_BYTES = 128 << 10;

  private final ByteBuffer scratch = Input.buffer(SCRATCH_BYTES);
  private ByteBuffer dst = scratch;
  private @Nullable Input file;
  private long[] offsets = new long[16];
  private int[] lengths = new int[16];

  /** Positions of the pieces in the buffer. */
  private int[] places = new int[16];

  private int place;
  private int pieces;
  private long bytesRead;
  private volatile @Nullable Reading reading;

  /** Sets the destination of the pieces: {@code buffer}, starting at its position. */
  public void into(ByteBuffer buffer) {
    dst = buffer;
    place = buffer.position();
    pieces = 0;
  }

  /** Adds a piece that directly follows the previous piece in the buffer. */
  public void add(Input input, long offset, int length) throws IOException {
    add(input, offset, length, place);
  }

  /**
   * Adds a piece. Earlier pieces of another file are read immediately, because that file may be
   * closed.
   *
   * @param position the position of the piece in the buffer
   */
  void add(Input input, long offset, int length, int position) throws IOException {
    place = position + length;
    if (input != file) {
      finish();
      file = input;
    }
    int last = pieces - 1;
    if (last >= 0
        && offsets[last] + lengths[last] == offset
        && places[last] + lengths[last] == position) {
      lengths[last] += length;
      return;
    }
    if (pieces == offsets.length) {
      offsets = Arrays.copyOf(offsets, pieces * 2);
      lengths = Arrays.copyOf(lengths, pieces * 2);
      places = Arrays.copyOf(places, pieces * 2);
    }
    places[pieces] = position;
    offsets[pieces] = offset;
    lengths[pieces++] = length;
  }

  /** Reads all pieces that are not yet in the buffer. */
  public void finish() throws IOException {
    for (int from = 0, to; from < pieces; from = to) {
      to = runEnd(from);
      if (to == from + 1) {
        read(offsets[from], dst.position(places[from]), lengths[from]);
      } else {
        readWithGaps(from, to);
      }
    }
    dst.position(place);
    pieces = 0;
  }

  /** Returns the number of bytes read from files so far, including gaps. */
  public long bytesRead() {
    return bytesRead;
  }

  /**
   * Returns the most recently started read, or null if none is in progress. May be called by other
   * threads.
   */
  public @Nullable Reading reading() {
    return reading;
  }

  /** Clears the read in progress after it failed. */
  public void forgetReading() {
    reading = null;
  }

  /** Returns the end of the sequence of pieces that are read together with piece {@code from}. */
  private int runEnd(int from) {
    int to = from + 1;
    while (to < pieces
        && lengths[to - 1] < WORTH_A_READ
        && lengths[to] < WORTH_A_READ
        && gapBefore(to) >= 0
        && gapBefore(to) <= WORTH_READING
        && offsets[to] + lengths[to] - offsets[from] <= SCRATCH_BYTES) {
      to++;
    }
    return to;
  }

  private long gapBefore(int piece) {
    return offsets[piece] - offsets[piece - 1] - lengths[piece - 1];
  }

  private void readWithGaps(int from, int to) throws IOException {
    long start = offsets[from];
    scratch.clear();
    read(start, scratch, (int) (offsets[to - 1] + lengths[to - 1] - start));
    for (int i = from; i < to; i++) {
      dst.put(places[i], scratch, (int) (offsets[i] - start), lengths[i]);
    }
  }

  private void read(long offset, ByteBuffer into, int length) throws IOException {
    Input input = Objects.requireNonNull(file);
    reading = new Reading(input.path(), "byte", offset, System.nanoTime());
    int limit = into.limit();
    into.limit(into.position() + length);
    input.readFully(offset, into);
    into.limit(limit);
    bytesRead += length;
    reading = null;
  }
}
