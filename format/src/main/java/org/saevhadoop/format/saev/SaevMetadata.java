package org.saevhadoop.format.saev;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.PythonJson.Style;

/**
 * A dataset's metadata.json. The text of the file is kept: what is not changed is written back as
 * it was, number text, key order and escapes included.
 */
public final class SaevMetadata {
  /** The file's name. */
  public static final String FILE = "metadata.json";

  /** The budget of tokens times layers a shard that the project's own writer has by default. */
  public static final long DEFAULT_TOKENS_PER_SHARD = 2_400_000;

  /** The seed that legacy metadata names where its user gave none. */
  private static final int DEFAULT_SEED = 42;

  private final byte[] text;
  private final Map<String, Object> fields;
  private final Generation generation;
  private final Geometry geometry;
  private final boolean clsToken;
  private final long tokensPerShard;

  private SaevMetadata(String path, byte[] text, Map<String, Object> fields)
      throws FormatException {
    this.text = text;
    this.fields = fields;
    this.generation = Generation.of(path, fields);
    Fields checked = new Fields(path, fields);
    for (String key : generation.keys()) {
      checked.require(key, generation.label());
    }
    this.clsToken = checked.bool("cls_token");
    this.tokensPerShard = checked.integer("max_patches_per_shard", 1, Long.MAX_VALUE);
    int cls = clsToken ? 1 : 0;
    int patches = (int) checked.integer("n_patches_per_img", 1 - cls, Integer.MAX_VALUE - 1);
    int dim = (int) checked.integer("d_vit", 1, Integer.MAX_VALUE / Float.BYTES);
    try {
      this.geometry =
          new Geometry(
              checked.integer("n_imgs", 0, Long.MAX_VALUE),
              checked.layers("layers"),
              patches + cls,
              dim);
      FormatException.check(
          examplesPerShard() >= 1,
          path,
          "max_patches_per_shard is %d, too few for one example (expected at least %d)",
          tokensPerShard,
          (long) geometry.tokens() * geometry.layers().size());
      Math.multiplyExact(examplesPerShard(), geometry.exampleBytes());
    } catch (ArithmeticException e) {
      throw FormatException.of(path, "the sizes multiply to more than 2^63 bytes");
    } catch (IllegalArgumentException e) {
      throw new FormatException(path, e.getMessage());
    }
    Object dtype = fields.getOrDefault("dtype", "float32");
    FormatException.check(
        "float32".equals(dtype), path, "dtype is %s (expected \"float32\")", json(dtype));
  }

  /**
   * Reads the text of a metadata.json.
   *
   * @param path the file's path for messages
   * @throws FormatException where it is not JSON as Python reads it, or a field is missing or wrong
   */
  public static SaevMetadata parse(String path, byte[] text) throws FormatException {
    Object root = PythonJson.parse(path, text);
    FormatException.check(root instanceof Map, path, "is not a JSON object");
    @SuppressWarnings("unchecked") // PythonJson's objects have String keys
    Map<String, Object> fields = (Map<String, Object>) root;
    return new SaevMetadata(path, text, fields);
  }

  /**
   * Metadata of protocol 1.0.0 for activations that come without any.
   *
   * @param data the text of a JSON object: where the examples came from
   */
  public static SaevMetadata create(
      Geometry geometry, boolean clsToken, String family, String ckpt, byte[] data)
      throws FormatException {
    int cls = clsToken ? 1 : 0;
    long least = (long) geometry.tokens() * geometry.layers().size();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("vit_family", family);
    fields.put("vit_ckpt", ckpt);
    fields.put("layers", numbers(geometry.layers()));
    fields.put("n_patches_per_img", JsonNumber.of(geometry.tokens() - cls));
    fields.put("cls_token", clsToken);
    fields.put("d_vit", JsonNumber.of(geometry.dim()));
    fields.put("n_imgs", JsonNumber.of(geometry.examples()));
    fields.put("max_patches_per_shard", JsonNumber.of(Math.max(DEFAULT_TOKENS_PER_SHARD, least)));
    fields.put("data", PythonJson.parse("data", data));
    fields.put("dtype", "float32");
    fields.put("protocol", Generation.V1_0.label());
    return of(fields);
  }

  /** Whether a name is of the form that the project gives its directories, of any generation. */
  public static boolean looksLikeHash(String name) {
    return name.matches("[0-9a-f]{8}|[0-9a-f]{64}");
  }

  /** The generation that its keys tell. */
  public Generation generation() {
    return generation;
  }

  /**
   * Shape of the dataset; the layers in the order of the field, which is the order in the files.
   */
  public Geometry geometry() {
    return geometry;
  }

  /** Whether token 0 of each example is [CLS]. */
  public boolean clsToken() {
    return clsToken;
  }

  /** Tokens of an example without [CLS], P. */
  public int patches() {
    return geometry.tokens() - (clsToken ? 1 : 0);
  }

  /**
   * Examples of a full shard, S: {@code max_patches_per_shard // (layers * tokens)}. The
   * specifications leave S undefined; this is what every writer does.
   */
  public long examplesPerShard() {
    return tokensPerShard / ((long) geometry.layers().size() * geometry.tokens());
  }

  /** Keys that no writer of this generation emits, and that its readers refuse. */
  public List<String> foreignKeys() {
    List<String> foreign = new ArrayList<>(fields.keySet());
    foreign.removeAll(generation.keys());
    return foreign;
  }

  /** The file's bytes. */
  public byte[] text() {
    return text.clone();
  }

  /** The name of the dataset's directory: SHA-256 over the sorted fields, in hexadecimal. */
  public String hash() {
    String canonical = PythonJson.dumps(fields, generation.hashStyle());
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(canonical.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The same dataset in another shape; the very same metadata where the shape is the same. */
  public SaevMetadata withGeometry(Geometry changed) throws FormatException {
    if (changed.equals(geometry)) {
      return this;
    }
    int cls = clsToken ? 1 : 0;
    // at once: a part of the change alone might not fit the budget
    Map<String, Object> fields = new LinkedHashMap<>(this.fields);
    fields.put("n_imgs", JsonNumber.of(changed.examples()));
    fields.put("layers", numbers(changed.layers()));
    fields.put("n_patches_per_img", JsonNumber.of(changed.tokens() - cls));
    fields.put("d_vit", JsonNumber.of(changed.dim()));
    return of(fields);
  }

  /** The same with another model family. */
  public SaevMetadata withFamily(String family) throws FormatException {
    return with("vit_family", family);
  }

  /** The same with another checkpoint. */
  public SaevMetadata withCheckpoint(String ckpt) throws FormatException {
    return with("vit_ckpt", ckpt);
  }

  /** The same with another budget of tokens times layers a shard. */
  public SaevMetadata withTokensPerShard(long budget) throws FormatException {
    return with("max_patches_per_shard", JsonNumber.of(budget));
  }

  /**
   * The same with another description of the data.
   *
   * @param data the text of a JSON document
   */
  public SaevMetadata withData(String path, byte[] data) throws FormatException {
    Object value = PythonJson.parse(path, data);
    return with("data", generation == Generation.LEGACY ? json(value) : value);
  }

  /**
   * The same in the fields of another generation. What the other has no field for moves into {@code
   * data} and comes back from there: legacy's seed, and its data, which is one string.
   *
   * @throws FormatException where there are fields that no generation knows
   */
  public SaevMetadata to(Generation target) throws FormatException {
    if (target == generation) {
      return this;
    }
    FormatException.check(
        foreignKeys().isEmpty(),
        FILE,
        "%s has no place for the fields %s",
        target.label(),
        foreignKeys());
    Map<String, Object> converted = new LinkedHashMap<>();
    for (String key : target.keys()) {
      converted.put(key, fields.get(key));
    }
    if (target == Generation.V1_0) {
      converted.put("data", dataOfLegacy());
      converted.put("dtype", "float32");
      converted.put("protocol", target.label());
    } else {
      boolean wasLegacy = fields.get("data") instanceof Map<?, ?> data && isLegacyData(data);
      Map<?, ?> data = wasLegacy ? (Map<?, ?>) fields.get("data") : Map.of();
      converted.put("seed", wasLegacy ? data.get("seed") : JsonNumber.of(DEFAULT_SEED));
      converted.put("data", wasLegacy ? data.get("repr") : json(fields.get("data")));
    }
    return of(converted);
  }

  /** Legacy's data for 1.0.0: the object whose JSON text it is, or its text and the seed. */
  private Object dataOfLegacy() {
    String text = fields.get("data") instanceof String data ? data : json(fields.get("data"));
    if (JsonNumber.of(DEFAULT_SEED).equals(fields.get("seed"))) {
      try {
        Object object = PythonJson.parse("data", text.getBytes(StandardCharsets.UTF_8));
        if (object instanceof Map && json(object).equals(text)) {
          return object;
        }
      } catch (FormatException e) {
        // the text of a Python object, as legacy's own writer left it: kept as it is
        return legacyData(text);
      }
    }
    return legacyData(text);
  }

  private Map<String, Object> legacyData(String text) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("repr", text);
    data.put("seed", fields.get("seed"));
    data.put("__class__", text.substring(0, Math.max(0, text.indexOf('('))));
    return data;
  }

  private static boolean isLegacyData(Map<?, ?> data) {
    return data.keySet().equals(Set.of("repr", "seed", "__class__"))
        && data.get("repr") instanceof String
        && data.get("seed") instanceof JsonNumber;
  }

  private SaevMetadata with(String key, Object value) throws FormatException {
    if (json(value).equals(json(fields.get(key)))) {
      return this;
    }
    Map<String, Object> changed = new LinkedHashMap<>(fields);
    changed.put(key, value);
    return of(changed);
  }

  private static SaevMetadata of(Map<String, Object> fields) throws FormatException {
    String text = PythonJson.dumps(fields, Style.indented(4));
    return new SaevMetadata(FILE, text.getBytes(StandardCharsets.UTF_8), fields);
  }

  private static List<JsonNumber> numbers(List<Integer> values) {
    return values.stream().map(JsonNumber::of).toList();
  }

  private static String json(Object value) {
    return PythonJson.dumps(value, Style.COMPACT);
  }
}
