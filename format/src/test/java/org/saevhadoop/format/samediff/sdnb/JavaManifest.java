package org.saevhadoop.format.samediff.sdnb;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nd4j.common.primitives.Pair;
import org.saevhadoop.format.io.MemoryInput;

/** Manifests as Java's own serialization reads and writes them. */
final class JavaManifest {
  static final String PATH = "model.sdnb";

  private static final String ALLOWED =
      "java.util.LinkedHashMap;java.util.HashMap;java.util.Map$Entry;"
          + "org.nd4j.common.primitives.Pair;java.lang.Long;java.lang.Number;!*";

  private JavaManifest() {}

  /** The bytes of any object. */
  static byte[] bytes(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /** The bytes of a map into which entries were put in their order. */
  static byte[] bytes(List<SdnbManifestEntry> entries) throws IOException {
    Map<String, Pair<Long, Long>> map = new LinkedHashMap<>();
    for (SdnbManifestEntry entry : entries) {
      map.put(entry.name(), new Pair<>(entry.offset(), entry.length()));
    }
    return bytes((Object) map);
  }

  /** What ObjectInputStream reads. */
  static List<SdnbManifestEntry> read(byte[] manifest) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(manifest))) {
      in.setObjectInputFilter(ObjectInputFilter.Config.createFilter(ALLOWED));
      List<SdnbManifestEntry> entries = new ArrayList<>();
      for (Map.Entry<?, ?> entry : ((LinkedHashMap<?, ?>) in.readObject()).entrySet()) {
        Pair<?, ?> pair = (Pair<?, ?>) entry.getValue();
        entries.add(
            new SdnbManifestEntry(
                (String) entry.getKey(), (Long) pair.getKey(), (Long) pair.getValue()));
      }
      return entries;
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /** What our parser reads. */
  static List<SdnbManifestEntry> parse(byte[] manifest) throws IOException {
    return SdnbManifestParser.parse(new MemoryInput(PATH, manifest), 0, manifest.length);
  }
}
