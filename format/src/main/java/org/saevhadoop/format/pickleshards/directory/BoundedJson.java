package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.pickle.value.PickleError;

/**
 * Parser for JSON as written by Python, including NaN, which limits the nesting depth and the
 * number of values. Duplicate keys are reported by the library's parser.
 */
final class BoundedJson extends JsonParserDelegate {
  /** Real manifests have 4 levels; the depth is limited because trees are built recursively. */
  static final int MAX_LEVELS = 100;

  /**
   * Maximum number of characters in a number; a number with a million digits takes minutes to read.
   */
  private static final int MAX_NUMBER = 1000;

  private static final JsonFactory FACTORY =
      Jackson.withoutNameTable(
          Jackson.unlimited()
              .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS));

  private final String path;
  private int level;
  private long tokensLeft;

  /**
   * Opens a document.
   *
   * @param tokens the number of tokens to allow at first
   */
  BoundedJson(String path, InputStream text, long tokens) throws IOException {
    super(FACTORY.createParser(text));
    this.path = path;
    this.tokensLeft = tokens;
  }

  /** Allows the given number of tokens, counted from the current position. */
  void allow(long tokens) {
    tokensLeft = tokens;
  }

  long tokensLeft() {
    return tokensLeft;
  }

  @Override
  public @Nullable JsonToken nextToken() throws IOException {
    JsonToken token = super.nextToken();
    if (token == null) {
      return null;
    }
    tokensLeft--;
    PickleError.LIMIT_EXCEEDED.check(
        tokensLeft >= 0, path, "has more values than a manifest can have, at byte %d", at());
    if (token.isStructStart()) {
      level++;
      PickleError.BAD_METADATA.check(
          level <= MAX_LEVELS,
          path,
          "is nested too deeply, at byte %d (expected at most %d levels)",
          at(),
          MAX_LEVELS);
    } else if (token.isStructEnd()) {
      level--;
    } else if (token.isNumeric()) {
      PickleError.BAD_METADATA.check(
          getTextLength() <= MAX_NUMBER,
          path,
          "has a number of %d characters, at byte %d (expected at most %d)",
          getTextLength(),
          at(),
          MAX_NUMBER);
    }
    return token;
  }

  /** Returns the position in bytes, or in characters if the library counts only characters. */
  private long at() {
    JsonLocation end = Jackson.end(this);
    return Math.max(end.getByteOffset(), end.getCharOffset());
  }
}
