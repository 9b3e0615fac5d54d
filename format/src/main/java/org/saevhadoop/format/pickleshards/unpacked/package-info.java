/**
 * Unpacked shards, which allow random access. Start with {@link
 * org.saevhadoop.format.pickleshards.unpacked.ShardUnpacker}, which unpacks one shard, {@link
 * org.saevhadoop.format.pickleshards.unpacked.ShardJoin}, which joins the samples of all shards,
 * and {@link org.saevhadoop.format.pickleshards.unpacked.UnpackedDataset}, which reads the result.
 *
 * <p>Unpacking a shard writes its blocks, a catalogue of their locations and the metadata of its
 * samples. The join numbers the samples of all shards by id and writes, for each shard, the block
 * addresses of the samples whose home it is, that is, the samples whose metadata is stored with it.
 * Shards can be unpacked independently of one another, for example by the tasks of a job; {@link
 * org.saevhadoop.format.pickleshards.unpacked.UnpackOptions} are the same for all of them.
 *
 * <p>Guarantees: each shard is read once, or twice if only some of its examples are requested
 * ({@link org.saevhadoop.format.pickleshards.unpacked.ShardJoin#choose}). Only requested blocks are
 * copied, and blocks of uncompressed shards are read in place where possible. Arrays that occur
 * twice must be equal. The files of this package are temporary and have no stable format.
 *
 * <p>Sources: docs/pickle.md for the rules by which samples of several shards are joined.
 */
@NullMarked
package org.saevhadoop.format.pickleshards.unpacked;

import org.jspecify.annotations.NullMarked;
