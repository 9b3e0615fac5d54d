/**
 * Columns of numbers in Parquet files, read as arrays without parquet-java and Hadoop.
 *
 * <p>{@link org.saevhadoop.format.parquet.table.TableFooter} reads the schema and the locations of
 * the pages, and {@link org.saevhadoop.format.parquet.table.ColumnReader} reads a column of a row
 * group as the elements of one array. Each row of a {@link
 * org.saevhadoop.format.parquet.table.TableColumn} contains a number, a list of numbers, lists of
 * lists, or the bytes of a vector.
 *
 * <p>The package reads data pages of both versions and in all encodings that writers use for
 * numbers. Lists may have three levels, as Parquet prescribes, or two, as in files from older
 * writers: only the levels of values matter, because nulls and empty lists are refused, and all
 * lists of a level must have the same length. Only lists of tokens may differ in length or be
 * empty, and only if they are the outermost lists. {@code DataPages} decodes the values of a page.
 *
 * <p>Guarantees: memory is bounded by one page, which is charged before it is allocated; every
 * error in a file is a {@link org.saevhadoop.format.io.FormatException}, and errors about values
 * name the column and the row.
 */
@Internal
@NullMarked
package org.saevhadoop.format.parquet.table;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
