/**
 * Tensor index {@code _tensor_index.parquet} of a safetensors dataset, which maps each tensor to
 * the file that contains it.
 *
 * <p>The entry points are {@link org.saevhadoop.format.parquet.ParquetTensorIndex}, which looks up
 * keys, and {@link org.saevhadoop.format.parquet.IndexCheck}, which compares an index with the
 * files of its dataset.
 *
 * <p>This package reads Parquet without parquet-java: a lookup needs only a small part of the
 * format, loading the classes of parquet-java takes longer than the whole lookup, and parquet-java
 * allocates whatever memory an invalid file requests. Here memory is bounded by the data present,
 * and every error in a file is a {@link org.saevhadoop.format.io.FormatException}. Writing an index
 * uses parquet-java in the module {@code mapreduce}.
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
package org.saevhadoop.format.parquet;
