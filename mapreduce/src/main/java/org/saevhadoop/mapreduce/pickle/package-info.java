/**
 * Pickled activation shards as a dataset format. The class to begin with is {@link
 * org.saevhadoop.mapreduce.pickle.PickleFormat}; {@link org.saevhadoop.mapreduce.pickle.PickleKeys}
 * has the reading and the writing keys.
 *
 * <p>This package maps the format to settings, provenance and reports; shards and their documents
 * are read and written by {@code org.saevhadoop.format.pickleshards}, and pickles by {@code
 * org.saevhadoop.format.pickle}.
 *
 * <ul>
 *   <li>Pickles can only be read sequentially, so the format is a stream: a part is one shard, or
 *       two shards that contain halves of the same vectors. {@code open} always fails; the dataset
 *       must be staged first ({@link org.saevhadoop.mapreduce.staging}).
 *   <li>The arrays of a shard can be listed as they are recorded, even if they do not form a
 *       dataset.
 *   <li>The checksums and counts that metadata.json states are verified.
 *   <li>The facts about the extraction in metadata.json are a document of the provenance, and are
 *       written to the metadata.json of the output.
 *   <li>If sample metadata is written, arrays keep the types that it states, unless the user
 *       requests a type.
 * </ul>
 *
 * <p>docs/pickle.md has the rules of the format and their sources.
 */
@NullMarked
package org.saevhadoop.mapreduce.pickle;

import org.jspecify.annotations.NullMarked;
