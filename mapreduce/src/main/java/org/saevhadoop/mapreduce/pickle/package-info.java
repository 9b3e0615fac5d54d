/**
 * Pickled activation shards as a dataset format. The class to begin with is {@link
 * org.saevhadoop.mapreduce.pickle.PickleFormat}.
 *
 * <p>This package maps the format to settings, provenance and reports; shards and their documents
 * are read and written by {@code org.saevhadoop.format.pickleshards}, and pickles by {@code
 * org.saevhadoop.format.pickle}. Pickles can only be read sequentially, so the format is a stream:
 * a part is one shard, or two shards that contain halves of the same vectors. {@code open} always
 * fails; the dataset must be staged first ({@link org.saevhadoop.mapreduce.staging}).
 *
 * <p>docs/pickle.md has the rules of the format and their sources.
 */
@NullMarked
package org.saevhadoop.mapreduce.pickle;

import org.jspecify.annotations.NullMarked;
