/**
 * Unpacked shards, which allow random access. {@link
 * org.saevhadoop.format.pickleshards.unpacked.ShardUnpacker} writes the blocks of one shard, a
 * catalogue of their locations and the metadata of its samples; shards can be unpacked
 * independently of one another. {@link org.saevhadoop.format.pickleshards.unpacked.ShardJoin}
 * numbers the samples of all shards by id, and {@link
 * org.saevhadoop.format.pickleshards.unpacked.UnpackedDataset} reads the result.
 *
 * <p>Guarantees: each shard is read once, or twice if only some of its examples are requested. Only
 * requested blocks are copied, and blocks of uncompressed shards are read in place where possible.
 * Arrays that occur twice must be equal. The files of this package are temporary and have no stable
 * format.
 *
 * <p>Sources: docs/pickle.md, which contains the rules for joining samples from several shards.
 */
@Internal
@NullMarked
package org.saevhadoop.format.pickleshards.unpacked;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
