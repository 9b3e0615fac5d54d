package org.saevhadoop.format.safetensors.header;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;

/**
 * The header's JSON as serde reads it into the reference's structures: check 5 of the reference.
 * Names that come twice are not noticed here.
 */
final class HeaderParser {
  private static final byte[] METADATA = JsonString.quoted(SafetensorsHeader.METADATA);
  private static final int NONE = 0;

  private final HeaderFile file;
  private final JsonScanner json;
  private final LenientFinding oddity;
  private final TensorColumns tensors = new TensorColumns();
  private int metadata = NONE;

  HeaderParser(HeaderFile file, LenientFinding oddity) {
    this.file = file;
    this.json = new JsonScanner(file);
    this.oddity = oddity;
  }

  /** In the order of the JSON; offsets are still unchecked. */
  TensorColumns tensors() {
    return tensors;
  }

  /** Where the metadata's object stands in the file; 0 without. */
  int metadata() {
    return metadata;
  }

  /**
   * @param strictness whether to look for metadata keys that come twice
   */
  void parse(HeaderStrictness strictness) throws FormatException {
    TensorEntry entry = new TensorEntry(json, file, 0, oddity);
    boolean seen = false;
    json.enter('{', "the header's object, which begins with `{`");
    for (boolean more = json.first('}'); more; more = json.next('}')) {
      int name = json.key("a tensor's name in quotes");
      if (!json.isAt(name, METADATA)) {
        entry.read();
        tensors.add(name, entry.isSound(), entry.begin(), entry.end());
      } else if (seen) {
        throw json.error(name, "%s comes twice (expected once)", SafetensorsHeader.METADATA);
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
      json.string("a metadata value in quotes");
      if (strictness == HeaderStrictness.STRICT) {
        keys.add(key);
      }
    }
    NameIndex index = new NameIndex(file.bytes(), keys);
    for (int i = 0; i < keys.size(); i++) {
      if (index.add(i) >= 0) {
        String shown = JsonText.show(JsonString.start(file.bytes(), keys.get(i)));
        oddity.note(keys.get(i), "metadata key " + shown + " comes twice (expected once)");
        return;
      }
    }
  }

  /** The metadata of a header that has been read before, by where its object stands. */
  static Map<String, String> metadata(HeaderFile file, int position) {
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
