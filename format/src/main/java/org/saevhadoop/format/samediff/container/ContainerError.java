package org.saevhadoop.format.samediff.container;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in the files that together make up a container. */
public enum ContainerError implements ErrorKind {
  /** There is neither an SDNB file nor an SDZ file that contains one. */
  NO_CONTAINER,
  /** Files of several containers are in the same folder, and loaders choose one of them. */
  AMBIGUOUS_FILES,
  /** A single file and shards have the same base name, and loaders open the shards. */
  STALE_SHARDS,
  /** A shard is missing. */
  MISSING_SHARD,
  /** Shards contradict each other. */
  SHARDS_DISAGREE,
  /** The container has no array with the requested name. */
  NO_SUCH_ARRAY,
  /** Compressed data cannot be read in the requested way. */
  COMPRESSED
}
