package org.saevhadoop.format.safetensors.header;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;

/**
 * Parser of the value of one tensor in the JSON of the header; equivalent to serde's parser for the
 * structure in the reference. The value may also be an array of the three fields, a dtype may be an
 * object with a null value, and unknown fields are ignored. An instance can read many tensors, one
 * after another.
 */
final class TensorEntry {
  private static final List<String> FIELDS = List.of("dtype", "shape", "data_offsets");
  private static final byte[][] QUOTED_FIELDS =
      FIELDS.stream().map(JsonString::quoted).toArray(byte[][]::new);
  private static final int OFFSETS = 2;
  private static final int DTYPE_AND_SHAPE = 0b11;
  private static final DType[] DTYPES = DType.values();
  private static final byte[][] QUOTED_DTYPES = quotedDtypes();

  private final JsonScanner json;
  private final HeaderFile file;
  private final int maxDimensions;
  private final LenientFinding finding;

  private int seen;

  /**
   * The range of the text from which dtype and shape were read, from the beginning of the object to
   * the offsets; empty if they were read from another form. Most tensors repeat this text.
   */
  private int start;

  private int offsets;
  private DType dtype = DType.BOOL;
  private List<Long> shape = List.of();
  private int dimensions;
  private long elements;
  private boolean overflows;
  private long begin;
  private long end;

  /**
   * Creates a parser.
   *
   * @param maxDimensions the number of dimensions to keep; the whole shape is checked
   */
  TensorEntry(JsonScanner json, HeaderFile file, int maxDimensions, LenientFinding finding) {
    this.json = json;
    this.file = file;
    this.maxDimensions = maxDimensions;
    this.finding = finding;
  }

  private static byte[][] quotedDtypes() {
    byte[][] quoted = new byte[DTYPES.length][];
    for (DType dtype : DTYPES) {
      quoted[dtype.ordinal()] = JsonString.quoted(dtype.name());
    }
    return quoted;
  }

  /**
   * Returns a tensor of a header that was read before.
   *
   * @param position the position of the name of the tensor
   * @param like a tensor of the header that is probably similar, with as many dimensions kept
   */
  static TensorEntry again(
      HeaderFile file, int position, int maxDimensions, @Nullable TensorEntry like) {
    JsonScanner json = new JsonScanner(file, position);
    TensorEntry entry = new TensorEntry(json, file, maxDimensions, new LenientFinding());
    if (like != null) {
      entry.start = like.start;
      entry.offsets = like.offsets;
      entry.dtype = like.dtype;
      entry.shape = like.shape;
      entry.dimensions = like.dimensions;
      entry.elements = like.elements;
      entry.overflows = like.overflows;
    }
    try {
      json.key("a tensor's name in quotes");
      entry.read();
      return entry;
    } catch (FormatException e) {
      throw new IllegalStateException("a header changed after it was read", e);
    }
  }

  DType dtype() {
    return dtype;
  }

  /** Returns the shape, or its first dimensions if not all were kept. */
  List<Long> shape() {
    return shape;
  }

  /** Returns the number of dimensions, whether or not all were kept. */
  int dimensions() {
    return dimensions;
  }

  long begin() {
    return begin;
  }

  long end() {
    return end;
  }

  /** Returns whether the size in bits or an intermediate product is 2^64 or more. */
  boolean overflows() {
    return overflows || TensorSize.overflows(elements, dtype.bits());
  }

  /** Returns the size of the tensor in bits, unsigned; undefined if it overflows. */
  long bits() {
    return elements * dtype.bits();
  }

  /** Returns whether the offsets and the shape agree. */
  boolean isSound() {
    return !overflows() && bits() % Byte.SIZE == 0 && end - begin == bits() >>> 3;
  }

  void read() throws FormatException {
    seen = 0;
    if (json.peek() == '[') {
      finding.note(json.position(), "a tensor as an array (expected an object)");
      readArray();
    } else {
      readObject();
    }
  }

  private void readArray() throws FormatException {
    json.enter('[', "a tensor's array");
    boolean more = json.first(']');
    for (int field = 0; field < FIELDS.size(); field++) {
      if (!more) {
        throw json.error(
            json.position() - 1, "the tensor's array ends (expected %s)", FIELDS.get(field));
      }
      readField(field);
      more = json.next(']');
    }
    if (more) {
      throw json.unexpected("`]` after the tensor's three fields");
    }
  }

  private void readObject() throws FormatException {
    int object = json.position();
    json.enter('{', "a tensor's object");
    boolean more = json.first('}');
    if (json.repeats(object, start, offsets)) {
      seen = DTYPE_AND_SHAPE;
      readField(OFFSETS);
      more = json.next('}');
    }
    for (; more; more = json.next('}')) {
      int key = json.position();
      int field = field(json.key("a field's name in quotes"));
      if (isSeen(field)) {
        throw json.error(key, "%s occurs twice (expected once)", FIELDS.get(field));
      }
      if (field == OFFSETS && seen == DTYPE_AND_SHAPE) {
        start = object;
        offsets = json.position();
      }
      readField(field);
    }
    for (int field = 0; field < FIELDS.size(); field++) {
      if (!isSeen(field)) {
        throw json.error(
            json.position() - 1, "the tensor's object ends (expected %s)", FIELDS.get(field));
      }
    }
  }

  /** Returns the index of a field, or the number of fields if it is unknown. */
  private int field(int position) {
    int field = 0;
    while (field < FIELDS.size() && !json.isAt(position, QUOTED_FIELDS[field])) {
      field++;
    }
    return field;
  }

  private boolean isSeen(int field) {
    return field < FIELDS.size() && (seen & 1 << field) != 0;
  }

  private void readField(int field) throws FormatException {
    seen |= 1 << field;
    switch (field) {
      case 0 -> readDtype();
      case 1 -> readShape();
      case OFFSETS -> readOffsets();
      default -> json.skip();
    }
  }

  private void readDtype() throws FormatException {
    offsets = start;
    if (json.peek() != '{') {
      dtype = dtype(json.string("a dtype in quotes"));
      return;
    }
    finding.note(json.position(), "a dtype as an object (expected a dtype in quotes)");
    json.enter('{', "a dtype");
    dtype = dtype(json.key("a dtype in quotes"));
    if (!json.takeNull()) {
      throw json.unexpected("null");
    }
    if (json.next('}')) {
      throw json.unexpected("`}`");
    }
  }

  private DType dtype(int position) throws FormatException {
    if (json.isAt(position, QUOTED_DTYPES[dtype.ordinal()])) {
      return dtype; // same dtype as the previous tensor
    }
    for (DType candidate : DTYPES) {
      if (json.isAt(position, QUOTED_DTYPES[candidate.ordinal()])) {
        return candidate;
      }
    }
    throw json.error(
        position,
        "unknown dtype %s (expected one of %s)",
        JsonText.show(JsonString.start(file.bytes(), position)),
        List.of(DTYPES));
  }

  private void readShape() throws FormatException {
    dimensions = 0;
    elements = 1;
    overflows = false;
    shape = maxDimensions == 0 ? List.of() : new ArrayList<>();
    json.enter('[', "an array of dimensions");
    for (boolean more = json.first(']'); more; more = json.next(']')) {
      long dimension = json.u64("a dimension from 0 to 2^64-1");
      dimensions++;
      overflows |= TensorSize.overflows(elements, dimension);
      elements *= dimension;
      if (shape.size() < maxDimensions) {
        shape.add(dimension);
      }
    }
    shape = List.copyOf(shape);
  }

  private void readOffsets() throws FormatException {
    json.enter('[', "[begin, end]");
    begin = json.u64("the tensor's first byte, from 0 to 2^64-1");
    if (!json.next(']')) {
      throw json.error(json.position() - 1, "data_offsets has one number (expected two)");
    }
    end = json.u64("the tensor's end, from 0 to 2^64-1");
    if (json.next(']')) {
      throw json.unexpected("`]` after two offsets");
    }
  }
}
