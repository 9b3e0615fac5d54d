package org.saevhadoop.format.saev.metadata;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What a field of metadata.json means, whatever its generation calls it. In this order every
 * generation writes those that it has.
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

  /** Those that every generation has, though an optional one may be missing. */
  static final Set<MetadataField> COMMON =
      EnumSet.of(FAMILY, CKPT, LAYERS, PATCHES, CLS_TOKEN, DIM, EXAMPLES, TOKENS_PER_SHARD, DATA);

  /** Its key in the generations that call it so. */
  String plainKey() {
    return name().toLowerCase(Locale.ROOT);
  }
}
