/**
 * Writers of {@code _tensor_index.parquet}, with parquet-java: {@link
 * org.saevhadoop.mapreduce.index.TensorIndexWriter} takes entries, {@link
 * org.saevhadoop.mapreduce.index.TensorIndexBuilder} makes them from the files. The reader is
 * {@link org.saevhadoop.format.parquet.ParquetTensorIndex}.
 */
package org.saevhadoop.mapreduce.index;
