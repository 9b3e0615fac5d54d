package org.saevhadoop.format.flatbuffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.Input;

/**
 * The little-endian bytes of a FlatBuffer in a file. The bytes are read in pages, and the most
 * recently used pages remain in memory, because inline arrays can make a FlatBuffer far larger than
 * the heap. All positions are offsets in the file; positions outside the FlatBuffer are errors.
 */
public final class FlatBytes {
  /**
   * The requirements of a format for its FlatBuffers.
   *
   * @param name the name of the FlatBuffer in messages
   * @param malformed the kind of error if the FlatBuffer is malformed
   * @param tooLarge the kind of error if the strings are too long
   * @param maxTextBytes the maximum total size, in bytes, of the strings that are read
   */
  public record Rules(String name, ErrorKind malformed, ErrorKind tooLarge, int maxTextBytes) {}

  private static final int PAGE_BITS = 16;
  private static final int PAGE_BYTES = 1 << PAGE_BITS;
  private static final int MAX_PAGES = 64;

  private final Input file;
  private final long begin;
  private final long end;
  private final Rules rules;

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
  private int textLeft;

  /** Creates a view of the bytes of a file between two offsets. */
  public FlatBytes(Input file, long begin, long end, Rules rules) {
    this.file = file;
    this.rules = rules;
    this.textLeft = rules.maxTextBytes;
    this.begin = begin;
    this.end = end;
  }

  public String path() {
    return file.path();
  }

  Rules rules() {
    return rules;
  }

  long begin() {
    return begin;
  }

  /** Checks that a range is in the FlatBuffer; {@code what} names the range in the message. */
  public void check(long at, long bytes, String what) throws IOException {
    if (at < begin || at > end || bytes < 0 || bytes > end - at) {
      throw rules.malformed.in(
          path(),
          "%s of %d bytes is outside the %s, at byte %d (expected %d to %d)",
          what,
          bytes,
          rules.name,
          at,
          begin,
          end);
    }
  }

  public int u8(long at) throws IOException {
    return page(at, 1).get((int) (at & PAGE_BYTES - 1)) & 0xff;
  }

  public int u16(long at) throws IOException {
    return u8(at) | u8(at + 1) << 8;
  }

  public int i32(long at) throws IOException {
    int inPage = (int) (at & PAGE_BYTES - 1);
    return inPage <= PAGE_BYTES - Integer.BYTES
        ? page(at, Integer.BYTES).getInt(inPage)
        : u16(at) | u16(at + 2) << 16;
  }

  public long u32(long at) throws IOException {
    return i32(at) & 0xffffffffL;
  }

  public long i64(long at) throws IOException {
    return u32(at) | (long) i32(at + Integer.BYTES) << 32;
  }

  /**
   * Returns the bytes of a string. Strings can share bytes, so memory is bounded by a limit on
   * their total size and not by the length of the file.
   */
  byte[] text(long at, long bytes) throws IOException {
    check(at, bytes, "a string");
    if (bytes > textLeft) {
      throw rules.tooLarge.in(
          path(),
          "has more than %d bytes of names and metadata, at byte %d",
          rules.maxTextBytes,
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
