/**
 * The writer of {@code _tensor_index.parquet}, which uses parquet-java.
 *
 * <p>The class to begin with is {@link org.saevhadoop.mapreduce.index.TensorIndexBuilder}, which
 * builds the index of a dataset from the headers of its files. {@link
 * org.saevhadoop.mapreduce.index.TensorIndexWriter} takes single entries.
 *
 * <p>An entry is a row with the columns {@code tensor_key}, {@code file_name}, {@code shape} and
 * {@code dtype}, exactly as safetensors-spark writes them, and {@code begin}, {@code end} and
 * {@code header_bytes}, with which a reader finds a tensor without reading the header of its file.
 * Row groups and pages are small, because a lookup reads one page of each column. Memory does not
 * grow with the number of entries.
 *
 * <p>The reader is {@link org.saevhadoop.format.parquet.TensorIndex}; it depends neither on
 * parquet-java nor on Hadoop.
 */
@NullMarked
package org.saevhadoop.mapreduce.index;

import org.jspecify.annotations.NullMarked;
