package org.saevhadoop.format.samediff.sdnb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.io.Input;

/**
 * The bytes of a FlatBuffer in a file, little-endian, read in pages, of which the most recently
 * used ones stay in memory: inline arrays may make a FlatBuffer far larger than the heap. All
 * positions are offsets in the file; positions outside the FlatBuffer are errors.
 */
final class FlatBytes {
  private static final int PAGE_BITS = 16;
  private static final int PAGE_BYTES = 1 << PAGE_BITS;
  private static final int MAX_PAGES = 64;

  private final Input file;
  private final long begin;
  private final long end;

  private final Map<Long, ByteBuffer> pages =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, ByteBuffer> eldest) {
          return size() > MAX_PAGES;
        }
      };

  private long currentNumber = -1;
  private ByteBuffer current = ByteBuffer.allocate(0);
  private int textLeft = SdnbLimits.MAX_TEXT_BYTES;

  /** Creates a view of the bytes of a file between two offsets. */
  FlatBytes(Input file, long begin, long end) {
    this.file = file;
    this.begin = begin;
    this.end = end;
  }

  String path() {
    return file.path();
  }

  long begin() {
    return begin;
  }

  /** Checks that a range, which messages name, is in the FlatBuffer. */
  void check(long at, long bytes, String what) throws IOException {
    if (at < begin || at > end || bytes < 0 || bytes > end - at) {
      throw SdnbError.BAD_GRAPH.in(
          path(),
          "%s of %d bytes is outside the graph, at byte %d (expected %d to %d)",
          what,
          bytes,
          at,
          begin,
          end);
    }
  }

  int u8(long at) throws IOException {
    return page(at, 1).get((int) (at & PAGE_BYTES - 1)) & 0xff;
  }

  int u16(long at) throws IOException {
    return u8(at) | u8(at + 1) << 8;
  }

  int i32(long at) throws IOException {
    int inPage = (int) (at & PAGE_BYTES - 1);
    return inPage <= PAGE_BYTES - Integer.BYTES
        ? page(at, Integer.BYTES).getInt(inPage)
        : u16(at) | u16(at + 2) << 16;
  }

  long u32(long at) throws IOException {
    return i32(at) & 0xffffffffL;
  }

  long i64(long at) throws IOException {
    return u32(at) | (long) i32(at + Integer.BYTES) << 32;
  }

  /**
   * Returns bytes of text. Strings may share bytes, so that their sum, not the length of the file,
   * bounds the memory that they take.
   */
  byte[] text(long at, long bytes) throws IOException {
    check(at, bytes, "a text");
    if (bytes > textLeft) {
      throw SdnbError.TOO_LARGE.in(
          path(),
          "has more than %d bytes of names and metadata, at byte %d",
          SdnbLimits.MAX_TEXT_BYTES,
          at);
    }
    textLeft -= (int) bytes;
    byte[] text = new byte[(int) bytes];
    for (int done = 0; done < text.length; ) {
      int inPage = (int) (at + done & PAGE_BYTES - 1);
      int some = Math.min(text.length - done, PAGE_BYTES - inPage);
      page(at + done, some).get(inPage, text, done, some);
      done += some;
    }
    return text;
  }

  private ByteBuffer page(long at, int bytes) throws IOException {
    check(at, bytes, "a number");
    long number = at >>> PAGE_BITS;
    if (number != currentNumber) {
      ByteBuffer known = pages.get(number);
      current = known == null ? read(number) : known;
      currentNumber = number;
    }
    return current;
  }

  private ByteBuffer read(long number) throws IOException {
    long first = number << PAGE_BITS;
    int bytes = (int) Math.min(PAGE_BYTES, end - first);
    ByteBuffer page = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    file.readFully(first, page);
    pages.put(number, page);
    return page;
  }
}
