package org.saevhadoop.format.saev.metadata;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Meaning of a field of metadata.json, independent of its name in a generation. Every generation
 * writes its fields in this order.
 */
public enum MetadataField {
  WIDTH,
  HEIGHT,
  FAMILY,
  CKPT,
  LAYERS,
  PATCHES,
  CLS_TOKEN,
  DIM,
  SEED,
  EXAMPLES,
  TOKENS_PER_SHARD,
  DATA,
  DATASET,
  PIXEL_AGG,
  DTYPE,
  PROTOCOL;

  /** Fields that all generations have; optional ones may be absent. */
  static final Set<MetadataField> COMMON =
      EnumSet.of(FAMILY, CKPT, LAYERS, PATCHES, CLS_TOKEN, DIM, EXAMPLES, TOKENS_PER_SHARD, DATA);

  /** Returns the key in the generations that use the plain name. */
  String plainKey() {
    return name().toLowerCase(Locale.ROOT);
  }
}
