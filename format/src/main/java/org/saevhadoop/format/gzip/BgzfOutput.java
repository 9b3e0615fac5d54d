package org.saevhadoop.format.gzip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Output;

/**
 * Writes a gzip file: either BGZF with blocks of 65,280 bytes and an empty last block, as written
 * by htslib, or a single member. Blocks are deflated by several threads and written in order; the
 * bytes of the file depend on the data and the options, but not on the number of threads, the time
 * or the file name.
 *
 * <p>{@link #position} counts bytes before compression. After an error, nothing more is written,
 * and the file is incomplete.
 */
public final class BgzfOutput implements Output {
  private static final int BLOCKS_PER_THREAD = 4;

  /**
   * A member header without flags, time or extra flags, in which the operating system is unknown.
   */
  private static final byte[] MEMBER_HEADER = HexFormat.of().parseHex("1f8b08000000000000ff");

  private final Output file;
  private final Options options;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final Deque<DeflatedBlock> spare = new ArrayDeque<>();
  private final List<DeflatedBlock> all = new ArrayList<>();
  private final CRC32 crc = new CRC32();
  private DeflatedBlock filling;
  private long position;
  private boolean failed;
  private boolean closed;

  private record Pending(DeflatedBlock block, FutureTask<Void> task) {}

  /**
   * Options for writing.
   *
   * @param level the zlib level, 0 to 9; null chooses the strategy for each block: Huffman coding
   *     only if there are few repetitions, otherwise level 1
   * @param singleMember whether to write a single member, for readers that stop after the first
   *     member
   * @param threads the maximum number of threads that deflate; 1 deflates in the calling thread
   */
  public record Options(@Nullable Integer level, boolean singleMember, int threads) {
    /** BGZF with a strategy per block and one thread per processor. */
    public static final Options DEFAULT = new Options(null, false, CompressionWorkers.MAX_THREADS);

    public Options {
      if (level != null && (level < 0 || level > 9)) {
        throw new IllegalArgumentException("compression level " + level + " (expected 0 to 9)");
      }
      if (threads < 1) {
        throw new IllegalArgumentException(threads + " threads (expected 1 or more)");
      }
    }
  }

  /** Creates an output; closing it closes {@code file}. */
  public BgzfOutput(Output file, Options options) throws IOException {
    this.file = file;
    this.options = options;
    filling = newBlock();
    if (options.singleMember()) {
      file.write(ByteBuffer.wrap(MEMBER_HEADER));
    }
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    requireOpen();
    position += src.remaining();
    if (options.singleMember()) {
      crc.update(src.duplicate());
    }
    while (src.hasRemaining()) {
      ByteBuffer data = filling.data();
      int count = Math.min(src.remaining(), data.remaining());
      data.put(src.slice(src.position(), count));
      src.position(src.position() + count);
      if (!data.hasRemaining()) {
        deflateFilled();
      }
    }
  }

  private void requireOpen() throws IOException {
    if (failed || closed) {
      throw new IOException(path() + ": cannot be written, " + (failed ? "it failed" : "closed"));
    }
  }

  private DeflatedBlock newBlock() {
    DeflatedBlock block = new DeflatedBlock(options.level(), !options.singleMember());
    all.add(block);
    return block;
  }

  private void deflateFilled() throws IOException {
    failed = true; // Reset after the block was deflated.
    DeflatedBlock block = filling;
    FutureTask<Void> task = new FutureTask<>(block::deflate, null);
    pending.add(new Pending(block, task));
    if (options.threads() > 1) {
      CompressionWorkers.start(task);
    }
    int most = options.threads() > 1 ? options.threads() * BLOCKS_PER_THREAD : 0;
    while (pending.size() > most) {
      writeFirst();
    }
    filling = spare.isEmpty() ? newBlock() : spare.removeFirst();
    failed = false;
  }

  private void writeFirst() throws IOException {
    Pending first = pending.removeFirst();
    CompressionWorkers.result(first.task(), path());
    file.write(first.block().deflated());
    first.block().clear();
    spare.add(first.block());
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (file) {
      if (!failed) {
        finish();
      }
    } finally {
      pending.forEach(each -> each.task().cancel(false));
      all.forEach(DeflatedBlock::end); // The results of blocks in progress are no longer needed.
    }
  }

  private void finish() throws IOException {
    if (filling.data().position() > 0) {
      deflateFilled();
    }
    while (!pending.isEmpty()) {
      writeFirst();
    }
    if (options.singleMember()) {
      ByteBuffer end = ByteBuffer.allocate(DeflatedBlock.EMPTY.length + GzipSource.TRAILER);
      end.order(ByteOrder.LITTLE_ENDIAN).put(DeflatedBlock.EMPTY);
      file.write(end.putInt((int) crc.getValue()).putInt((int) position).flip());
    } else {
      filling.deflateNothing();
      file.write(filling.deflated());
    }
  }
}
