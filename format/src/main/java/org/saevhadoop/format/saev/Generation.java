package org.saevhadoop.format.saev;

import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.PythonJson.Style;

/**
 * The generations of the protocol that this project reads and writes: what each calls its fields,
 * in the order in which its writer puts them, and how it hashes them.
 */
public enum Generation {
  /** Protocol v1: no protocol field, no shards.json (saev commit f3d648a). */
  LEGACY(
      "legacy",
      Style.DEFAULT_SORTED,
      false,
      List.of(
          "vit_family",
          "vit_ckpt",
          "layers",
          "n_patches_per_img",
          "cls_token",
          "d_vit",
          "seed",
          "n_imgs",
          "max_patches_per_shard",
          "data")),
  /** Protocol 1.0.0 (saev commit 4f87ac7). */
  V1_0(
      "1.0.0",
      Style.COMPACT_SORTED,
      true,
      List.of(
          "vit_family",
          "vit_ckpt",
          "layers",
          "n_patches_per_img",
          "cls_token",
          "d_vit",
          "n_imgs",
          "max_patches_per_shard",
          "data",
          "dtype",
          "protocol"));

  private final String label;
  private final Style hashStyle;
  private final boolean shardsJson;
  private final List<String> keys;

  Generation(String label, Style hashStyle, boolean shardsJson, List<String> keys) {
    this.label = label;
    this.hashStyle = hashStyle;
    this.shardsJson = shardsJson;
    this.keys = keys;
  }

  /** The generation's name on the command line: its protocol value, or {@code legacy}. */
  public String label() {
    return label;
  }

  /** The generation of that {@link #label()}. */
  public static Generation ofLabel(String label) {
    for (Generation generation : values()) {
      if (generation.label.equals(label)) {
        return generation;
      }
    }
    throw new IllegalArgumentException(
        "protocol " + label + " is not known (expected 1.0.0 or legacy)");
  }

  /** Tells the generation of a metadata.json by its keys, and only then by its protocol value. */
  static Generation of(String path, Map<String, Object> fields) throws FormatException {
    Object protocol = fields.get("protocol");
    if (protocol == null && fields.containsKey("seed")) {
      return LEGACY;
    }
    if (protocol == null || V1_0.label.equals(protocol)) {
      return V1_0;
    }
    throw FormatException.of(
        path,
        "protocol %s is not one that is read (expected \"1.0.0\", or the legacy fields)",
        PythonJson.dumps(protocol, Style.COMPACT));
  }

  /** The fields of its metadata.json, in file order. */
  List<String> keys() {
    return keys;
  }

  /**
   * How the metadata is serialised before it is hashed (rules A and B of the project's history).
   */
  Style hashStyle() {
    return hashStyle;
  }

  /** Whether a shards.json belongs to the dataset. */
  boolean hasShardsJson() {
    return shardsJson;
  }
}
