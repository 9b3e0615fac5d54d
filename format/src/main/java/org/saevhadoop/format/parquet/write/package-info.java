/**
 * Activations as Parquet files, with one row per vector or example, written without parquet-java
 * (docs/decisions.md gives the reasons).
 *
 * <p>The entry point is {@link org.saevhadoop.format.parquet.write.ParquetWritePlan}. Its files
 * have the columns {@code example}, {@code layer}, {@code token} and {@code vector}, and the
 * labels, per-token integers, ids and sample metadata that accompany the vectors. A row group holds
 * one layer of consecutive examples, so that readers can skip groups by the statistics of {@code
 * layer} and {@code example}.
 *
 * <p>If rows are examples, each layer is a column, {@code layer} and {@code token} are absent, and
 * per-token data is in lists. A row group then holds all layers of a few examples: blocks arrive
 * example by example and are buffered on the local disk, because columns are written one by one.
 *
 * <p>Files are written from front to back: {@code ParquetSink} receives the blocks, {@code
 * VectorPages} adds list levels to their unchanged bytes, {@code IntegerColumn}, {@code IdColumn}
 * and {@code SampleColumns} compute the other columns, {@code ChunkWriter} writes pages, and {@code
 * FileFooter} writes the indexes of pages and the metadata. Memory is bounded by one page and the
 * locations of all pages of a file. Rows that are longer than a page are divided; they have no
 * offset index, which requires pages that begin with a row.
 *
 * <p>Sources: <a href="https://github.com/apache/parquet-format">apache/parquet-format</a>, {@code
 * parquet.thrift}, whose field and enum numbers are used in the code, {@code LogicalTypes.md} for
 * lists and {@code Encodings.md}; apache/arrow, {@code format/Schema.fbs} and {@code
 * format/Message.fbs}, for the schema that Arrow's readers find in the metadata.
 */
@Internal
@NullMarked
package org.saevhadoop.format.parquet.write;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
