package org.saevhadoop.format.samediff.sdnb;

import static java.io.ObjectStreamConstants.STREAM_MAGIC;
import static java.io.ObjectStreamConstants.STREAM_VERSION;
import static java.io.ObjectStreamConstants.TC_BLOCKDATA;
import static java.io.ObjectStreamConstants.TC_CLASSDESC;
import static java.io.ObjectStreamConstants.TC_ENDBLOCKDATA;
import static java.io.ObjectStreamConstants.TC_LONGSTRING;
import static java.io.ObjectStreamConstants.TC_NULL;
import static java.io.ObjectStreamConstants.TC_OBJECT;
import static java.io.ObjectStreamConstants.TC_REFERENCE;
import static java.io.ObjectStreamConstants.TC_STRING;
import static java.io.ObjectStreamConstants.baseWireHandle;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.saevhadoop.format.samediff.sdnb.SerialClass.SerialField;

/**
 * Writes the manifest as {@link java.io.ObjectOutputStream} would: the bytes for a new {@code
 * LinkedHashMap} into which the entries were put in their order, with boxed numbers and names that
 * are not interned.
 */
final class SdnbManifestEncoder {
  private static final float LOAD_FACTOR = 0.75f;
  private static final int MIN_CAPACITY = 16;
  private static final int MAX_SHORT_TEXT = 0xffff;

  private final DataOutputStream out;

  /**
   * Numbers of the objects that are written once and then referred to: descriptions of classes, the
   * type of the fields of a pair, and the numbers from -128 to 127, of which {@link Long#valueOf}
   * has one object each.
   */
  private final Map<Object, Integer> handles = new HashMap<>();

  private int nextHandle = baseWireHandle;

  private SdnbManifestEncoder(OutputStream out) {
    this.out = new DataOutputStream(out);
  }

  /**
   * Returns the bytes of a manifest.
   *
   * @throws IllegalArgumentException if two entries have the same name
   */
  static byte[] encode(List<SdnbManifestEntry> entries) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    write(entries, bytes);
    return bytes.toByteArray();
  }

  /**
   * Returns the number of bytes of a manifest.
   *
   * @throws IllegalArgumentException if two entries have the same name
   */
  static int length(List<SdnbManifestEntry> entries) {
    return write(entries, OutputStream.nullOutputStream());
  }

  private static int write(List<SdnbManifestEntry> entries, OutputStream bytes) {
    try {
      SdnbManifestEncoder encoder = new SdnbManifestEncoder(bytes);
      encoder.writeStream(entries);
      return encoder.out.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // neither stream throws it
    }
  }

  private void writeStream(List<SdnbManifestEntry> entries) throws IOException {
    out.writeShort(STREAM_MAGIC);
    out.writeShort(STREAM_VERSION);
    writeObject(SerialClass.LINKED_HASH_MAP);
    int capacity = capacity(entries.size());
    out.writeFloat(LOAD_FACTOR);
    out.writeInt(entries.isEmpty() ? 0 : (int) (LOAD_FACTOR * capacity));
    out.writeByte(TC_BLOCKDATA);
    out.writeByte(2 * Integer.BYTES);
    out.writeInt(capacity);
    out.writeInt(entries.size());
    Set<String> names = new HashSet<>();
    for (SdnbManifestEntry entry : entries) {
      if (!names.add(entry.name())) {
        throw new IllegalArgumentException(entry.name() + " occurs twice");
      }
      writeText(entry.name());
      writeObject(SerialClass.PAIR);
      writeLong(entry.offset());
      writeLong(entry.length());
    }
    out.writeByte(TC_ENDBLOCKDATA);
    out.writeBoolean(false); // accessOrder
  }

  /** Returns the capacity that a HashMap grows to. */
  private static int capacity(int count) {
    int capacity = MIN_CAPACITY;
    while (count > LOAD_FACTOR * capacity) {
      capacity *= 2;
    }
    return capacity;
  }

  private void writeObject(SerialClass type) throws IOException {
    out.writeByte(TC_OBJECT);
    writeClass(type);
    nextHandle++;
  }

  private void writeClass(SerialClass type) throws IOException {
    if (writeReference(type)) {
      return;
    }
    out.writeByte(TC_CLASSDESC);
    out.writeUTF(type.className());
    out.writeLong(type.uid());
    handles.put(type, nextHandle++);
    out.writeByte(type.flags());
    out.writeShort(type.fields().size());
    for (SerialField field : type.fields()) {
      out.writeByte(field.type());
      out.writeUTF(field.name());
      if (field.type() == SerialField.OBJECT && !writeReference(SerialField.OBJECT_TYPE)) {
        handles.put(SerialField.OBJECT_TYPE, nextHandle);
        writeText(SerialField.OBJECT_TYPE);
      }
    }
    out.writeByte(TC_ENDBLOCKDATA);
    if (type.parent() == null) {
      out.writeByte(TC_NULL);
    } else {
      writeClass(type.parent());
    }
  }

  private void writeText(String text) throws IOException {
    byte[] bytes = ModifiedUtf8.encode(text);
    if (bytes.length <= MAX_SHORT_TEXT) {
      out.writeByte(TC_STRING);
      out.writeShort(bytes.length);
    } else {
      out.writeByte(TC_LONGSTRING);
      out.writeLong(bytes.length);
    }
    out.write(bytes);
    nextHandle++;
  }

  private void writeLong(long number) throws IOException {
    boolean isCached = number >= Byte.MIN_VALUE && number <= Byte.MAX_VALUE;
    if (isCached && writeReference(number)) {
      return;
    }
    writeObject(SerialClass.LONG);
    if (isCached) {
      handles.put(number, nextHandle - 1);
    }
    out.writeLong(number);
  }

  /** Writes a reference to an object; returns false if it has not been written yet. */
  private boolean writeReference(Object written) throws IOException {
    Integer handle = handles.get(written);
    if (handle != null) {
      out.writeByte(TC_REFERENCE);
      out.writeInt(handle);
    }
    return handle != null;
  }
}
