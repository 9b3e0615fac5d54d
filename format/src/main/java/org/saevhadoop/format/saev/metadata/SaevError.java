package org.saevhadoop.format.saev.metadata;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors of a SAEV dataset. */
public enum SaevError implements ErrorKind {
  /** metadata.json does not describe a SAEV dataset. */
  BAD_METADATA,
  /** metadata.json lacks a field of its generation. */
  MISSING_FIELD,
  /** The value of a field in a document has the wrong type or is out of range. */
  BAD_FIELD,
  /** The sizes in metadata.json exceed 2^63 bytes. */
  TOO_LARGE,
  /** The requested protocol cannot express the metadata. */
  NOT_REPRESENTABLE,
  /** shards.json is malformed or contradicts metadata.json. */
  BAD_SHARD_LIST,
  /** A file of the dataset is missing. */
  MISSING_FILE,
  /** A file belongs to no shard of the dataset. */
  ORPHAN_FILE,
  /** labels.bin contradicts metadata.json. */
  BAD_LABELS,
  /** A shard, or the directory as a whole, contradicts metadata.json. */
  BAD_SHARD
}
