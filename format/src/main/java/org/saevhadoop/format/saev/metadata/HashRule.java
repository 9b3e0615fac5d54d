package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/**
 * Rule by which the name of a directory is computed from its metadata: SHA-256 of the text of the
 * fields.
 */
public enum HashRule {
  /** {@code json.dumps(fields, sort_keys=True)}. */
  PY_SPACED(JsonStyle.DEFAULT_SORTED, 64),
  /** {@code json.dumps(fields, sort_keys=True, separators=(",", ":"))}. */
  PY_COMPACT(JsonStyle.COMPACT_SORTED, 64),
  /**
   * {@code orjson.dumps(metadata, option=OPT_SORT_KEYS)}, which writes the attributes of the
   * dataclass in declared order.
   */
  ORJSON(JsonStyle.ORJSON_DATACLASS, 64),
  /** The first eight digits of the digest of {@link #ORJSON}. */
  ORJSON_SHORT(JsonStyle.ORJSON_DATACLASS, 8);

  /** <code>{</code>, a newline and two spaces, as written with OPT_INDENT_2. */
  private static final String ORJSON_START = "{\n  \"";

  private final JsonStyle style;
  private final int digits;

  HashRule(JsonStyle style, int digits) {
    this.style = style;
    this.digits = digits;
  }

  /**
   * Returns the rule of a generation that applies to the given text; orjson indents by two spaces.
   */
  static HashRule of(ProtocolGeneration generation, byte[] text) {
    boolean byOrjson =
        new String(text, StandardCharsets.UTF_8).replace("\r", "").startsWith(ORJSON_START);
    return generation == ProtocolGeneration.V2_0 && byOrjson
        ? ORJSON
        : generation.hashRules().get(0);
  }

  /** Returns the directory name for fields in declared order. */
  public String name(Map<String, Object> fields) {
    byte[] text = PythonJson.dumps(fields, style).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(Sha256.digest().digest(text)).substring(0, digits);
  }

  /** Returns the style in which the generations with this rule write metadata.json. */
  JsonStyle fileStyle() {
    return style == JsonStyle.ORJSON_DATACLASS ? JsonStyle.ORJSON_FILE : JsonStyle.PYTHON_FILE;
  }
}
