package org.saevhadoop.format.saev.metadata;

import static org.saevhadoop.format.saev.metadata.HashRule.ORJSON;
import static org.saevhadoop.format.saev.metadata.HashRule.ORJSON_SHORT;
import static org.saevhadoop.format.saev.metadata.HashRule.PY_COMPACT;
import static org.saevhadoop.format.saev.metadata.HashRule.PY_SPACED;
import static org.saevhadoop.format.saev.metadata.MetadataField.CLS_TOKEN;
import static org.saevhadoop.format.saev.metadata.MetadataField.DATASET;
import static org.saevhadoop.format.saev.metadata.MetadataField.DTYPE;
import static org.saevhadoop.format.saev.metadata.MetadataField.FAMILY;
import static org.saevhadoop.format.saev.metadata.MetadataField.HEIGHT;
import static org.saevhadoop.format.saev.metadata.MetadataField.PIXEL_AGG;
import static org.saevhadoop.format.saev.metadata.MetadataField.PROTOCOL;
import static org.saevhadoop.format.saev.metadata.MetadataField.SEED;
import static org.saevhadoop.format.saev.metadata.MetadataField.WIDTH;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.saevhadoop.format.io.FormatException;

/**
 * Generations of the protocol that were ever written to disk: their fields, the names of the
 * fields, and the rules for directory names. Commits are those of the saev project.
 */
public enum ProtocolGeneration {
  /** Six forms before v1 (fcb77f7 of 2024-10-31 to 9fbe14e of 2025-06-09). */
  PRE_V1(
      "before v1",
      "legacy",
      Names.PRE_V1,
      Data.TEXT,
      List.of(PY_SPACED),
      EnumSet.of(SEED),
      EnumSet.of(WIDTH, HEIGHT, FAMILY, CLS_TOKEN)),
  /** Protocol v1 (f3d648a): no protocol field, no shards.json. */
  LEGACY(
      "v1",
      "legacy",
      Names.IMAGES,
      Data.TEXT,
      List.of(PY_SPACED),
      EnumSet.of(SEED),
      Optionals.NONE),
  /** v1 without its seed (c270a9f); ea5a8eb adds shards.json. */
  V1_SEEDLESS(
      "v1 without seed",
      "legacy",
      Names.IMAGES,
      Data.TEXT,
      List.of(PY_COMPACT),
      Optionals.NONE,
      Optionals.NONE),
  /** Protocol 1.0.0 (4f87ac7); in a6052a5 data was still a string. */
  V1_0(
      "1.0.0",
      "1.0.0",
      Names.IMAGES,
      Data.OBJECT,
      List.of(PY_COMPACT),
      Optionals.NONE,
      Optionals.DEFAULTED),
  /** Protocol 1.1 (6e2a640), which introduced labels; 46d6966 had no pixel_agg. */
  V1_1(
      "1.1",
      "1.1",
      Names.IMAGES,
      Data.OBJECT,
      List.of(PY_COMPACT),
      Optionals.NONE,
      EnumSet.of(PIXEL_AGG, DTYPE, PROTOCOL)),
  /**
   * Protocol 2.0 with its first field names (d4cc39a; e43e7dd with dataset; 29d3347 still wrote
   * 1.1).
   */
  V2_0_EX(
      "2.0 with n_ex",
      "2.0",
      Names.EX,
      Data.OBJECT,
      List.of(PY_COMPACT),
      EnumSet.of(PIXEL_AGG),
      EnumSet.of(DATASET, DTYPE, PROTOCOL)),
  /** Protocol 2.0 (6fee1c7); since c3dd0ae orjson writes and hashes it. */
  V2_0(
      "2.0",
      "2.0",
      Names.EXAMPLES,
      Data.OBJECT,
      List.of(PY_COMPACT, ORJSON),
      EnumSet.of(DATASET, PIXEL_AGG),
      Optionals.DEFAULTED),
  /** Protocol 2.1 while pixel_agg could be null and the name was the whole digest (00d8cec). */
  V2_1_NULLABLE(
      "2.1 with pixel_agg null",
      "2.1",
      Names.EXAMPLES,
      Data.PICKLE,
      List.of(ORJSON, ORJSON_SHORT),
      EnumSet.of(DATASET, PIXEL_AGG),
      Optionals.DEFAULTED),
  /** Protocol 2.1 (075ac76 of 2025-10-14 and all later commits). */
  V2_1(
      "2.1",
      "2.1",
      Names.EXAMPLES,
      Data.PICKLE,
      List.of(ORJSON_SHORT, ORJSON),
      EnumSet.of(DATASET, PIXEL_AGG),
      Optionals.DEFAULTED);

  /** Names of the fields whose names have changed; alternatives are separated by a vertical bar. */
  private record Names(
      String family,
      String ckpt,
      String layers,
      String patches,
      String dim,
      String examples,
      String tokensPerShard) {
    static final Names PRE_V1 =
        new Names(
            "vit_family|model_family|model_org",
            "vit_ckpt|model_ckpt|model",
            "layers|n_layers",
            "n_patches_per_img",
            "d_vit",
            "n_imgs",
            "n_patches_per_shard");
    static final Names IMAGES =
        new Names(
            "vit_family",
            "vit_ckpt",
            "layers",
            "n_patches_per_img",
            "d_vit",
            "n_imgs",
            "max_patches_per_shard");
    static final Names EX =
        new Names(
            "family", "ckpt", "layers", "patches_per_ex", "d_model", "n_ex", "patches_per_shard");
    static final Names EXAMPLES =
        new Names(
            "family",
            "ckpt",
            "layers",
            "content_tokens_per_example",
            "d_model",
            "n_examples",
            "max_tokens_per_shard");
  }

  private static final class Optionals {
    static final Set<MetadataField> NONE = EnumSet.noneOf(MetadataField.class);

    /** Fields for which the loaders of the saev project have defaults. */
    static final Set<MetadataField> DEFAULTED = EnumSet.of(DTYPE, PROTOCOL);
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

  /** The generation of metadata for activations without metadata: that of the current saev. */
  public static final ProtocolGeneration DEFAULT = V2_1;

  private final String title;
  private final String label;
  private final Names names;
  private final Data data;
  private final List<HashRule> hashRules;
  private final Set<MetadataField> fields = EnumSet.copyOf(MetadataField.COMMON);
  private final Set<MetadataField> optional;

  ProtocolGeneration(
      String title,
      String label,
      Names names,
      Data data,
      List<HashRule> hashRules,
      Set<MetadataField> more,
      Set<MetadataField> optional) {
    this.title = title;
    this.label = label;
    this.names = names;
    this.data = data;
    this.hashRules = hashRules;
    this.fields.addAll(more);
    this.fields.addAll(optional);
    this.optional = optional;
  }

  /** Returns a name for the user that is unique among the generations. */
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
   * @throws FormatException if the keys are not those of SAEV metadata
   */
  static ProtocolGeneration of(String path, Map<String, Object> values) throws FormatException {
    ProtocolGeneration best = V1_0;
    for (ProtocolGeneration generation : values()) {
      if (generation.distance(values) < best.distance(values)) {
        best = generation;
      }
    }
    SaevError.BAD_METADATA.check(
        best.missing(values).size() <= MetadataField.COMMON.size() / 2,
        path,
        "is not SAEV metadata (expected the fields %s, or those of another generation)",
        V1_0.keys(values));
    return best;
  }

  /** Returns whether the readers of saev require the dataset to be in a folder saev/shards. */
  public boolean liesInShardsFolder() {
    return compareTo(V2_0_EX) >= 0;
  }

  /**
   * Returns whether the programs of saev support labels.bin; those of other generations ignore it.
   */
  public boolean knowsLabels() {
    return compareTo(V1_1) >= 0;
  }

  /**
   * Returns whether a shards.json may exist; of the forms before 1.0.0, only the last one had it.
   */
  public boolean hasShardsJson() {
    return compareTo(V1_SEEDLESS) >= 0;
  }

  /** Returns whether the readers of the generation require a shards.json. */
  public boolean needsShardsJson() {
    return compareTo(V1_0) >= 0;
  }

  /** Returns the key in shards.json of the number of examples in a file. */
  public String countKey() {
    return names.examples();
  }

  /** Returns the content of the data field. */
  Data data() {
    return data;
  }

  /**
   * Returns the rules for directory names: that of the generation first, then other rules with
   * which a metadata.json of the same form was written.
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
    return optional.contains(field);
  }

  /** Returns the key of a field; of several alternatives, the one that is present. */
  String key(MetadataField field, Map<String, Object> present) {
    String[] alternatives = alternatives(field).split("\\|");
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

  private String alternatives(MetadataField field) {
    return switch (field) {
      case FAMILY -> names.family();
      case CKPT -> names.ckpt();
      case LAYERS -> names.layers();
      case PATCHES -> names.patches();
      case DIM -> names.dim();
      case EXAMPLES -> names.examples();
      case TOKENS_PER_SHARD -> names.tokensPerShard();
      default -> field.plainKey();
    };
  }

  private Set<String> missing(Map<String, Object> present) {
    Set<String> missing = new TreeSet<>();
    for (MetadataField field : fields) {
      if (!isOptional(field)) {
        missing.add(key(field, present));
      }
    }
    missing.removeAll(present.keySet());
    return missing;
  }

  private long distance(Map<String, Object> present) {
    Set<String> keys = new HashSet<>(keys(present));
    long known = keys.stream().filter(present::containsKey).count();
    boolean otherData = present.get("data") instanceof Map != (data == Data.OBJECT);
    boolean nullAgg = present.get("pixel_agg") == null;
    boolean otherAgg = this == V2_1 && nullAgg || this == V2_1_NULLABLE && !nullAgg;
    Object protocol = present.getOrDefault("protocol", "legacy");
    return 8 * (missing(present).size() + present.size() - known)
        + (otherData ? 4 : 0)
        + (otherAgg ? 2 : 0)
        + (label.equals(protocol) ? 0 : 1);
  }
}
