/**
 * {@code _tensor_index.parquet}: which file of a safetensors dataset holds which tensor. Enter by
 * {@link org.saevhadoop.format.parquet.ParquetTensorIndex}, which looks keys up, or by {@link
 * org.saevhadoop.format.parquet.IndexCheck}, which compares an index with the files.
 *
 * <p>Read without parquet-java: a lookup needs little of the format, parquet-java's classes take
 * longer to load than the whole lookup, and it takes memory for whatever a broken file asks for.
 * "Parquet" in the comments is the specification, <a
 * href="https://github.com/apache/parquet-format">apache/parquet-format</a>, whose numbers of
 * fields and enums stand in the code.
 */
package org.saevhadoop.format.parquet;
