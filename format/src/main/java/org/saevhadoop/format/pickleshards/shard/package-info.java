/**
 * The content of individual shards. Start with {@link
 * org.saevhadoop.format.pickleshards.shard.OpenShard}, which reads a shard. {@link
 * org.saevhadoop.format.pickleshards.shard.FeatureSplitJoiner} joins shards that contain halves of
 * the same vectors.
 *
 * <p>Guarantees: compression is detected by content, not by name. A shard is read to its end before
 * its samples are used, so that a truncated file is never accepted in part. Arrays of uncompressed
 * shards are read in place; arrays of compressed shards are read from a spool on the local disk.
 * Any sample metadata that cannot be represented as JSON ({@link
 * org.saevhadoop.format.pickleshards.shard.SampleText}) is an error.
 *
 * <p>Sources: docs/pickle.md, which lists the rules of the specification and of the real writers
 * and readers.
 */
@Internal
@NullMarked
package org.saevhadoop.format.pickleshards.shard;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
