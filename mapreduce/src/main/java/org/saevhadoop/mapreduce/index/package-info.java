/**
 * The writer of {@code _tensor_index.parquet}, which uses parquet-java. The class to begin with is
 * {@link org.saevhadoop.mapreduce.index.TensorIndexWriter}.
 *
 * <p>An entry is a row with the columns {@code tensor_key}, {@code file_name}, {@code shape} and
 * {@code dtype}, exactly as safetensors-spark writes them, and {@code begin}, {@code end} and
 * {@code header_bytes}, with which a reader finds a tensor without reading the header of its file.
 *
 * <p>The reader is {@link org.saevhadoop.format.parquet.index.TensorIndex}; it depends neither on
 * parquet-java nor on Hadoop.
 */
@Internal
@NullMarked
package org.saevhadoop.mapreduce.index;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
