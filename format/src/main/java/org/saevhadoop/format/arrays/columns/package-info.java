/**
 * Activations in the columns of a table, for formats that store arrays under names. {@link
 * org.saevhadoop.format.arrays.columns.ActivationColumns} finds them: {@code layer_<l>} with shape
 * {@code [token, dim]} for each layer, one column {@code acts} with shape {@code [layer, token,
 * dim]}, or the columns that {@link org.saevhadoop.format.arrays.ArrayMapping}s describe. {@link
 * org.saevhadoop.format.arrays.columns.ColumnActivations} presents the table with its layers as
 * columns.
 *
 * <p>Guarantees: a column that is neither activations nor labels is an error, unless mappings name
 * the columns to read; in that case, the other columns cause one warning. All layers have the same
 * dtype, number of tokens and dimension. Nothing is copied: a layer is an offset in the block of
 * its column.
 *
 * <p>Sources: the names {@code layer_<l>}, {@code acts} and {@code labels}, and the metadata key
 * {@code saev.layers}, are defined by this project.
 */
@Internal
@NullMarked
package org.saevhadoop.format.arrays.columns;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
