package org.saevhadoop.format.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.saevhadoop.format.io.Input;

/**
 * Brings pieces of files into a buffer, one after the other, in few reads. Pieces that touch are
 * one read, straight into the buffer. Short pieces with short gaps between them are one read, too:
 * the gaps are read with them and left behind.
 */
final class Gather {
  /**
   * A piece as long is worth a read of its own: a call costs 0.6 microseconds, as much as 8 KiB at
   * 15 GB/s from the page cache, and a disk or a wire is slower. Of what is asked for in pieces as
   * long as a page, nothing else is read.
   */
  static final int WORTH_A_READ = 4 << 10;

  /**
   * A gap no longer than a call costs is worth reading between shorter pieces. HDFS needs no more:
   * it skips up to 128 KiB inside its stream, and beyond that the gap costs as much as the new
   * connection.
   */
  static final int WORTH_READING = 8 << 10;

  /**
   * What is being read, for whoever waits for it.
   *
   * @param path the file
   * @param place what {@code number} counts: bytes, for one
   * @param since a nanoTime
   */
  record Reading(String path, String place, long number, long since) {}

  private static final int SCRATCH_BYTES = 128 << 10;

  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
  private ByteBuffer dst;
  private Input file;
  private long[] offsets = new long[16];
  private int[] lengths = new int[16];
  private int pieces;
  private long bytesRead;
  private volatile Reading reading;

  /** Says where the pieces go: to the buffer's position and on. */
  void into(ByteBuffer buffer) {
    dst = buffer;
    pieces = 0;
  }

  /** Adds a piece. Pieces of another file before it are read at once: that file may be closed. */
  void add(Input input, long offset, int length) throws IOException {
    if (input != file) {
      finish();
      file = input;
    }
    int last = pieces - 1;
    if (last >= 0 && offsets[last] + lengths[last] == offset) {
      lengths[last] += length;
      return;
    }
    if (pieces == offsets.length) {
      offsets = Arrays.copyOf(offsets, pieces * 2);
      lengths = Arrays.copyOf(lengths, pieces * 2);
    }
    offsets[pieces] = offset;
    lengths[pieces++] = length;
  }

  /** Reads all pieces that are not in the buffer yet. */
  void finish() throws IOException {
    for (int from = 0, to; from < pieces; from = to) {
      to = runEnd(from);
      if (to == from + 1) {
        read(offsets[from], dst, lengths[from]);
      } else {
        readWithGaps(from, to);
      }
    }
    pieces = 0;
  }

  /** Bytes read from files so far, gaps included. */
  long bytesRead() {
    return bytesRead;
  }

  /** The read that has begun last, null where none has not ended. For other threads. */
  Reading reading() {
    return reading;
  }

  /** Ends a read that has failed. */
  void forgetReading() {
    reading = null;
  }

  /** The end of the pieces that are read together with piece {@code from}. */
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
      dst.put(dst.position(), scratch, (int) (offsets[i] - start), lengths[i]);
      dst.position(dst.position() + lengths[i]);
    }
  }

  private void read(long offset, ByteBuffer into, int length) throws IOException {
    reading = new Reading(file.path(), "byte", offset, System.nanoTime());
    int limit = into.limit();
    into.limit(into.position() + length);
    file.readFully(offset, into);
    into.limit(limit);
    bytesRead += length;
    reading = null;
  }
}
