package org.saevhadoop.format.safetensors;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/**
 * The header's JSON as serde reads it into the reference's structures: check 5 of the reference. It
 * also accepts what no writer emits: a tensor as an array of its three fields, a dtype as an object
 * with a null, fields that it does not know, and names that come twice, of which the last counts.
 */
final class HeaderParser {
  private static final String METADATA = SafetensorsHeader.METADATA;
  private static final List<String> FIELDS = List.of("dtype", "shape", "data_offsets");
  private static final Map<String, DType> DTYPES = new LinkedHashMap<>();

  static {
    for (DType dtype : DType.values()) {
      DTYPES.put(dtype.name(), dtype);
    }
  }

  private final JsonScanner json;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private Map<String, String> metadata;

  HeaderParser(HeaderFile file) {
    this.json = new JsonScanner(file.json(), file);
  }

  /** By name; sizes and offsets are still unchecked. */
  Map<String, Tensor> tensors() {
    return tensors;
  }

  /** Null where there is none. */
  Map<String, String> metadata() {
    return metadata;
  }

  void parse() throws FormatException {
    boolean seen = false;
    json.enter('{', "the header's object, which begins with `{`");
    for (boolean more = json.first('}'); more; more = json.next('}')) {
      int start = json.position();
      String name = json.key("a tensor's name in quotes");
      if (!name.equals(METADATA)) {
        tensors.put(name, new Fields(name).read());
      } else if (seen) {
        throw json.error(start, "%s comes twice (expected once)", METADATA);
      } else {
        seen = true;
        metadata = json.takeNull() ? null : Collections.unmodifiableMap(texts());
      }
    }
    json.end();
  }

  private Map<String, String> texts() throws FormatException {
    Map<String, String> texts = new LinkedHashMap<>();
    json.enter('{', "an object of strings");
    for (boolean more = json.first('}'); more; more = json.next('}')) {
      String key = json.key("a metadata key in quotes");
      texts.put(key, json.string("a metadata value in quotes"));
    }
    return texts;
  }

  /** The fields of one tensor while they are read. */
  private final class Fields {
    private final String name;
    private DType dtype;
    private List<Long> shape;
    private long[] offsets;

    Fields(String name) {
      this.name = name;
    }

    Tensor read() throws FormatException {
      if (json.peek() == '[') {
        readArray();
      } else {
        readObject();
      }
      return new Tensor(name, dtype, shape, offsets[0], offsets[1]);
    }

    private void readArray() throws FormatException {
      json.enter('[', "a tensor's array");
      boolean more = json.first(']');
      for (String field : FIELDS) {
        if (!more) {
          throw json.error(json.position() - 1, "the tensor's array ends (expected %s)", field);
        }
        readField(field);
        more = json.next(']');
      }
      if (more) {
        throw json.unexpected("`]` after the tensor's three fields");
      }
    }

    private void readObject() throws FormatException {
      json.enter('{', "a tensor's object");
      for (boolean more = json.first('}'); more; more = json.next('}')) {
        int start = json.position();
        String field = json.key("a field's name in quotes");
        if (isSet(field)) {
          throw json.error(start, "%s comes twice (expected once)", field);
        }
        readField(field);
      }
      for (String field : FIELDS) {
        if (!isSet(field)) {
          throw json.error(json.position() - 1, "the tensor's object ends (expected %s)", field);
        }
      }
    }

    private boolean isSet(String field) {
      return switch (field) {
        case "dtype" -> dtype != null;
        case "shape" -> shape != null;
        case "data_offsets" -> offsets != null;
        default -> false;
      };
    }

    private void readField(String field) throws FormatException {
      switch (field) {
        case "dtype" -> dtype = dtype();
        case "shape" -> shape = shape();
        case "data_offsets" -> offsets = offsets();
        default -> json.skip();
      }
    }
  }

  private DType dtype() throws FormatException {
    if (json.peek() != '{') {
      return dtypeName(json.position(), json.string("a dtype in quotes"));
    }
    json.enter('{', "a dtype");
    json.peek();
    DType dtype = dtypeName(json.position(), json.key("a dtype in quotes"));
    if (!json.takeNull()) {
      throw json.unexpected("null");
    }
    if (json.next('}')) {
      throw json.unexpected("`}`");
    }
    return dtype;
  }

  private DType dtypeName(int position, String name) throws FormatException {
    DType dtype = DTYPES.get(name);
    if (dtype == null) {
      throw json.error(
          position, "unknown dtype %s (expected one of %s)", JsonText.show(name), DTYPES.keySet());
    }
    return dtype;
  }

  private List<Long> shape() throws FormatException {
    List<Long> shape = new ArrayList<>();
    json.enter('[', "an array of dimensions");
    for (boolean more = json.first(']'); more; more = json.next(']')) {
      shape.add(json.u64("a dimension from 0 to 2^64-1"));
    }
    return shape;
  }

  private long[] offsets() throws FormatException {
    json.enter('[', "[begin, end]");
    long begin = json.u64("the tensor's first byte, from 0 to 2^64-1");
    if (!json.next(']')) {
      throw json.error(json.position() - 1, "data_offsets has one number (expected two)");
    }
    long end = json.u64("the tensor's end, from 0 to 2^64-1");
    if (json.next(']')) {
      throw json.unexpected("`]` after two offsets");
    }
    return new long[] {begin, end};
  }
}
