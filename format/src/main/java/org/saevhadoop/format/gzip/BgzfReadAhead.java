package org.saevhadoop.format.gzip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Inflates BGZF blocks ahead of the consumer. A block with any irregularity is left in place:
 * {@link GzipSource} then reads it as an ordinary member and reports the problem. After an
 * irregular block, no more blocks are inflated ahead, because a file with wrong block sizes would
 * be read many times.
 */
final class BgzfReadAhead {
  private static final int BLOCKS_PER_THREAD = 8;
  private static final int EXTRA_AT = MemberHeader.FIXED + Short.BYTES;
  private static final int SUBFIELD = 4;

  /** Subfield identifier {@code BC} and length 2. */
  private static final int BC = 'B' | 'C' << 8 | 2 << 16;

  /** First bytes of a header, up to its time, with FEXTRA as the only flag. */
  private static final int BEGINNING =
      MemberHeader.MAGIC_1
          | (MemberHeader.MAGIC_2 & 0xff) << 8
          | MemberHeader.DEFLATE << 16
          | MemberHeader.FEXTRA << 24;

  private final CompressedBytes in;
  private final int maxPending;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final Deque<BgzfBlock> spare = new ArrayDeque<>();
  private boolean distrusted;
  private @Nullable Pending reading;

  private record Pending(long position, BgzfBlock block, FutureTask<Boolean> task) {}

  BgzfReadAhead(CompressedBytes in, int threads) {
    this.in = in;
    this.maxPending = threads * BLOCKS_PER_THREAD;
  }

  /** Returns the file offset of the next block. */
  long position() {
    return pending.isEmpty() ? in.position() : pending.peekFirst().position();
  }

  /** Reads bytes; returns 0 if no valid block begins at the current position of the file. */
  int read(ByteBuffer dst) throws IOException {
    while (reading == null || !reading.block().inflated().hasRemaining()) {
      if (!nextBlock()) {
        return 0;
      }
    }
    ByteBuffer inflated = reading.block().inflated();
    int count = Math.min(dst.remaining(), inflated.remaining());
    dst.put(inflated.slice(inflated.position(), count));
    inflated.position(inflated.position() + count);
    return count;
  }

  /** Discards the blocks inflated ahead. */
  void drop() {
    pending.forEach(each -> each.task().cancel(false));
    pending.clear();
  }

  private boolean nextBlock() throws IOException {
    if (reading != null) {
      spare.add(reading.block());
      reading = null;
    }
    lookAhead();
    if (pending.isEmpty()) {
      return false;
    }
    Pending next = pending.peekFirst();
    if (!CompressionWorkers.result(next.task(), in.path())) {
      distrusted = true;
      in.seek(next.position());
      drop();
      return false;
    }
    pending.removeFirst();
    reading = next;
    return true;
  }

  private void lookAhead() throws IOException {
    while (!distrusted && pending.size() < maxPending) {
      int header = headerBytes();
      int size = header == 0 ? 0 : blockBytes(header);
      if (size == 0) {
        return;
      }
      BgzfBlock block = spare.isEmpty() ? new BgzfBlock() : spare.removeFirst();
      long position = in.position();
      block.take(in.buffer(), header, size);
      FutureTask<Boolean> task = new FutureTask<>(block::inflate);
      pending.add(new Pending(position, block, task));
      CompressionWorkers.start(task);
    }
  }

  /** Returns the size of the header of the next block, or 0 if there is none. */
  private int headerBytes() throws IOException {
    if (!in.has(EXTRA_AT)) {
      return 0;
    }
    ByteBuffer buffer = in.buffer();
    int header = EXTRA_AT + (buffer.getShort(buffer.position() + MemberHeader.FIXED) & 0xffff);
    return buffer.getInt(buffer.position()) == BEGINNING && in.has(header) ? header : 0;
  }

  /**
   * Returns the size of the whole block, which is then in the buffer, or 0 if it is not a BGZF
   * block.
   */
  private int blockBytes(int header) throws IOException {
    ByteBuffer buffer = in.buffer();
    int at = EXTRA_AT;
    while (at + SUBFIELD + Short.BYTES <= header) {
      int subfield = buffer.getInt(buffer.position() + at);
      int length = subfield >>> 16;
      if (subfield == BC) {
        int size = 1 + (buffer.getShort(buffer.position() + at + SUBFIELD) & 0xffff);
        return size > header + GzipSource.TRAILER && in.has(size) ? size : 0;
      }
      at += SUBFIELD + length;
    }
    return 0;
  }
}
