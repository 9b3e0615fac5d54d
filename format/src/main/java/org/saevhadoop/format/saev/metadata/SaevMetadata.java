package org.saevhadoop.format.saev.metadata;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/**
 * The metadata.json of a dataset, of any generation. The text of the file is retained: unchanged
 * parts are written exactly as read, including the text of numbers, the order of keys and escapes.
 */
public final class SaevMetadata {
  /** Name of the file. */
  public static final String FILE = "metadata.json";

  /** Key of the {@link Provenance} document that contains the text of metadata.json. */
  public static final String DOCUMENT = "saev.metadata";

  /**
   * Key of the {@link Provenance} document that contains the name of the SAEV directory if it looks
   * like a hash; the name cannot always be recomputed from the metadata.
   */
  public static final String DIRECTORY_DOCUMENT = "saev.directory";

  /** The saev project's default limit on tokens times layers per shard. */
  public static final long DEFAULT_TOKENS_PER_SHARD = 2_400_000;

  /** Maximum size, in bytes, of the text that is read. */
  public static final int MAX_BYTES = 16 << 20;

  /** Limits for the text that is read. */
  public static final JsonLimits LIMITS = new JsonLimits(MAX_BYTES, 500_000, MAX_BYTES, MAX_BYTES);

  private static final Set<String> KNOWN_MAJORS = Set.of("1", "2");

  /** Maximum length, in characters, of a list or value of the file in a message. */
  private static final int MAX_SHOWN = 300;

  private final byte[] text;
  private final Map<String, Object> values;
  private final ProtocolGeneration generation;
  private final HashRule hashRule;
  private final Geometry geometry;
  private final boolean clsToken;
  private final long tokensPerShard;

  private SaevMetadata(String path, byte[] text, Map<String, Object> values)
      throws FormatException {
    this.text = text;
    this.values = values;
    this.generation = ProtocolGeneration.of(path, values);
    this.hashRule = HashRule.of(generation, text);
    JsonFields checked = new JsonFields(path, values);
    for (MetadataField field : generation.fields()) {
      if (!generation.isOptional(field)) {
        checked.require(key(field), generation.title());
      }
    }
    this.clsToken = !has(MetadataField.CLS_TOKEN) || checked.bool(key(MetadataField.CLS_TOKEN));
    this.tokensPerShard = checked.integer(key(MetadataField.TOKENS_PER_SHARD), 1, Long.MAX_VALUE);
    this.geometry = geometry(path, checked);
    checkShards(path);
    Object dtype = values.getOrDefault(key(MetadataField.DTYPE), "float32");
    SaevError.BAD_FIELD.check(
        "float32".equals(dtype), path, "dtype is %s (expected \"float32\")", json(dtype));
  }

  private Geometry geometry(String path, JsonFields checked) throws FormatException {
    int cls = clsToken ? 1 : 0;
    int most = Integer.MAX_VALUE - 1;
    int patches = (int) checked.integer(key(MetadataField.PATCHES), 1 - cls, most);
    int dim = (int) checked.integer(key(MetadataField.DIM), 1, Integer.MAX_VALUE / Float.BYTES);
    long examples = checked.integer(key(MetadataField.EXAMPLES), 0, Long.MAX_VALUE);
    String layersKey = key(MetadataField.LAYERS);
    List<Integer> layers =
        layersKey.equals("n_layers") ? checked.lastLayers(layersKey) : checked.layers(layersKey);
    try {
      return new Geometry(examples, layers, patches + cls, dim);
    } catch (ArithmeticException e) {
      throw tooLarge(path).causedBy(e);
    } catch (IllegalArgumentException e) {
      throw SaevError.BAD_METADATA.of(path, null, String.valueOf(e.getMessage()), null).causedBy(e);
    }
  }

  private void checkShards(String path) throws FormatException {
    SaevError.BAD_FIELD.check(
        examplesPerShard() >= 1,
        path,
        "%s is %d, too few for one example (expected at least %d)",
        key(MetadataField.TOKENS_PER_SHARD),
        tokensPerShard,
        (long) geometry.tokens() * geometry.layers().size());
    try {
      Math.multiplyExact(examplesPerShard(), geometry.exampleBytes());
    } catch (ArithmeticException e) {
      throw tooLarge(path).causedBy(e);
    }
  }

  private static FormatException tooLarge(String path) {
    return SaevError.TOO_LARGE.in(path, "the total size exceeds 2^63 bytes");
  }

  /**
   * Parses the text of a metadata.json.
   *
   * @param path the path of the file, for messages
   * @throws FormatException if the text is not JSON as Python reads it, or a field is missing or
   *     invalid
   */
  public static SaevMetadata parse(String path, byte[] text) throws FormatException {
    return new SaevMetadata(path, text, object(path, PythonJson.parse(path, text)));
  }

  private static Map<String, Object> object(String path, @Nullable Object root)
      throws FormatException {
    if (!(root instanceof Map)) {
      throw SaevError.BAD_METADATA.in(path, "is not a JSON object");
    }
    @SuppressWarnings("unchecked") // PythonJson's objects have String keys
    Map<String, Object> values = (Map<String, Object>) root;
    return values;
  }

  /**
   * Returns whether the metadata.json of a folder may belong to a SAEV dataset, either because it
   * has the fields of one or because it cannot be read. Other programs write documents with this
   * name.
   */
  public static boolean isIn(Folder folder) throws IOException {
    String path = folder.path(FILE);
    @Nullable Object root;
    try {
      root = PythonJson.parse(path, LIMITS.read(folder, FILE));
    } catch (FormatException e) {
      return true;
    }
    try {
      ProtocolGeneration.of(path, object(path, root));
      return true;
    } catch (FormatException e) {
      return false;
    }
  }

  /**
   * Creates metadata for activations without metadata.
   *
   * @param generation the form in which the metadata is written; usually {@link
   *     ProtocolGeneration#DEFAULT}
   * @param data the text of a JSON object that describes the origin of the examples
   */
  public static SaevMetadata create(
      ProtocolGeneration generation,
      Geometry geometry,
      boolean clsToken,
      String family,
      String ckpt,
      byte[] data)
      throws FormatException {
    Object described = PythonJson.parseAnew("data", data);
    return of(
        MetadataValues.create(generation, geometry, clsToken, family, ckpt, described),
        generation.hashRules().get(0));
  }

  /** Returns whether a name has the form of a directory name of any generation. */
  public static boolean looksLikeHash(String name) {
    return name.matches("[0-9a-f]{8}|[0-9a-f]{64}");
  }

  /** Returns the generation, which the keys determine. */
  public ProtocolGeneration generation() {
    return generation;
  }

  /** Returns the protocol value of the file, or {@code legacy} if there is none. */
  public String protocol() {
    Object protocol = values.get(key(MetadataField.PROTOCOL));
    if (protocol == null) {
      return generation.label();
    }
    return protocol instanceof String string ? string : json(protocol);
  }

  /**
   * Returns a warning about an unusual protocol value. The specification requires a warning about a
   * breaking change if the major version is unknown (protocol v1, section 6).
   */
  public Optional<String> protocolWarning() {
    String protocol = oneLine(protocol());
    if (protocol.equals(generation.label())) {
      return Optional.empty();
    }
    String major = protocol.split("\\.", 2)[0];
    String reading = "read as %s, whose fields it has".formatted(generation.title());
    return Optional.of(
        KNOWN_MAJORS.contains(major)
            ? "protocol %s is %s".formatted(protocol, reading)
            : "breaking: protocol %s has an unknown major version; it is %s, but that may be wrong"
                .formatted(protocol, reading));
  }

  /**
   * Returns the shape of the dataset; the layers are in the order of the field, which is the order
   * in the files.
   */
  public Geometry geometry() {
    return geometry;
  }

  /** Returns the model family, or null if the file does not state it as text. */
  public @Nullable String family() {
    return value(MetadataField.FAMILY) instanceof String family ? family : null;
  }

  /** Returns the model checkpoint, or null if the file does not state it as text. */
  public @Nullable String checkpoint() {
    return value(MetadataField.CKPT) instanceof String ckpt ? ckpt : null;
  }

  /** Returns whether token 0 of each example is [CLS]. */
  public boolean clsToken() {
    return clsToken;
  }

  /** Returns P, the number of tokens of an example without [CLS]. */
  public int patches() {
    return geometry.tokens() - (clsToken ? 1 : 0);
  }

  /**
   * Returns S, the number of examples in a full shard: {@code tokens_per_shard // (layers *
   * tokens)}. The specifications do not define S; this is the value that every writer uses.
   */
  public long examplesPerShard() {
    return tokensPerShard / ((long) geometry.layers().size() * geometry.tokens());
  }

  /**
   * Returns the keys that the writers of this generation never emit and that its readers reject.
   */
  public List<String> foreignKeys() {
    List<String> foreign = new ArrayList<>(values.keySet());
    foreign.removeAll(generation.keys(values));
    return foreign;
  }

  /** Returns the bytes of the file. */
  public byte[] text() {
    return text.clone();
  }

  /**
   * Returns the value of each field as text for display: strings unchanged, other values as strict
   * JSON in ASCII with NaN as a string, and pickles as a short description.
   */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((key, value) -> texts.put(key, text(DataField.readable(key, value))));
    return texts;
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : PythonJson.dumps(value, JsonStyle.STRICT);
  }

  /** Returns the name of the directory of the dataset. */
  public String hash() {
    return hashRule.name(declared());
  }

  /**
   * Returns the name of the directory of the dataset by the applicable rule that yields {@code
   * directory}, or {@link #hash()} if no rule does.
   */
  public String hash(String directory) {
    for (HashRule rule : generation.hashRules()) {
      if (rule.name(declared()).equals(directory)) {
        return directory;
      }
    }
    return hash();
  }

  /**
   * Returns the metadata of the same dataset with a different shape, or this instance if the shape
   * is the same.
   */
  public SaevMetadata withGeometry(Geometry changed) throws FormatException {
    return changed.equals(geometry)
        ? this
        : of(MetadataValues.reshape(this, changed, clsToken), hashRule);
  }

  /**
   * Returns the metadata of a selection of this dataset, recorded in {@code data}. The budget per
   * shard does not change.
   *
   * @throws FormatException if this generation cannot express the selected layers
   * @throws IllegalArgumentException if the dataset does not contain the selection
   */
  public SaevMetadata select(SaevSelection selection) throws FormatException {
    Geometry selected = selection.geometry(geometry);
    boolean keepsCls = clsToken && selection.hasFirstToken();
    Map<String, Object> changed = MetadataValues.reshape(this, selected, keepsCls);
    changed.putAll(MetadataMigration.select(this, selection));
    return of(changed, hashRule);
  }

  /**
   * Returns the selections that led to this dataset, as recorded in {@code data}: first the
   * selection that resulted in this dataset, then the selection that resulted in its parent, and so
   * on.
   */
  public List<SaevSelection> selections() {
    return MetadataMigration.selections(this);
  }

  /** Returns the budget of tokens times layers per shard. */
  long tokensPerShard() {
    return tokensPerShard;
  }

  /** Returns the same metadata with a different budget of tokens times layers per shard. */
  public SaevMetadata withTokensPerShard(long budget) throws FormatException {
    return with(MetadataField.TOKENS_PER_SHARD, JsonNumber.of(budget));
  }

  /**
   * Returns the same metadata with a different description of the data.
   *
   * @param path the path of the description, for messages
   * @param data the text of a JSON document
   */
  public SaevMetadata withData(String path, byte[] data) throws FormatException {
    Object value = PythonJson.parseAnew(path, data);
    SaevMetadata changed = with(MetadataField.DATA, DataField.represent(value, generation.data()));
    Object dataset = MetadataMigration.defaultOf(MetadataField.DATASET, generation, value);
    return generation.fields().contains(MetadataField.DATASET) && changed != this
        ? changed.with(MetadataField.DATASET, dataset)
        : changed;
  }

  /**
   * Returns the same metadata in the fields of another generation, or this instance if it already
   * has the form of that generation's writer. Information for which the target has no field moves
   * into {@code data}, from which a conversion back restores it.
   *
   * @throws FormatException if there are fields that no generation defines
   */
  public SaevMetadata to(ProtocolGeneration target) throws FormatException {
    HashRule rule = target.hashRules().get(0);
    boolean isProtocol = target == ProtocolGeneration.ofLabel(target.label());
    if (target == generation
        && (!isProtocol || hashRule == rule && MetadataMigration.isOwnForm(this))) {
      return this;
    }
    return of(MetadataMigration.migrate(this, target), rule);
  }

  /** Returns all fields in file order. */
  Map<String, Object> values() {
    return values;
  }

  /** Returns the value of a field; null if the value is null or the field is absent. */
  public @Nullable Object value(MetadataField field) {
    return values.get(key(field));
  }

  boolean has(MetadataField field) {
    return generation.fields().contains(field) && values.containsKey(key(field));
  }

  /** Returns the key of a field in the file. */
  String key(MetadataField field) {
    return generation.key(field, values);
  }

  /** Returns the fields in the declared order of the dataclass, followed by all others. */
  private Map<String, Object> declared() {
    Map<String, Object> declared = new LinkedHashMap<>();
    for (String key : generation.keys(values)) {
      if (values.containsKey(key)) {
        declared.put(key, values.get(key));
      }
    }
    values.forEach(declared::putIfAbsent);
    return declared;
  }

  /** Returns the same metadata with a different value for a field. */
  public SaevMetadata with(MetadataField field, @Nullable Object value) throws FormatException {
    if (json(value).equals(json(value(field)))) {
      return this;
    }
    Map<String, Object> changed = new LinkedHashMap<>(values);
    changed.put(key(field), value);
    return of(changed, hashRule);
  }

  private static SaevMetadata of(Map<String, Object> values, HashRule rule) throws FormatException {
    return new SaevMetadata(FILE, MetadataValues.text(values, rule.fileStyle()), values);
  }

  /**
   * Returns a value as a single line for a message, because keys and values may contain any
   * characters.
   */
  public static String oneLine(Object value) {
    return Quote.show(value.toString(), MAX_SHOWN);
  }

  private static String json(@Nullable Object value) {
    return PythonJson.dumps(value, JsonStyle.COMPACT);
  }
}
