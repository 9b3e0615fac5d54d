package org.saevhadoop.format.padding;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenSampleMetadata;

/**
 * The part of a sample's metadata from which its padding follows: {@code activation.shape}, in
 * pickled shards of the whole sample or of each of its {@code layers}, and the arrays in {@code
 * tokens}. Anything else is skipped.
 */
final class SampleLength {
  /** Number of tokens of a sample whose metadata does not contain it. */
  static final long UNKNOWN = -1;

  private static final JsonFactory JSON = Jackson.withoutNameTable(Jackson.unlimited());
  private static final String ACTIVATION = "activation";
  private static final String LAYERS = "layers";
  private static final String DTYPE = "dtype";
  private static final String SHAPE = "shape";

  /** More tokens than any example has; the product of two such numbers fits in a long. */
  private static final long MANY = 1L << 31;

  private long tokens = UNKNOWN;
  private long layerTokens = UNKNOWN;
  private int integers;
  private @Nullable BitSet padding;

  private SampleLength() {}

  /** Reads the metadata of a sample, the text of one JSON object. */
  static SampleLength of(String sample) throws IOException {
    SampleLength length = new SampleLength();
    try (JsonParser json = JSON.createParser(sample)) {
      json.nextToken();
      length.readSample(json);
    }
    return length;
  }

  /** Returns the number of tokens of the original array; that of the longest if layers differ. */
  long tokens() {
    return tokens == UNKNOWN ? layerTokens : tokens;
  }

  /** Returns the length of the arrays of integers; 0 if there are none. */
  int integers() {
    return integers;
  }

  /** Returns whether the integers of a token are -1 in all arrays. */
  boolean isPadding(int token) {
    return padding != null && padding.get(token);
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
        readIntegers(json);
      } else {
        json.skipChildren();
      }
    }
  }

  /** Reads objects named activation, however deep in the lists of keys and values of the layers. */
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

  /** Reads {@code [token, dim]} or the same in {@code {"$tuple": ...}}. */
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

  /** Reads an array of sizes and returns the product of all but the last; UNKNOWN for others. */
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

  private void readIntegers(JsonParser json) throws IOException {
    boolean isValid = true;
    boolean isFirst = true;
    BitSet marks = new BitSet();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      isValid &= json.nextToken() == JsonToken.START_ARRAY;
      if (json.currentToken() != JsonToken.START_ARRAY) {
        json.skipChildren();
        continue;
      }
      int count = 0;
      for (; json.nextToken() != JsonToken.END_ARRAY; count++) {
        isValid &= json.currentToken() == JsonToken.VALUE_NUMBER_INT;
        boolean isMark =
            isValid
                && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER
                && json.getLongValue() == TokenArrays.PADDING;
        marks.set(count, isMark && (isFirst || marks.get(count)));
        json.skipChildren();
      }
      isValid &= isFirst || count == integers;
      integers = count;
      isFirst = false;
    }
    integers = isValid ? integers : 0;
    padding = isValid ? marks : null;
  }
}
