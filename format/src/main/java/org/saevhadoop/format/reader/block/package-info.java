/**
 * Blocks for jobs, from any dataset on any storage.
 *
 * <p>The entry point is {@link org.saevhadoop.format.reader.block.BlockCursor}, which reads the
 * columns of a {@link org.saevhadoop.format.reader.block.RecordSelection}, in its order ({@code
 * BlockWalk}), in large sequential reads. A record is a view of a reused direct buffer and is valid
 * only until the next call; a reader must be used by one thread. Values are not decoded here:
 * decoding is left to the recipient of the block.
 *
 * <p>{@link org.saevhadoop.format.reader.block.OpenShards} keeps recently used files open, and
 * {@link org.saevhadoop.format.reader.block.Gather} joins reads that are close to one another. The
 * readers of vectors ({@code format.reader.vector}) use both, but this package does not depend on
 * them.
 */
@Internal
@NullMarked
package org.saevhadoop.format.reader.block;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
