package org.saevhadoop.format.saev.metadata;

import static org.saevhadoop.format.saev.metadata.HashRule.ORJSON;
import static org.saevhadoop.format.saev.metadata.HashRule.ORJSON_SHORT;
import static org.saevhadoop.format.saev.metadata.HashRule.PY_COMPACT;
import static org.saevhadoop.format.saev.metadata.HashRule.PY_SPACED;
import static org.saevhadoop.format.saev.metadata.MetadataField.CKPT;
import static org.saevhadoop.format.saev.metadata.MetadataField.CLS_TOKEN;
import static org.saevhadoop.format.saev.metadata.MetadataField.DATASET;
import static org.saevhadoop.format.saev.metadata.MetadataField.DIM;
import static org.saevhadoop.format.saev.metadata.MetadataField.DTYPE;
import static org.saevhadoop.format.saev.metadata.MetadataField.EXAMPLES;
import static org.saevhadoop.format.saev.metadata.MetadataField.FAMILY;
import static org.saevhadoop.format.saev.metadata.MetadataField.HEIGHT;
import static org.saevhadoop.format.saev.metadata.MetadataField.LAYERS;
import static org.saevhadoop.format.saev.metadata.MetadataField.PATCHES;
import static org.saevhadoop.format.saev.metadata.MetadataField.PIXEL_AGG;
import static org.saevhadoop.format.saev.metadata.MetadataField.PROTOCOL;
import static org.saevhadoop.format.saev.metadata.MetadataField.SEED;
import static org.saevhadoop.format.saev.metadata.MetadataField.TOKENS_PER_SHARD;
import static org.saevhadoop.format.saev.metadata.MetadataField.WIDTH;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.saevhadoop.format.io.FormatException;

/**
 * Generations of the protocol that were ever written to disk: their fields, the names of the
 * fields, and the rules for directory names. Commits refer to the saev project.
 */
public enum ProtocolGeneration {
  /** Six forms before v1 (fcb77f7 of 2024-10-31 to 9fbe14e of 2025-06-09). */
  PRE_V1("before v1", "legacy", Data.TEXT, Fields.PRE_V1, PY_SPACED),
  /** Protocol v1 (f3d648a): no protocol field, no shards.json. */
  LEGACY("v1", "legacy", Data.TEXT, Fields.V1, PY_SPACED),
  /** v1 without its seed (c270a9f); ea5a8eb adds shards.json. */
  V1_SEEDLESS("v1 without seed", "legacy", Data.TEXT, Fields.V1_SEEDLESS, PY_COMPACT),
  /** Protocol 1.0.0 (4f87ac7); in a6052a5 data was still a string. */
  V1_0("1.0.0", "1.0.0", Data.OBJECT, Fields.V1_0, PY_COMPACT),
  /** Protocol 1.1 (6e2a640), which introduced labels; 46d6966 had no pixel_agg. */
  V1_1("1.1", "1.1", Data.OBJECT, Fields.V1_1, PY_COMPACT),
  /**
   * Protocol 2.0 with its original field names (d4cc39a; e43e7dd adds {@code dataset}; 29d3347
   * still wrote 1.1).
   */
  V2_0_EX("2.0 with n_ex", "2.0", Data.OBJECT, Fields.V2_0_EX, PY_COMPACT),
  /** Protocol 2.0 (6fee1c7); since c3dd0ae orjson writes and hashes it. */
  V2_0("2.0", "2.0", Data.OBJECT, Fields.V2, PY_COMPACT, ORJSON),
  /** Protocol 2.1 while pixel_agg could be null and the name was the whole digest (00d8cec). */
  V2_1_NULLABLE("2.1 with pixel_agg null", "2.1", Data.PICKLE, Fields.V2, ORJSON, ORJSON_SHORT),
  /** Protocol 2.1 (075ac76 of 2025-10-14 and all later commits). */
  V2_1("2.1", "2.1", Data.PICKLE, Fields.V2, ORJSON_SHORT, ORJSON);

  /**
   * Fields of a generation.
   *
   * @param keys the keys of fields that have not always had their plain name; alternatives are
   *     separated by a vertical bar
   * @param required fields that a metadata.json has in addition to the common ones
   * @param optional fields that may be absent
   */
  private record Fields(
      Map<MetadataField, String> keys, Set<MetadataField> required, Set<MetadataField> optional) {
    private static final Map<MetadataField, String> PRE_V1_KEYS =
        Map.of(
            FAMILY, "vit_family|model_family|model_org",
            CKPT, "vit_ckpt|model_ckpt|model",
            LAYERS, "layers|n_layers",
            PATCHES, "n_patches_per_img",
            DIM, "d_vit",
            EXAMPLES, "n_imgs",
            TOKENS_PER_SHARD, "n_patches_per_shard");
    private static final Map<MetadataField, String> IMAGE_KEYS =
        Map.of(
            FAMILY, "vit_family",
            CKPT, "vit_ckpt",
            PATCHES, "n_patches_per_img",
            DIM, "d_vit",
            EXAMPLES, "n_imgs",
            TOKENS_PER_SHARD, "max_patches_per_shard");
    private static final Map<MetadataField, String> EX_KEYS =
        Map.of(
            PATCHES, "patches_per_ex",
            DIM, "d_model",
            EXAMPLES, "n_ex",
            TOKENS_PER_SHARD, "patches_per_shard");
    private static final Map<MetadataField, String> EXAMPLE_KEYS =
        Map.of(
            PATCHES, "content_tokens_per_example",
            DIM, "d_model",
            EXAMPLES, "n_examples",
            TOKENS_PER_SHARD, "max_tokens_per_shard");

    /** Fields for which the loaders of the saev project have defaults. */
    private static final Set<MetadataField> DEFAULTED = Set.of(DTYPE, PROTOCOL);

    static final Fields PRE_V1 =
        new Fields(PRE_V1_KEYS, Set.of(SEED), Set.of(WIDTH, HEIGHT, FAMILY, CLS_TOKEN));
    static final Fields V1 = new Fields(IMAGE_KEYS, Set.of(SEED), Set.of());
    static final Fields V1_SEEDLESS = new Fields(IMAGE_KEYS, Set.of(), Set.of());
    static final Fields V1_0 = new Fields(IMAGE_KEYS, Set.of(), DEFAULTED);
    static final Fields V1_1 = new Fields(IMAGE_KEYS, Set.of(), Set.of(PIXEL_AGG, DTYPE, PROTOCOL));
    static final Fields V2_0_EX =
        new Fields(EX_KEYS, Set.of(PIXEL_AGG), Set.of(DATASET, DTYPE, PROTOCOL));
    static final Fields V2 = new Fields(EXAMPLE_KEYS, Set.of(DATASET, PIXEL_AGG), DEFAULTED);
  }

  /** Content of the data field. */
  enum Data {
    /** The {@code str()} of a dataclass. */
    TEXT,
    /** The fields of a dataclass and {@code __class__}. */
    OBJECT,
    /** The pickle of a dataclass in Base64. */
    PICKLE
  }

  /**
   * The generation of metadata for activations without metadata: the generation of the current
   * saev.
   */
  public static final ProtocolGeneration DEFAULT = V2_1;

  private final String title;
  private final String label;
  private final Data data;
  private final Fields known;
  private final List<HashRule> hashRules;
  private final Set<MetadataField> fields = EnumSet.copyOf(MetadataField.COMMON);

  ProtocolGeneration(String title, String label, Data data, Fields known, HashRule... hashRules) {
    this.title = title;
    this.label = label;
    this.data = data;
    this.known = known;
    this.hashRules = List.of(hashRules);
    this.fields.addAll(known.required());
    this.fields.addAll(known.optional());
  }

  /** Returns a display name that is unique among the generations. */
  public String title() {
    return title;
  }

  /** Returns the protocol value, or {@code legacy} if there is none. */
  public String label() {
    return label;
  }

  /**
   * Returns the generation in which datasets of a protocol are written.
   *
   * @param label 1.0.0, 1.1, 2.0, 2.1, or legacy for v1
   */
  public static ProtocolGeneration ofLabel(String label) {
    return switch (label) {
      case "legacy" -> LEGACY;
      case "1.0.0" -> V1_0;
      case "1.1" -> V1_1;
      case "2.0" -> V2_0;
      case "2.1" -> V2_1;
      default ->
          throw new IllegalArgumentException(
              "protocol " + label + " is not known (expected legacy, 1.0.0, 1.1, 2.0 or 2.1)");
    };
  }

  /**
   * Determines the generation of a metadata.json from its keys, then from the kind of its data, and
   * only then from its protocol value.
   *
   * @throws FormatException if the keys do not form SAEV metadata
   */
  static ProtocolGeneration of(String path, Map<String, Object> values) throws FormatException {
    ProtocolGeneration best = V1_0;
    for (ProtocolGeneration generation : values()) {
      if (generation.distance(values) < best.distance(values)) {
        best = generation;
      }
    }
    SaevError.BAD_METADATA.check(
        best.missing(values) <= MetadataField.COMMON.size() / 2,
        path,
        "is not SAEV metadata (expected the fields %s, or those of another generation)",
        V1_0.keys(values));
    return best;
  }

  /** Returns whether the readers of saev require the dataset to be in a folder saev/shards. */
  public boolean liesInShardsFolder() {
    return compareTo(V2_0_EX) >= 0;
  }

  /** Returns whether the programs of this generation support labels.bin; others ignore it. */
  public boolean knowsLabels() {
    return compareTo(V1_1) >= 0;
  }

  /**
   * Returns whether a shards.json may exist; of the forms before 1.0.0, only the last one could
   * have one.
   */
  public boolean hasShardsJson() {
    return compareTo(V1_SEEDLESS) >= 0;
  }

  /** Returns whether the readers of the generation require a shards.json. */
  public boolean needsShardsJson() {
    return compareTo(V1_0) >= 0;
  }

  /** Returns the shards.json key for the number of examples in a file. */
  public String countKey() {
    return key(EXAMPLES, Map.of());
  }

  /** Returns the content of the data field. */
  Data data() {
    return data;
  }

  /**
   * Returns the rules for directory names: first the rule of the generation, then other rules in
   * use when a metadata.json of the same form was written.
   */
  List<HashRule> hashRules() {
    return hashRules;
  }

  /** Returns the fields in file order. */
  Set<MetadataField> fields() {
    return fields;
  }

  /** Returns whether a field may be absent from metadata.json. */
  boolean isOptional(MetadataField field) {
    return known.optional().contains(field);
  }

  /** Returns the key of a field, or the one that is present if there are several alternatives. */
  String key(MetadataField field, Map<String, Object> present) {
    String[] alternatives = known.keys().getOrDefault(field, field.plainKey()).split("\\|");
    for (String name : alternatives) {
      if (present.containsKey(name)) {
        return name;
      }
    }
    return alternatives[0];
  }

  /** Returns the keys of the fields in file order. */
  List<String> keys(Map<String, Object> present) {
    return fields.stream().map(field -> key(field, present)).toList();
  }

  /** Returns the number of required fields that are absent. */
  private long missing(Map<String, Object> present) {
    return fields.stream()
        .filter(field -> !isOptional(field) && !present.containsKey(key(field, present)))
        .count();
  }

  private long distance(Map<String, Object> present) {
    long found = keys(present).stream().filter(present::containsKey).count();
    boolean otherData = present.get("data") instanceof Map != (data == Data.OBJECT);
    boolean nullAgg = present.get("pixel_agg") == null;
    boolean otherAgg = this == V2_1 && nullAgg || this == V2_1_NULLABLE && !nullAgg;
    Object protocol = present.getOrDefault("protocol", "legacy");
    return 8 * (missing(present) + present.size() - found)
        + (otherData ? 4 : 0)
        + (otherAgg ? 2 : 0)
        + (label.equals(protocol) ? 0 : 1);
  }
}
