package org.saevhadoop.format.samediff.sdnb;

import static java.io.ObjectStreamConstants.STREAM_MAGIC;
import static java.io.ObjectStreamConstants.STREAM_VERSION;
import static java.io.ObjectStreamConstants.TC_BLOCKDATA;
import static java.io.ObjectStreamConstants.TC_BLOCKDATALONG;
import static java.io.ObjectStreamConstants.TC_ENDBLOCKDATA;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.sdnb.SerialObjects.ByteRange;

/**
 * Restricted parser of the manifest. It accepts only the serialization stream of a {@code
 * LinkedHashMap<String, Pair<Long, Long>>} in a form that {@link java.io.ObjectOutputStream} can
 * write. It returns the same map as {@link java.io.ObjectInputStream}.
 */
final class SdnbManifestParser {
  private static final int MAX_SHOWN = 100;

  /** Minimum size of an entry: an empty name and a reference to the pair of another entry. */
  private static final int MIN_ENTRY_BYTES = 3 + 5;

  private final SerialInput in;
  private final SerialObjects objects;

  private SdnbManifestParser(SerialInput in) {
    this.in = in;
    this.objects = new SerialObjects(in);
  }

  /** Reads the entries of a manifest in order. The range was checked when the header was read. */
  static List<SdnbManifestEntry> parse(Input file, long offset, long length) throws IOException {
    return length == 0
        ? List.of()
        : new SdnbManifestParser(new SerialInput(file, offset, length)).readStream();
  }

  private List<SdnbManifestEntry> readStream() throws IOException {
    long at = in.position();
    int magic = in.readShort();
    int version = in.readShort();
    in.check(
        (short) magic == STREAM_MAGIC && version == STREAM_VERSION,
        "the manifest begins with 0x%04x%04x, at byte %d (expected 0x%04x%04x)",
        magic,
        version,
        at,
        STREAM_MAGIC & 0xffff,
        STREAM_VERSION);
    objects.readObject(SerialClass.LINKED_HASH_MAP);
    readMapFields();
    List<SdnbManifestEntry> entries = readEntries(readCount());
    in.readByte(); // accessOrder: the map is only read
    in.check(
        in.remaining() == 0,
        "%d bytes follow the map, at byte %d (expected the end of the manifest)",
        in.remaining(),
        in.position());
    return entries;
  }

  /**
   * Reads the fields of the HashMap. Readers check the load factor, but ignore the threshold and
   * compute their own.
   */
  private void readMapFields() throws IOException {
    long at = in.position();
    float loadFactor = Float.intBitsToFloat(in.readInt());
    in.check(
        loadFactor > 0,
        "the load factor is %s, at byte %d (expected a positive number)",
        loadFactor,
        at);
    in.readInt();
  }

  /** Reads the data that HashMap writes after its fields: the capacity and the count. */
  private int readCount() throws IOException {
    long at = in.position();
    int count = (int) readBlockData();
    in.check(count >= 0, "the manifest has %d entries, at byte %d", count, at);
    in.checkLimit(count, SdnbLimits.MAX_MANIFEST_ENTRIES, "entries", at);
    in.check(
        count <= in.remaining() / MIN_ENTRY_BYTES,
        "the manifest has %d entries, at byte %d (expected no more than fit in %d bytes)",
        count,
        at,
        in.remaining());
    return count;
  }

  /** Reads eight bytes of block data, which may be divided into blocks in any way. */
  private long readBlockData() throws IOException {
    long data = 0;
    int left = Long.BYTES;
    while (left > 0) {
      long at = in.position();
      int tag = in.readByte();
      if (tag != TC_BLOCKDATA && tag != TC_BLOCKDATALONG) {
        throw objects.unexpected(tag, at, "the entry count");
      }
      int size = tag == TC_BLOCKDATA ? in.readByte() : in.readInt();
      in.check(
          size >= 0 && size <= left,
          "a block has %d bytes, at byte %d (expected at most %d)",
          size,
          at,
          left);
      for (int i = 0; i < size; i++) {
        data = data << Byte.SIZE | in.readByte();
      }
      left -= size;
    }
    return data;
  }

  private List<SdnbManifestEntry> readEntries(int count) throws IOException {
    List<SdnbManifestEntry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      long at = in.position();
      in.check(
          in.peekByte() != TC_ENDBLOCKDATA,
          "the map ends after %d entries, at byte %d (expected %d)",
          i,
          at,
          count);
      String name = objects.readText();
      in.check(
          names.add(name),
          "the name %s occurs twice, at byte %d",
          '"' + Quote.show(name, MAX_SHOWN) + '"',
          at);
      ByteRange range = objects.readRange();
      entries.add(new SdnbManifestEntry(name, range.offset(), range.length()));
    }
    objects.readEnd(Quote.sentence("the end of the map after %d entries", count));
    return Collections.unmodifiableList(entries);
  }
}
