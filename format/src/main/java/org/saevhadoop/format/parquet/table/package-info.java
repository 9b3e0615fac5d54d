/**
 * Columns of numbers in Parquet files, read as arrays without parquet-java and Hadoop.
 *
 * <p>{@link org.saevhadoop.format.parquet.table.TableFooter} reads the schema and the locations of
 * the pages, {@link org.saevhadoop.format.parquet.table.ColumnReader} reads a column of a row group
 * as the elements of one array. A {@link org.saevhadoop.format.parquet.table.TableColumn} is a
 * number in each row, a list of numbers, lists of lists, or bytes that are a vector.
 *
 * <p>It reads pages of both versions, all encodings that writers use for numbers, and lists of
 * three levels, as Parquet prescribes, or of two, as older writers use: only the levels of values
 * matter, because a null and an empty list are refused, and all lists of a level must have one
 * length.
 *
 * <p>Guarantees: memory is bounded by one page, which is charged before it is allocated; every
 * error in a file is a {@link org.saevhadoop.format.io.FormatException}, and errors about values
 * name column and row.
 */
@Internal
@NullMarked
package org.saevhadoop.format.parquet.table;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
