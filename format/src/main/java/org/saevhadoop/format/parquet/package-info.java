/**
 * The format {@code parquet}: columns of vectors in Parquet files, as Spark, DuckDB, pandas, polars
 * and the Hub have them.
 *
 * <p>{@link org.saevhadoop.format.parquet.ParquetFormat} is the format object. Columns are arrays
 * whose first dimension is that of the rows, and are mapped as arrays of all other files are
 * ({@link org.saevhadoop.format.arrays.format.ArrayKeys}). {@code TableArrays} chooses the columns
 * that are read. As pages cannot be read in place, {@code ParquetStream} stages row groups, each
 * with its columns one after the other, and {@code StagedTables} lets each file appear as a
 * safetensors file of one tensor for each column. {@code SampleStaging} writes columns of texts and
 * numbers as the sample metadata of rows that are examples.
 *
 * <p>Rows of several layers, which a column numbers, are read by {@code LayerTables} with the
 * package {@code layers}.
 *
 * <p>Files that this project wrote are in the {@code RowLayout}: a row for each vector or example,
 * which {@code RowGroupStaging} turns into columns of examples. {@code RowFiles} are the files of
 * such a dataset, {@code RowTable} is the dataset, and {@code RowReport} describes it.
 *
 * <p>Below are {@code file}, what all readers of Parquet need; {@code table}, the reader of
 * columns; and {@code index}, the tensor index of safetensors datasets.
 *
 * <p>Guarantees: only the chosen columns are read; the order of examples is that of the files by
 * their names, and of their rows; a null in a column that is read, or lists of different lengths,
 * are refused with file, column and row.
 */
@Internal
@NullMarked
package org.saevhadoop.format.parquet;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
