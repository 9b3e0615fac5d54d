/**
 * Parquet tables whose rows are vectors of several layers, with the layer numbers in a column of
 * integers.
 *
 * <p>{@link org.saevhadoop.format.parquet.layers.LayerColumns} chooses the columns of a file, and
 * {@link org.saevhadoop.format.parquet.layers.LayerShape} derives the shape of the dataset from the
 * columns that number rows. Rows may be in any order: {@link
 * org.saevhadoop.format.parquet.layers.LayerGroup} sorts the rows of a row group by layer, example
 * and token as it is staged, and {@link org.saevhadoop.format.parquet.layers.LayerJoin} merges the
 * row groups; {@link org.saevhadoop.format.parquet.layers.LayerComparison} refuses layers that
 * differ in their labels or token ids. The result is a list of pieces, which are runs of vectors in
 * staged files; {@link org.saevhadoop.format.parquet.layers.JoinedLayers} joins them into a file.
 *
 * <p>Guarantees: each example, layer and token occurs exactly once, or else the dataset is refused
 * with an error that names the file and the row. Memory is bounded by the rows of one row group, by
 * the number of pieces, and by the number of row groups whose rows interleave; a table with more
 * interleaved row groups must be sorted.
 */
@Internal
@NullMarked
package org.saevhadoop.format.parquet.layers;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
