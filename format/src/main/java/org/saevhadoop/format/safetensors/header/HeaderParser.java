package org.saevhadoop.format.safetensors.header;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;

/**
 * Parses the JSON of the header as serde parses it into the structures of the reference: check 5 of
 * the reference. Duplicate tensor names are not detected here.
 */
final class HeaderParser {
  private static final byte[] METADATA = JsonString.quoted(SafetensorsHeader.METADATA);
  private static final int NONE = 0;

  private final HeaderFile file;
  private final JsonScanner json;
  private final LenientFinding finding;
  private final TensorColumns tensors = new TensorColumns();
  private final HeaderLimits limits = new HeaderLimits();
  private int metadata = NONE;

  HeaderParser(HeaderFile file, LenientFinding finding) {
    this.file = file;
    this.json = new JsonScanner(file);
    this.finding = finding;
  }

  /** Returns the tensors in the order of the JSON. The offsets are not checked yet. */
  TensorColumns tensors() {
    return tensors;
  }

  /** Returns the limits, which are to be checked after all checks of the reference. */
  HeaderLimits limits() {
    return limits;
  }

  /** Returns the position of the metadata object in the file; 0 if there is none. */
  int metadata() {
    return metadata;
  }

  /**
   * Parses the header.
   *
   * @param strictness whether to detect duplicate metadata keys
   */
  void parse(HeaderStrictness strictness) throws FormatException {
    TensorEntry entry = new TensorEntry(json, file, 0, finding);
    boolean seen = false;
    json.enter('{', "the header's object, which begins with `{`");
    for (boolean more = json.first('}'); more; more = json.next('}')) {
      int name = json.key("a tensor's name in quotes");
      if (!json.isAt(name, METADATA)) {
        limits.name(name, json.stringBytes());
        entry.read();
        limits.dimensions(name, entry.dimensions());
        tensors.add(name, entry.isSound(), entry.begin(), entry.end());
      } else if (seen) {
        throw json.error(name, "%s occurs twice (expected once)", SafetensorsHeader.METADATA);
      } else {
        seen = true;
        parseMetadata(strictness);
      }
    }
    json.end();
  }

  private void parseMetadata(HeaderStrictness strictness) throws FormatException {
    if (json.takeNull()) {
      return;
    }
    metadata = json.position();
    IntColumn keys = new IntColumn();
    json.enter('{', "an object of strings");
    for (boolean more = json.first('}'); more; more = json.next('}')) {
      int key = json.key("a metadata key in quotes");
      int keyBytes = json.stringBytes();
      json.string("a metadata value in quotes");
      limits.metadata(key, keyBytes, json.stringBytes());
      if (strictness == HeaderStrictness.STRICT) {
        keys.add(key);
      }
    }
    NameIndex index = new NameIndex(file.bytes(), keys);
    for (int i = 0; i < keys.size(); i++) {
      if (index.add(i) >= 0) {
        String shown = JsonText.show(JsonString.start(file.bytes(), keys.get(i)));
        finding.note(keys.get(i), "metadata key " + shown + " occurs twice (expected once)");
        return;
      }
    }
  }

  /**
   * Returns the position after the metadata object of a header that was read before.
   *
   * @param position the position of the object
   */
  static int metadataEnd(HeaderFile file, int position) {
    JsonScanner json = new JsonScanner(file, position);
    try {
      json.skip();
      return json.position();
    } catch (FormatException e) {
      throw new IllegalStateException("a header changed after it was read", e);
    }
  }

  /**
   * Returns the metadata of a header that was read before.
   *
   * @param position the position of the metadata object
   */
  static @Nullable Map<String, String> metadata(HeaderFile file, int position) {
    if (position == NONE) {
      return null;
    }
    JsonScanner json = new JsonScanner(file, position);
    Map<String, String> texts = new LinkedHashMap<>();
    try {
      json.enter('{', "an object of strings");
      for (boolean more = json.first('}'); more; more = json.next('}')) {
        String key = JsonString.decode(file.bytes(), json.key("a metadata key in quotes"));
        int value = json.string("a metadata value in quotes");
        texts.put(key, JsonString.decode(file.bytes(), value));
      }
    } catch (FormatException e) {
      throw new IllegalStateException("a header changed after it was read", e);
    }
    return Collections.unmodifiableMap(texts);
  }
}
