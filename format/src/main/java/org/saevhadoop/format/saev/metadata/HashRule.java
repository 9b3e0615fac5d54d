package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/** How a directory's name is made from its metadata: SHA-256 over the text of the fields. */
enum HashRule {
  /** {@code json.dumps(fields, sort_keys=True)}. */
  A(JsonStyle.DEFAULT_SORTED, 64),
  /** {@code json.dumps(fields, sort_keys=True, separators=(",", ":"))}. */
  B(JsonStyle.COMPACT_SORTED, 64),
  /** {@code orjson.dumps(metadata, option=OPT_SORT_KEYS)}: the attributes in declared order. */
  C(JsonStyle.ORJSON_DATACLASS, 64),
  /** As C, and of the digest its first eight digits. */
  D(JsonStyle.ORJSON_DATACLASS, 8);

  /** {@code {}, newline, two spaces: OPT_INDENT_2}. */
  private static final String ORJSON_START = "{\n  \"";

  private final JsonStyle style;
  private final int digits;

  HashRule(JsonStyle style, int digits) {
    this.style = style;
    this.digits = digits;
  }

  /** Of the rules of a generation the one that a text follows: orjson indents by two. */
  static HashRule of(ProtocolGeneration generation, byte[] text) {
    boolean byOrjson =
        new String(text, StandardCharsets.UTF_8).replace("\r", "").startsWith(ORJSON_START);
    return generation == ProtocolGeneration.V2_0 && byOrjson ? C : generation.hashRules().get(0);
  }

  /** The name for fields in declared order. */
  String name(Map<String, Object> fields) {
    byte[] text = PythonJson.dumps(fields, style).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(digest).substring(0, digits);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** How the generations that name directories so write their metadata.json. */
  JsonStyle fileStyle() {
    return style == JsonStyle.ORJSON_DATACLASS ? JsonStyle.ORJSON_FILE : JsonStyle.PYTHON_FILE;
  }
}
