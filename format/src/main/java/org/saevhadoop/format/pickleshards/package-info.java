/**
 * Directories of pickled activations: their shards, and the {@code metadata.json} that the
 * specification and the real writers put beside them.
 *
 * <p>Start at {@link org.saevhadoop.format.pickleshards.directory.ShardFiles}, which finds the
 * shards of a directory, and {@link org.saevhadoop.format.pickleshards.shard.OpenShard}, which
 * reads one. {@link org.saevhadoop.format.pickleshards.unpacked.ShardUnpacker} leaves the blocks
 * that are asked for in a folder, where {@link
 * org.saevhadoop.format.pickleshards.unpacked.UnpackedDataset} reads them at any position. {@link
 * org.saevhadoop.format.pickleshards.write.PickleWritePlan} says what is written.
 *
 * <p>docs/pickle.md has the rules and the source of each.
 */
package org.saevhadoop.format.pickleshards;
