package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/**
 * A dataset's metadata.json, of any generation. The text of the file is kept: what is not changed
 * is written back as it was, number text, key order and escapes included.
 */
public final class SaevMetadata {
  /** The file's name. */
  public static final String FILE = "metadata.json";

  /** Key of the document of a {@link Provenance} that is the text of a metadata.json. */
  public static final String DOCUMENT = "saev.metadata";

  /**
   * Key of the document of a {@link Provenance} that is the name of the SAEV directory, where it
   * looks like a hash: it cannot always be computed from the metadata again.
   */
  public static final String DIRECTORY_DOCUMENT = "saev.directory";

  /** The budget of tokens times layers a shard that the project's own writer has by default. */
  public static final long DEFAULT_TOKENS_PER_SHARD = 2_400_000;

  /** The longest text that is read. */
  static final int MAX_BYTES = 16 << 20;

  private static final Set<String> KNOWN_MAJORS = Set.of("1", "2");

  /** Characters of a list or value of the file in a message. */
  private static final int MOST_SHOWN = 300;

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
    FormatException.check(
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
      throw tooLarge(path);
    } catch (IllegalArgumentException e) {
      throw new FormatException(path, e.getMessage());
    }
  }

  private void checkShards(String path) throws FormatException {
    FormatException.check(
        examplesPerShard() >= 1,
        path,
        "%s is %d, too few for one example (expected at least %d)",
        key(MetadataField.TOKENS_PER_SHARD),
        tokensPerShard,
        (long) geometry.tokens() * geometry.layers().size());
    try {
      Math.multiplyExact(examplesPerShard(), geometry.exampleBytes());
    } catch (ArithmeticException e) {
      throw tooLarge(path);
    }
  }

  private static FormatException tooLarge(String path) {
    return new FormatException(path, "the sizes multiply to more than 2^63 bytes");
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
    Map<String, Object> values = (Map<String, Object>) root;
    return new SaevMetadata(path, text, values);
  }

  /**
   * Returns how many [CLS] tokens the SAEV metadata of a provenance records; empty without one.
   *
   * @throws FormatException where the metadata cannot be read
   */
  public static OptionalInt clsTokens(Provenance provenance) throws FormatException {
    Optional<String> text = provenance.document(DOCUMENT);
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    byte[] bytes = text.get().getBytes(StandardCharsets.UTF_8);
    return OptionalInt.of(parse(DOCUMENT, bytes).clsToken() ? 1 : 0);
  }

  /**
   * Returns metadata for activations that come without any.
   *
   * @param generation the form in which it is written; {@link ProtocolGeneration#DEFAULT} as a rule
   * @param data the text of a JSON object: where the examples came from
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

  /** Whether a name is of the form that the project gives its directories, of any generation. */
  public static boolean looksLikeHash(String name) {
    return name.matches("[0-9a-f]{8}|[0-9a-f]{64}");
  }

  /** The generation that its keys tell. */
  public ProtocolGeneration generation() {
    return generation;
  }

  /** The protocol value of the file, or {@code legacy} where it has none. */
  public String protocol() {
    Object protocol = values.get(key(MetadataField.PROTOCOL));
    if (protocol == null) {
      return generation.label();
    }
    return protocol instanceof String string ? string : json(protocol);
  }

  /**
   * What is unusual about the protocol value. The specification asks for a breaking warning where
   * the major version is unknown (protocol v1 section 6).
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
            : "breaking: protocol %s is of an unknown major version; it is %s, which may be wrong"
                .formatted(protocol, reading));
  }

  /**
   * Shape of the dataset; the layers in the order of the field, which is the order in the files.
   */
  public Geometry geometry() {
    return geometry;
  }

  /** The model family; null where the file does not say it as a text. */
  public String family() {
    return value(MetadataField.FAMILY) instanceof String family ? family : null;
  }

  /** The model checkpoint; null where the file does not say it as a text. */
  public String checkpoint() {
    return value(MetadataField.CKPT) instanceof String ckpt ? ckpt : null;
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
   * Examples of a full shard, S: {@code tokens_per_shard // (layers * tokens)}. The specifications
   * leave S undefined; this is what every writer does.
   */
  public long examplesPerShard() {
    return tokensPerShard / ((long) geometry.layers().size() * geometry.tokens());
  }

  /** Keys that no writer of this generation emits, and that its readers refuse. */
  public List<String> foreignKeys() {
    List<String> foreign = new ArrayList<>(values.keySet());
    foreign.removeAll(generation.keys(values));
    return foreign;
  }

  /** The file's bytes. */
  public byte[] text() {
    return text.clone();
  }

  /** What each field says: a string as it is, all else as strict JSON in ASCII, NaN as a string. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach(
        (key, value) ->
            texts.put(
                key,
                value instanceof String string
                    ? string
                    : PythonJson.dumps(value, JsonStyle.STRICT)));
    return texts;
  }

  /** The name of the dataset's directory. */
  public String hash() {
    return hashRule.name(declared());
  }

  /**
   * The name of the dataset's directory by the rule that gives {@code directory}, where one of the
   * rules that it may follow does; else {@link #hash()}.
   */
  public String hash(String directory) {
    for (HashRule rule : generation.hashRules()) {
      if (rule.name(declared()).equals(directory)) {
        return directory;
      }
    }
    return hash();
  }

  /** The same dataset in another shape; the very same metadata where the shape is the same. */
  public SaevMetadata withGeometry(Geometry changed) throws FormatException {
    return changed.equals(geometry)
        ? this
        : of(MetadataValues.reshape(this, changed, clsToken), hashRule);
  }

  /**
   * Returns the metadata of a selection of this dataset, which {@code data} then records. The shard
   * budget stays.
   *
   * @throws FormatException where this generation cannot name the layers
   * @throws IllegalArgumentException where the dataset lacks something that is selected
   */
  public SaevMetadata select(SaevSelection selection) throws FormatException {
    Geometry selected = selection.geometry(geometry);
    boolean keepsCls = clsToken && selection.hasFirstToken();
    Map<String, Object> changed = MetadataValues.reshape(this, selected, keepsCls);
    changed.putAll(MetadataMigration.select(this, selection));
    return of(changed, hashRule);
  }

  /**
   * Returns the selections that led to this dataset, as {@code data} records them: first the one
   * that gave it, then the one that gave its parent, and so on.
   */
  public List<SaevSelection> selections() {
    return MetadataMigration.selections(this);
  }

  /** The same with another model family. */
  public SaevMetadata withFamily(String family) throws FormatException {
    return with(MetadataField.FAMILY, family);
  }

  /** The same with another checkpoint. */
  public SaevMetadata withCheckpoint(String ckpt) throws FormatException {
    return with(MetadataField.CKPT, ckpt);
  }

  /** The same with another budget of tokens times layers a shard. */
  public SaevMetadata withTokensPerShard(long budget) throws FormatException {
    return with(MetadataField.TOKENS_PER_SHARD, JsonNumber.of(budget));
  }

  /**
   * The same with another description of the data.
   *
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
   * Returns the same in the fields of another generation; this very metadata where it is already as
   * the generation's own writer would give it. What the other has no field for moves into {@code
   * data} and comes back from there.
   *
   * @throws FormatException where there are fields that no generation knows
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

  /** All fields in file order. */
  Map<String, Object> values() {
    return values;
  }

  /** The value of a field; null also where it has none. */
  Object value(MetadataField field) {
    return values.get(key(field));
  }

  /** Whether the file has a field. */
  boolean has(MetadataField field) {
    return generation.fields().contains(field) && values.containsKey(key(field));
  }

  /** What the file calls a field. */
  String key(MetadataField field) {
    return generation.key(field, values);
  }

  /** The fields in the order in which the dataclass declares them, foreign ones after them. */
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

  private SaevMetadata with(MetadataField field, Object value) throws FormatException {
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

  /** For a message: keys and values may hold anything. */
  static String oneLine(Object value) {
    String text = value.toString();
    String shown = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
    return shown.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", "?");
  }

  private static String json(Object value) {
    return PythonJson.dumps(value, JsonStyle.COMPACT);
  }
}
