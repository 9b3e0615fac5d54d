package org.saevhadoop.mapreduce.io;

/**
 * Counters of all jobs. Hadoop reads their display names from the properties file that is named
 * after this class.
 */
public enum DatasetCounter {
  /** Examples that were read completely. */
  EXAMPLES,
  /** Blocks that were read. */
  BLOCKS,
  /** Bytes that were read from data files, including gaps that were read only to be skipped. */
  BYTES_READ,
  /** Bytes of the files that tasks wrote, before replication. */
  BYTES_WRITTEN,
  /** Bytes that were compared with an existing file. */
  BYTES_COMPARED,
  /** Values that a conversion to another type changed. */
  VALUES_CHANGED
}
