package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.JsonTexts;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration.Data;

/**
 * Valid metadata of the generations that are written, with data that is out to be mistaken for
 * something else.
 */
public final class HostileMetadata {
  public static final List<ProtocolGeneration> WRITABLE =
      List.of(
          ProtocolGeneration.LEGACY,
          ProtocolGeneration.V1_0,
          ProtocolGeneration.V1_1,
          ProtocolGeneration.V2_0,
          ProtocolGeneration.V2_1);

  /** {@code pickle.dumps(ImgFolder(root=Path("/data/imgs/train")))} as saev 2.1 wrote it. */
  static final String REAL_PICKLE =
      "gASVaQAAAAAAAACMEnNhZXYuZGF0YS5kYXRhc2V0c5SMCUltZ0ZvbGRlcpSTlCmBlH2UjARyb290lIwHcGF0aGxpYpSM"
          + "CVBvc2l4UGF0aJSTlCiMAS+UjARkYXRhlIwEaW1nc5SMBXRyYWlulHSUUpRzYi4=";

  private static final List<String> REPRS =
      List.of(
          "ImageFolder(root='/data/imgs/train')",
          "ImageFolder(root='/a\\'b')",
          "ImageFolder(root='\udcff//x/.')",
          "",
          "(",
          "x",
          "{",
          "{}",
          "{} ",
          "[]",
          "null");
  private static final List<String> ROOTS =
      List.of("/data/imgs/train", "/data/imgs/", "//x", "", ".", "/\udcff", "caf\u00e9/\u007f");
  private static final List<String> CLASSES = List.of("", "ImageFolder", "Imagenet", "x");
  private static final List<String> MOVED = List.of("width", "height", "seed", "dataset");

  private final Random random;
  private final JsonTexts texts;

  HostileMetadata(long seed) {
    random = new Random(seed);
    texts = new JsonTexts(seed);
  }

  /** Of any generation but what no writer of it can have written. */
  SaevMetadata of(ProtocolGeneration generation) throws FormatException {
    if (random.nextInt(4) == 0) {
      return of(pick(WRITABLE)).to(generation);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (MetadataField field : generation.fields()) {
      values.put(generation.key(field, Map.of()), value(field, generation));
    }
    return metadata(values, generation);
  }

  static SaevMetadata metadata(Map<String, Object> values, ProtocolGeneration generation)
      throws FormatException {
    String text = PythonJson.dumps(values, generation.hashRules().get(0).fileStyle());
    return SaevMetadata.parse("metadata.json", text.getBytes(StandardCharsets.UTF_8));
  }

  private Object value(MetadataField field, ProtocolGeneration generation) throws FormatException {
    return switch (field) {
      case FAMILY -> pick(List.of("clip", "siglip", "dinov2", "\u00e9\u007f\n\ud83d\ude00"));
      case CKPT -> pick(List.of("ViT-B-32/openai", "", "\ufffd\u2028/\"\\"));
      case LAYERS -> parse(pick(List.of("[13]", "[13,21,23]", "[-2,-1]", "[3,1]")));
      case CLS_TOKEN -> random.nextBoolean();
      case PATCHES, DIM -> JsonNumber.of(1 + random.nextInt(9));
      case EXAMPLES -> parse(pick(List.of("0", "7", "100000000000")));
      case TOKENS_PER_SHARD -> parse(pick(List.of("60", "2400000", "9007199254740993")));
      case SEED -> seed();
      case DATASET -> dataset(generation);
      case PIXEL_AGG -> pixelAgg(generation);
      case DATA -> data(generation);
      default -> MetadataMigration.defaultOf(field, generation, null);
    };
  }

  private Object seed() throws FormatException {
    return parse(pick(List.of("42", "42", "7", "-0", "42.0", "NaN", "null", "{\"seed\":[1E2]}")));
  }

  private Object pixelAgg(ProtocolGeneration generation) {
    return pick(
        generation == ProtocolGeneration.V2_1
            ? List.of("majority", "prefer-fg")
            : Arrays.asList(null, "majority", "prefer-fg"));
  }

  private String dataset(ProtocolGeneration generation) throws FormatException {
    if (random.nextInt(3) == 0) {
      String path = (String) parse(texts.string());
      return generation == ProtocolGeneration.V2_0 || PythonJson.isUnicode(path) ? path : "/";
    }
    String root = pick(ROOTS);
    return generation == ProtocolGeneration.V2_0 || PythonJson.isUnicode(root) ? root : ".";
  }

  private Object data(ProtocolGeneration generation) throws FormatException {
    return switch (generation.data()) {
      case OBJECT -> object(3);
      case TEXT -> text(3);
      case PICKLE -> pickle(3);
    };
  }

  private Object object(int depth) throws FormatException {
    return switch (random.nextInt(4)) {
      case 0 -> parse(texts.object(3));
      case 1 -> parse("{\"root\":" + dumps(pick(ROOTS)) + ",\"lr\":1E-05,\"__class__\":\"X\"}");
      default -> envelopeLike(depth);
    };
  }

  /** What our envelopes look like, with the fields, their order or the class now and then wrong. */
  private Object envelopeLike(int depth) throws FormatException {
    Map<String, Object> envelope = new LinkedHashMap<>();
    if (random.nextInt(8) == 0) {
      envelope.put("seed", seed());
    }
    switch (random.nextInt(depth > 0 ? 4 : 2)) {
      case 0 -> envelope.put("repr", text(depth - 1));
      case 1 -> envelope.put("base64", pickle(depth - 1));
      case 2 -> envelope.put("data", object(depth - 1));
      default -> envelope.put(pick(List.of("data", "repr", "base64")), parse(texts.value(1)));
    }
    for (String key : MOVED) {
      if (random.nextInt(3) == 0) {
        envelope.put(key, key.equals("dataset") ? pick(ROOTS) : seed());
      }
    }
    if (random.nextBoolean()) {
      envelope.put("pixel_agg", pixelAgg(ProtocolGeneration.V1_1));
    }
    if (random.nextInt(8) > 0) {
      envelope.put("__class__", pick(CLASSES));
    }
    return envelope;
  }

  private String text(int depth) throws FormatException {
    boolean inner = depth > 0 && random.nextBoolean();
    return switch (random.nextInt(3)) {
      case 0 -> (String) parse(texts.string());
      case 1 -> pick(REPRS);
      default -> inner ? (String) DataField.represent(object(depth - 1), Data.TEXT) : "Foo(x)";
    };
  }

  private String pickle(int depth) throws FormatException {
    boolean inner = depth > 0 && random.nextBoolean();
    return switch (random.nextInt(4)) {
      case 0 -> "gAJY";
      case 1 -> REAL_PICKLE;
      case 2 -> ((String) DataField.represent(Map.of(), Data.PICKLE)).replace("=", "");
      default -> inner ? (String) DataField.represent(object(depth - 1), Data.PICKLE) : "";
    };
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  static String text(SaevMetadata metadata) {
    return new String(metadata.text(), StandardCharsets.UTF_8);
  }

  static Object parse(String json) throws FormatException {
    return PythonJson.parse("json", json.getBytes(StandardCharsets.UTF_8));
  }

  private static String dumps(Object value) {
    return PythonJson.dumps(value, JsonStyle.VERBATIM);
  }
}
