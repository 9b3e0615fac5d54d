package org.saevhadoop.format.samediff.sdnb;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.samediff.sdnb.SerialClass.SerialField;

/**
 * Writes the manifest with Java serialization, as a new {@code LinkedHashMap} to which the entries
 * were added in order, with boxed numbers and names that are not interned.
 */
final class SdnbManifestEncoder {
  private SdnbManifestEncoder() {}

  /** A substitute for ND4J's pair, which is not on the class path. */
  private record Pair(Long key, Long value) implements Serializable {}

  /** Writes each {@link Pair} with the class description of ND4J's pair. */
  private static final class ManifestStream extends ObjectOutputStream {
    ManifestStream(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
      if (description.forClass() != Pair.class) {
        super.writeClassDescriptor(description);
        return;
      }
      SerialClass type = SerialClass.PAIR;
      writeUTF(type.className());
      writeLong(type.uid());
      writeByte(type.flags());
      writeShort(type.fields().size());
      for (SerialField field : type.fields()) {
        writeByte(field.type());
        writeUTF(field.name());
        writeObject(SerialField.OBJECT_TYPE);
      }
    }
  }

  /**
   * Returns the bytes of a manifest.
   *
   * @throws IllegalArgumentException if two entries have the same name
   */
  static byte[] encode(List<SdnbManifestEntry> entries) {
    Map<String, Pair> map = new LinkedHashMap<>();
    for (SdnbManifestEntry entry : entries) {
      // A copy, because the stream writes only a reference to an object that it has already
      // written.
      String name = String.valueOf(entry.name().toCharArray());
      if (map.put(name, new Pair(entry.offset(), entry.length())) != null) {
        throw new IllegalArgumentException(name + " occurs twice");
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ManifestStream(bytes)) {
      out.writeObject(map);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // an array never throws it
    }
    return bytes.toByteArray();
  }
}
