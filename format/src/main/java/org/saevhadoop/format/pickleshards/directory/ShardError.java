package org.saevhadoop.format.pickleshards.directory;

import org.saevhadoop.format.io.ErrorKind;

/**
 * Kinds of errors that occur when pickled shards are joined to form a dataset; for a single shard,
 * see {@link org.saevhadoop.format.pickle.value.PickleError}.
 */
public enum ShardError implements ErrorKind {
  NO_SHARDS,
  NOT_FOUND,
  /** A file is named like a shard but has different content. */
  NOT_A_SHARD,
  /** A shard or folder changed while it was read or written. */
  CHANGED,
  AMBIGUOUS_SHARD,
  /** A shard of half vectors has no counterpart with the other halves. */
  UNPAIRED_HALF,
  NO_SAMPLES,
  /** A sample occurs in several shards with different values. */
  AMBIGUOUS_SAMPLES,
  /** A sample lacks a layer. */
  MISSING_LAYER,
  MIXED_SHAPES,
  /** Machines used different configurations for the extraction. */
  CONFIG_DIFFERS,
  /** A size is too large to be addressed or to be held in a record. */
  TOO_LARGE,
  /** A requested block was not staged. */
  NOT_STAGED,
  /** Values cannot be converted back to their original dtype. */
  NOT_RESTORABLE
}
