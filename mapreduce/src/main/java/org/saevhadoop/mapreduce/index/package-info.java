/**
 * {@code _tensor_index.parquet}: which file of a dataset in key-value layout holds which tensor.
 * {@link org.saevhadoop.mapreduce.index.ParquetTensorIndex} reads it, {@link
 * org.saevhadoop.mapreduce.index.TensorIndexWriter} writes it, {@link
 * org.saevhadoop.mapreduce.index.TensorIndexBuilder} makes it from the files.
 *
 * <p>Written with parquet-java. Read without: a lookup needs little of the format, parquet-java's
 * classes take longer to load than the whole lookup, and it takes memory for whatever a broken file
 * asks for. "Parquet" in the comments is the specification, <a
 * href="https://github.com/apache/parquet-format">apache/parquet-format</a>, whose numbers of
 * fields and enums stand in the code.
 */
package org.saevhadoop.mapreduce.index;
