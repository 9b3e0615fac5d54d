/**
 * The format {@code parquet}: columns of vectors in Parquet files, as written by Spark, DuckDB,
 * pandas and polars, and found on the Hub.
 *
 * <p>{@link org.saevhadoop.format.parquet.ParquetFormat} is the format object. Columns are arrays
 * whose first dimension counts the rows, and they are mapped like the arrays of all other files
 * ({@link org.saevhadoop.format.arrays.format.ArrayKeys}). {@code TableArrays} chooses the columns
 * that are read. Pages cannot be read in place, so {@code ParquetStream} stages row groups, each
 * with its columns one after another, and {@code StagedTables} presents each file as a safetensors
 * file with one tensor per column. {@code SampleStaging} writes columns of strings and numbers as
 * the sample metadata of rows that are examples.
 *
 * <p>{@code LayerTables} and the package {@code layers} read rows of several layers; a column
 * contains the layer numbers.
 *
 * <p>Files written by this project use the {@code RowLayout}: one row per vector or example, which
 * {@code RowGroupStaging} turns into columns of examples. {@code RowFiles} lists the files of such
 * a dataset, {@code RowTable} is the dataset, and {@code RowReport} describes it.
 *
 * <p>The subpackages are {@code file}, the common parts of all readers; {@code table}, the reader
 * of columns; {@code layers}, the rows of several layers; {@code write}, the writer; and {@code
 * index}, the tensor index of safetensors datasets.
 *
 * <p>Guarantees: only the chosen columns are read; examples are in the order of the file names, and
 * within a file in the order of its rows; nulls in a column that is read, and lists of different
 * lengths, are refused with an error that names the file, the column and the row.
 */
@Internal
@NullMarked
package org.saevhadoop.format.parquet;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
