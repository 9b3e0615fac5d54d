package org.saevhadoop.format.padding;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.format.tokens.TokenSampleMetadata;

/**
 * The part of a sample's metadata that determines its padding: {@code activation.shape}, which
 * pickled shards store for the sample or for each of its {@code layers}, and the {@linkplain
 * PaddingMarks arrays of known names} in {@code tokens}, which pickled samples store in their
 * {@code metadata}. Anything else is skipped.
 */
final class SampleLength {
  /** Value for the number of tokens of a sample if the metadata does not contain it. */
  static final long UNKNOWN = -1;

  private static final JsonFactory JSON = Jackson.withoutNameTable(Jackson.unlimited());
  private static final String ACTIVATION = "activation";
  private static final String LAYERS = "layers";
  private static final String METADATA = "metadata";
  private static final String SAMPLE = "sample";
  private static final String DTYPE = "dtype";
  private static final String SHAPE = "shape";

  /**
   * A limit above the number of tokens of any example; the product of two such numbers fits in a
   * long.
   */
  private static final long MANY = 1L << 31;

  private long tokens = UNKNOWN;
  private long layerTokens = UNKNOWN;
  private Integers own = Integers.NONE;
  private Integers pickled = Integers.NONE;

  /** The length of each array that marks padding, and the marks. */
  private record Integers(int count, BitSet padding) {
    static final Integers NONE = new Integers(0, new BitSet());
  }

  private SampleLength() {}

  /** Reads the metadata of a sample, which is given as the text of one JSON object. */
  static SampleLength of(String sample) throws IOException {
    SampleLength length = new SampleLength();
    try (JsonParser json = JSON.createParser(sample)) {
      json.nextToken();
      length.readSample(json);
    }
    return length;
  }

  /** Returns the number of tokens of the original array; the largest number if layers differ. */
  long tokens() {
    return tokens == UNKNOWN ? layerTokens : tokens;
  }

  private Integers marks() {
    return own == Integers.NONE ? pickled : own;
  }

  /** Returns the length of the arrays of integers that mark padding; 0 if there are none. */
  int integers() {
    return marks().count;
  }

  /** Returns whether the integers at an index mark padding. */
  boolean isPadding(int index) {
    return marks().padding.get(index);
  }

  private void readSample(JsonParser json) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      boolean isObject = json.nextToken() == JsonToken.START_OBJECT;
      if (isObject && name.equals(ACTIVATION)) {
        tokens = Math.max(tokens, activation(json));
      } else if (isObject && name.equals(LAYERS)) {
        readLayers(json);
      } else if (isObject && name.equals(TokenSampleMetadata.FIELD)) {
        own = integers(json);
      } else if (isObject && name.equals(METADATA)) {
        readMetadata(json);
      } else {
        json.skipChildren();
      }
    }
  }

  /**
   * Reads objects named activation, at any depth within the lists of keys and values of the layers.
   */
  private void readLayers(JsonParser json) throws IOException {
    for (int depth = 1; depth > 0; ) {
      JsonToken token = json.nextToken();
      if (token == JsonToken.START_OBJECT
          && ACTIVATION.equals(json.getParsingContext().getParent().getCurrentName())) {
        layerTokens = Math.max(layerTokens, activation(json));
      } else {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      }
    }
  }

  /** Reads the description of an array and returns its number of tokens. */
  private static long activation(JsonParser json) throws IOException {
    boolean hasType = false;
    long shape = UNKNOWN;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (name.equals(DTYPE)) {
        hasType = value == JsonToken.VALUE_STRING;
        json.skipChildren();
      } else if (name.equals(SHAPE)) {
        shape = shape(json);
      } else {
        json.skipChildren();
      }
    }
    return hasType ? shape : UNKNOWN;
  }

  /** Reads {@code [token, dim]}, possibly wrapped in {@code {"$tuple": ...}}. */
  private static long shape(JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      return product(json);
    }
    long shape = UNKNOWN;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      json.nextToken();
      shape = product(json);
    }
    return shape;
  }

  /**
   * Reads an array of sizes and returns the product of all but the last; {@link #UNKNOWN} for
   * anything else.
   */
  private static long product(JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      json.skipChildren();
      return UNKNOWN;
    }
    long product = 1;
    long last = UNKNOWN;
    boolean isShape = true;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      isShape &= json.currentToken() == JsonToken.VALUE_NUMBER_INT;
      product = last == UNKNOWN ? 1 : Math.min(product * last, MANY);
      last = isShape ? Math.min(Math.max(0, json.getValueAsLong()), MANY) : 0;
      json.skipChildren();
    }
    return isShape && last != UNKNOWN ? product : UNKNOWN;
  }

  /**
   * Reads {@code tokens} of a pickled sample; the metadata of a single token contains its {@code
   * sample}.
   */
  private void readMetadata(JsonParser json) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      boolean isObject = json.nextToken() == JsonToken.START_OBJECT;
      if (isObject && name.equals(TokenSampleMetadata.FIELD)) {
        pickled = integers(json);
      } else if (isObject && name.equals(SAMPLE)) {
        readMetadata(json);
      } else {
        json.skipChildren();
      }
    }
  }

  /**
   * Reads arrays of integers, and returns the marks of the decisive arrays, if these agree in
   * length.
   */
  private static Integers integers(JsonParser json) throws IOException {
    Map<String, Integers> marks = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      if (json.nextToken() == JsonToken.START_ARRAY && PaddingMarks.isNamed(name)) {
        marks.put(name, marks(json, name));
      } else {
        json.skipChildren();
      }
    }
    List<Integers> deciding =
        PaddingMarks.deciding(marks.keySet()).stream().map(marks::get).distinct().toList();
    if (deciding.isEmpty()
        || deciding.stream().mapToInt(Integers::count).distinct().count() > 1
        || deciding.contains(Integers.NONE)) {
      return Integers.NONE;
    }
    BitSet padding = new BitSet();
    padding.set(0, deciding.get(0).count);
    deciding.forEach(array -> padding.and(array.padding));
    return new Integers(deciding.get(0).count, padding);
  }

  /** Reads an array; {@link Integers#NONE} if it contains anything but integers. */
  private static Integers marks(JsonParser json, String name) throws IOException {
    BitSet marked = new BitSet();
    boolean isValid = true;
    int length = 0;
    for (; json.nextToken() != JsonToken.END_ARRAY; length++) {
      isValid &= json.currentToken() == JsonToken.VALUE_NUMBER_INT;
      marked.set(
          length,
          isValid
              && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER
              && PaddingMarks.isMark(name, json.getLongValue()));
      json.skipChildren();
    }
    return isValid ? new Integers(length, marked) : Integers.NONE;
  }
}
