package org.saevhadoop.format.gzip;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Up to 65,280 bytes and their deflated form: a BGZF block, or deflate blocks of a longer stream
 * that end at a byte boundary and do not refer to earlier data.
 */
final class DeflatedBlock {
  /**
   * Maximum number of data bytes, as in htslib: even if stored without compression, this many bytes
   * fit into a block.
   */
  static final int DATA = 0xff00;

  private static final int STORED_HEADER = 5;

  /** The gzip header of a BGZF block with subfield BC; the length of the block minus 1 follows. */
  private static final byte[] HEADER = HexFormat.of().parseHex("1f8b08040000000000ff060042430200");

  /** Final deflate block without data. */
  static final byte[] EMPTY = {3, 0};

  private final @Nullable Integer level;
  private final boolean bgzf;
  private final ByteBuffer in = ByteBuffer.allocateDirect(DATA).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer out =
      ByteBuffer.allocateDirect(BgzfBlock.MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final RepetitionEstimate repetitions = new RepetitionEstimate();
  private final HuffmanDeflater huffman = new HuffmanDeflater();
  private @Nullable Deflater matching;

  /**
   * Creates an empty block.
   *
   * @param level the level as in {@link BgzfOutput.Options}
   * @param bgzf true for a BGZF block, false for part of a member
   */
  DeflatedBlock(@Nullable Integer level, boolean bgzf) {
    this.level = level;
    this.bgzf = bgzf;
  }

  ByteBuffer data() {
    return in;
  }

  ByteBuffer deflated() {
    return out;
  }

  void clear() {
    in.clear();
    out.clear();
  }

  void deflate() {
    in.flip();
    CRC32 crc = new CRC32();
    if (bgzf) {
      crc.update(in.duplicate());
      beginBlock();
    }
    boolean shorter =
        level == null && !repetitions.areManyIn(in)
            ? huffman.deflate(in, out, in.limit() + STORED_HEADER, bgzf)
            : deflateMatching();
    if (!shorter) {
      store();
    }
    endBlock((int) crc.getValue());
  }

  /** Produces the block that ends a BGZF file. */
  void deflateNothing() {
    clear();
    beginBlock();
    out.put(EMPTY);
    in.limit(0);
    endBlock(0);
  }

  private void beginBlock() {
    out.put(HEADER).putShort((short) 0);
  }

  private void endBlock(int crc) {
    if (bgzf) {
      out.putInt(crc).putInt(in.limit());
      out.putShort(HEADER.length, (short) (out.position() - 1));
    }
    out.flip();
  }

  /**
   * Returns false and writes nothing if the result would be larger than the result of {@link
   * #store}.
   */
  private boolean deflateMatching() {
    if (matching == null) {
      matching = new Deflater(level == null ? Deflater.BEST_SPEED : level, true);
    }
    matching.reset();
    matching.setInput(in.duplicate());
    if (bgzf) {
      matching.finish();
    }
    int start = out.position();
    out.limit(start + in.limit() + STORED_HEADER);
    while (matching.deflate(out, bgzf ? Deflater.NO_FLUSH : Deflater.SYNC_FLUSH) > 0) {
      // Continues until no output remains.
    }
    boolean whole = bgzf ? matching.finished() : out.hasRemaining();
    out.limit(out.capacity()).position(whole ? out.position() : start);
    return whole;
  }

  private void store() {
    out.put((byte) (bgzf ? 1 : 0)).putShort((short) in.limit()).putShort((short) ~in.limit());
    out.put(in.duplicate());
  }

  void end() {
    if (matching != null) {
      matching.end();
    }
  }
}
