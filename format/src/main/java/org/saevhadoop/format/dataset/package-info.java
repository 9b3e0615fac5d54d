/**
 * The neutral model of a dataset, which connects the formats.
 *
 * <p>A dataset is a {@link org.saevhadoop.format.dataset.TableDataset}: examples with the same
 * columns of any dtype and shape. Activations of logical shape {@code [example, layer, token, dim]}
 * ({@link org.saevhadoop.format.dataset.ActivationDataset}) are a table whose columns are the
 * layers. The unit of transfer is the block: the data of one example in one column, which is
 * contiguous in every format.
 *
 * <p>A format specifies the offsets of its blocks ({@link
 * org.saevhadoop.format.dataset.BlockOffsets}). The package {@code
 * org.saevhadoop.format.reader.block} reads blocks in any order that the consumer needs, and {@code
 * org.saevhadoop.format.dataset.write} is the counterpart for writing. N formats therefore need N
 * datasets and N write plans instead of N*N converters.
 *
 * <p>All values are little-endian. No code in this package interprets a value: bits are passed on
 * unchanged, and so are {@link org.saevhadoop.format.dataset.Provenance}, labels and sample
 * metadata.
 */
@NullMarked
package org.saevhadoop.format.dataset;

import org.jspecify.annotations.NullMarked;
