package org.saevhadoop.format.samediff.dataset;

/** Names of the arrays of a dataset. */
final class ArrayNames {
  /** Text between the name of a column and the index of the array among those of the column. */
  static final String SHARD = "/shard_";

  private ArrayNames() {}

  /** Returns the name of an array. */
  static String of(String column, long shard) {
    return column + SHARD + shard;
  }
}
