/**
 * The content of single shards. Start with {@link
 * org.saevhadoop.format.pickleshards.shard.OpenShard}, which reads a shard, or with {@link
 * org.saevhadoop.format.pickleshards.shard.ShardBlocks}, which iterates over its arrays. {@link
 * org.saevhadoop.format.pickleshards.shard.FeatureSplitJoiner} joins shards that contain halves of
 * the same vectors.
 *
 * <p>A shard is a pickle of {@code {layer: [sample, ...], ...}}, optionally compressed with gzip;
 * each sample is a dict with {@code sample_idx}, {@code activation} and further metadata.
 *
 * <p>Guarantees: compression is detected by content, not by name. A shard is read to its end before
 * its samples are used, so that a truncated file is never accepted in part. Arrays of uncompressed
 * shards are read in place, and arrays of compressed shards from a spool on the local disk. All
 * metadata of a sample can be represented as JSON ({@link
 * org.saevhadoop.format.pickleshards.shard.SampleText}) or is an error.
 *
 * <p>Sources: docs/pickle.md, which lists the rules of the specification and of the real writers
 * and readers.
 */
package org.saevhadoop.format.pickleshards.shard;
