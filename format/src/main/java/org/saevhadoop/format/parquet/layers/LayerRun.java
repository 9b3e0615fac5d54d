package org.saevhadoop.format.parquet.layers;

import java.util.List;

/**
 * The rows of a layer in a staged row group, in the order of example and token.
 *
 * @param path the path of the Parquet file, relative to the folder of the dataset
 * @param group the index of the row group in the file
 * @param firstExample the example of the first row
 * @param firstToken the token of the first row
 * @param vectors the name of the staged file with the vectors
 * @param vectorOffset the position of the first vector in bytes
 * @param keys the name of the staged file with the numbers of the rows
 * @param keyOffset the byte offset of the first number
 * @param integers the names of the per-token integers, whose numbers follow the label
 */
public record LayerRun(
    String path,
    int group,
    int layer,
    long rows,
    long firstExample,
    long firstToken,
    String vectors,
    long vectorOffset,
    String keys,
    long keyOffset,
    List<String> integers) {
  /**
   * Returns the size of the numbers of a row in bytes: example, token, index in the file, label,
   * and per-token integers.
   */
  int keyBytes() {
    return (4 + integers.size()) * Long.BYTES;
  }
}
