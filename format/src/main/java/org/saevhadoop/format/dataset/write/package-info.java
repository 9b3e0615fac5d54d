/**
 * The neutral model of a dataset to be written. The entry point is {@link
 * org.saevhadoop.format.dataset.write.DatasetWrite}, which combines the three parts of a format: a
 * {@link org.saevhadoop.format.dataset.write.WritePlan} of the data files, {@link
 * org.saevhadoop.format.dataset.write.ShardSinks} that open these files so that their blocks can be
 * written, and a {@link org.saevhadoop.format.dataset.write.DatasetFinisher} for the documents that
 * complete the dataset.
 *
 * <p>{@link org.saevhadoop.format.dataset.write.DatasetWriter} writes the blocks of a task to the
 * files of such a dataset.
 *
 * <p>If the plan determines a file byte by byte, {@link
 * org.saevhadoop.format.dataset.write.PlainShardSinks} suffices. Its {@link
 * org.saevhadoop.format.dataset.write.ShardWriter} appends blocks that arrive in the order of the
 * plan; {@link org.saevhadoop.format.dataset.write.ShardSpool} accepts them in any order and spools
 * them on the local disk, because some storage systems only support appending.
 *
 * <p>A sink that closes without an error has written each block of its file exactly once and at its
 * offset. The documents of a dataset are written last, after all data files are complete.
 */
@NullMarked
package org.saevhadoop.format.dataset.write;

import org.jspecify.annotations.NullMarked;
