/**
 * Datasets of activations in pickled shards, with the {@code metadata.json} of the specification or
 * of the programs that write shards in practice ("real writers"). {@link
 * org.saevhadoop.format.pickleshards.PickleFormat} is the format object. Pickles can only be read
 * sequentially, so the format is a stream: a part is one shard, or two shards that contain halves
 * of the same vectors. {@code open} always fails; the dataset must be staged first.
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
@Internal
@NullMarked
package org.saevhadoop.format.pickleshards;

import org.jspecify.annotations.NullMarked;
import org.saevhadoop.format.api.Internal;
