/**
 * The neutral model of a dataset, which connects the formats.
 *
 * <p>A dataset consists of activations of logical shape {@code [example, layer, token, dim]}
 * ({@link org.saevhadoop.format.dataset.Geometry}). The unit of transfer is the block: the {@code
 * [token, dim]} matrix at (example, layer), which is contiguous in every format. On a lower level a
 * dataset is a {@link org.saevhadoop.format.dataset.TableShape}: examples with the same columns of
 * any dtype and shape. A layer is a column, and code that moves blocks depends only on the table.
 *
 * <p>The entry points are {@link org.saevhadoop.format.dataset.TableDataset} and {@link
 * org.saevhadoop.format.dataset.ActivationDataset}. A format with random access implements them by
 * stating the offsets of its blocks ({@link org.saevhadoop.format.dataset.BlockOffsets}). The
 * package {@code org.saevhadoop.format.reader.block} then reads the blocks in any order that the
 * consumer needs: the order is a property of the read and never requires a copy in memory. The
 * package {@code org.saevhadoop.format.dataset.write} contains the counterpart for writing. N
 * formats therefore need N datasets and N write plans instead of N*N converters.
 *
 * <p>Data that travels with activations without being interpreted is a {@link
 * org.saevhadoop.format.dataset.Provenance}; patch labels ({@link
 * org.saevhadoop.format.dataset.PatchLabels}) and sample metadata (package {@code
 * org.saevhadoop.format.samples}) are copied with the examples to which they belong.
 *
 * <p>All values are little-endian. No code in this package interprets a value: bits are passed on
 * unchanged.
 */
@NullMarked
package org.saevhadoop.format.dataset;

import org.jspecify.annotations.NullMarked;
