/**
 * The one model between the formats.
 *
 * <p>A dataset is activations of logical shape {@code [example, layer, token, dim]} ({@link
 * org.saevhadoop.format.dataset.Geometry}). What moves is the block, the {@code [token, dim]}
 * matrix at (example, layer): it is contiguous in every format. Below that a dataset is a {@link
 * org.saevhadoop.format.dataset.TableShape}, examples with the same columns of any type and shape:
 * a layer is a column, and what moves blocks knows no more. So a format that can be read at a
 * position says no more than where the blocks lie ({@link
 * org.saevhadoop.format.dataset.TableDataset}, {@link org.saevhadoop.format.dataset.BlockOffsets}),
 * and the package {@code org.saevhadoop.format.reader} reads them in whatever order the receiver
 * needs: the order is a property of the read, never a copy in memory.
 *
 * <p>A format that is written says which files there will be, which examples each holds and in
 * which order ({@link org.saevhadoop.format.dataset.write.WritePlan}), opens them for their blocks
 * ({@link org.saevhadoop.format.dataset.write.ShardSinks}) and ends the dataset ({@link
 * org.saevhadoop.format.dataset.write.DatasetFinisher}). Where the plan gives a file byte by byte,
 * {@link org.saevhadoop.format.dataset.write.PlainShardSinks} is all that is needed; {@link
 * org.saevhadoop.format.dataset.write.ShardWriter} appends the blocks and checks that each arrives,
 * once, in its place. N formats cost N datasets and N plans, not N*N converters.
 *
 * <p>All numbers are little-endian and no code here looks at one: bits pass unchanged.
 */
package org.saevhadoop.format.dataset;
