/**
 * Datasets in SameDiff containers. For reading, start with {@link
 * org.saevhadoop.format.samediff.dataset.SameDiffTable}, which opens examples with any columns, or
 * with {@link org.saevhadoop.format.samediff.dataset.SameDiffArrays}, which reads the arrays of
 * containers that other programs wrote, for use by {@link org.saevhadoop.format.arrays}. For
 * writing, start with {@link org.saevhadoop.format.samediff.dataset.SdnbWritePlan} or {@link
 * org.saevhadoop.format.samediff.dataset.SdzWritePlan}; {@link
 * org.saevhadoop.format.samediff.dataset.WrittenArrays} determines the arrays for both, and {@link
 * org.saevhadoop.format.samediff.dataset.ContainerLimits} checks the limits of loaders.
 *
 * <p>A column consists of one array {@code <column>/shard_<i>} of shape {@code [n, ...]} for each
 * group of consecutive examples, such as {@code layer_13/shard_0} of shape {@code [n, token, dim]}
 * and {@code labels/shard_0} of shape {@code [n, patch]}; an array with any other name is a column
 * of its own. Arrays that contain the same examples form an {@code ArrayGroup}. If they are in C
 * order, uncompressed and in one file, their blocks are read in place; otherwise they appear as one
 * virtual file ({@code ArrayFolder}, {@code GatheredInput}).
 *
 * <p>{@link org.saevhadoop.format.samediff.dataset.DatasetMetadata} stores the provenance under
 * metadata keys with the prefix {@code saev.}. Sample metadata is stored in files next to the data
 * files.
 *
 * <p>Guarantees: the sizes and names of SDNB files are known before the first value is written, so
 * tasks can write files independently; the graph of a sharded container is written last. An SDZ
 * file is written by one task, which spools a stored entry on the local disk until its CRC-32 is
 * known. Memory use depends on the number of arrays, not on their sizes. Equal plans yield equal
 * bytes.
 *
 * <p>Sources: the names of arrays and of {@code saev.} keys are defined by this project; other
 * metadata keys and the roles of shards are defined by SameDiffSerializer of deeplearning4j, commit
 * 0db14318. docs/samediff.md lists the errors in loaders that determined the form of the files.
 */
@Internal
@NullMarked
package org.saevhadoop.format.samediff.dataset;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
