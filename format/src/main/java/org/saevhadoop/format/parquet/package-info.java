/**
 * Tensor index {@code _tensor_index.parquet} of a safetensors dataset, which maps each tensor to
 * the file that contains it.
 *
 * <p>The entry points are {@link org.saevhadoop.format.parquet.TensorIndex}, which looks up keys,
 * and {@link org.saevhadoop.format.parquet.IndexCheck}, which compares an index with the files of
 * its dataset.
 *
 * <p>This package reads the part of Parquet that parquet-java, Arrow and Spark use for such an
 * index by default, without parquet-java (docs/decisions.md says why). Memory is bounded by the
 * data present, and every error in a file is a {@link org.saevhadoop.format.io.FormatException}.
 * Writing an index uses parquet-java in the module {@code mapreduce}.
 *
 * <p>Files are read as follows: {@code IndexFooter} reads the Thrift metadata ({@code
 * ThriftStruct}), {@code ColumnChunk} finds the pages that may contain a key by their bounds,
 * {@code PageCodec} decompresses them, and {@code ColumnCursor} decodes their values. {@code
 * ByteWindows} combines small reads.
 *
 * <p>Sources: "Parquet" in the comments refers to the specification, <a
 * href="https://github.com/apache/parquet-format">apache/parquet-format</a>, whose field and enum
 * numbers are used in the code. The columns are those of safetensors-spark, plus the offsets that
 * this project adds.
 */
@NullMarked
package org.saevhadoop.format.parquet;

import org.jspecify.annotations.NullMarked;
