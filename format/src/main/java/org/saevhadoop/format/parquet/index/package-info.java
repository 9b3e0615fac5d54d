/**
 * Tensor index {@code _tensor_index.parquet} of a safetensors dataset, which maps each tensor to
 * the file that contains it.
 *
 * <p>The entry points are {@link org.saevhadoop.format.parquet.index.TensorIndex}, which looks up
 * keys, and {@link org.saevhadoop.format.parquet.index.IndexCheck}, which compares an index with
 * the files of its dataset.
 *
 * <p>This package reads the part of Parquet that parquet-java, Arrow and Spark use for such an
 * index by default, with {@code format.parquet.file} and without parquet-java (docs/decisions.md
 * gives the reasons). Memory is bounded by the data present, and every error in a file is a {@link
 * org.saevhadoop.format.io.FormatException}. The mapreduce module writes an index with
 * parquet-java.
 *
 * <p>Files are read as follows: {@code IndexFooter} reads the metadata, {@code ColumnChunk} finds
 * the pages that can contain a key by their bounds, and {@code ColumnCursor} decodes their values.
 *
 * <p>Sources: the columns are defined by safetensors-spark; this project adds the offsets.
 */
@Internal
@NullMarked
package org.saevhadoop.format.parquet.index;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
