/**
 * Datasets in a random order. A dataset is shuffled in two passes. In the first pass, tasks read
 * the source sequentially. Each task appends its rows (vectors or examples) to its own file, in
 * chunks of about 1 MiB, each of which belongs to one of many buckets ({@link
 * org.saevhadoop.format.shuffle.RowScatter}). A bucket is a range of rows of the result ({@link
 * org.saevhadoop.format.shuffle.Buckets}). In the second pass, the folder with these files is a
 * dataset ({@link org.saevhadoop.format.shuffle.ShuffledDataset}), which is converted like any
 * other: a task that reads it in order loads one bucket after another into memory, and puts each
 * row at its position.
 *
 * <p>The files of a task and their record are a part of a {@link
 * org.saevhadoop.format.staged.StagedFolder}; only files of parts are read. Each chunk contains its
 * CRC-32C, which is verified when the chunk is loaded.
 *
 * <p>The position of row i of the source is computed rather than stored: it is {@code at(i)} of a
 * {@link org.saevhadoop.format.permutation.Permutation}, whose key is the text of a {@link
 * org.saevhadoop.format.shuffle.RowOrder}. The result therefore depends on the seed, the source and
 * the selection alone, and not on tasks, splits, memory or the division into buckets.
 *
 * <p>If a task has M bytes of memory, a bucket has up to M bytes, and the open chunks of the first
 * pass take M bytes. Chunks of 1 MiB therefore suffice for datasets of up to M^2 / 1 MiB bytes; for
 * larger datasets, chunks become smaller ({@link org.saevhadoop.format.shuffle.RowFormat}).
 */
@Internal
@NullMarked
package org.saevhadoop.format.shuffle;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
