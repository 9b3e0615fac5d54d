/**
 * Datasets of activations in pickled shards, with the {@code metadata.json} of the specification or
 * of the programs that write shards in practice ("real writers").
 *
 * <ul>
 *   <li>{@link org.saevhadoop.format.pickleshards.directory}: the files of a dataset and their
 *       manifests. Start with {@link org.saevhadoop.format.pickleshards.directory.ShardFiles}.
 *   <li>{@link org.saevhadoop.format.pickleshards.shard}: the content of one shard. Start with
 *       {@link org.saevhadoop.format.pickleshards.shard.OpenShard}.
 *   <li>{@link org.saevhadoop.format.pickleshards.unpacked}: random access after unpacking. Start
 *       with {@link org.saevhadoop.format.pickleshards.unpacked.ShardUnpacker} and {@link
 *       org.saevhadoop.format.pickleshards.unpacked.UnpackedDataset}.
 *   <li>{@link org.saevhadoop.format.pickleshards.write}: new datasets. Start with {@link
 *       org.saevhadoop.format.pickleshards.write.PickleWritePlan}.
 * </ul>
 *
 * <p>docs/pickle.md lists the rules with their sources.
 */
@NullMarked
package org.saevhadoop.format.pickleshards;

import org.jspecify.annotations.NullMarked;
