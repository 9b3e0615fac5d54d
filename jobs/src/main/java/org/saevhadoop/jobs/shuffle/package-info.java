/**
 * Writes a dataset in a random order. The class to begin with is {@link
 * org.saevhadoop.jobs.shuffle.Shuffle}, the verb. The first pass is a map-only job of {@link
 * org.saevhadoop.jobs.shuffle.ScatterRows} over the splits of the source, whose tasks write files
 * of rows in buckets, for all parts of a partition together; the second pass converts each dataset
 * in these files ({@link org.saevhadoop.jobs.convert.DatasetConversion}), with everything that
 * conversions can do: formats, publication, repetition after a failure, and verification.
 *
 * <p>The row files are in the folder in which a conversion stages a stream, and are named after the
 * examples that they contain, so a run that continues an interrupted run reads only the missing
 * examples. The format of the row files, the order and its key are defined in {@code
 * org.saevhadoop.format.shuffle}.
 */
@NullMarked
package org.saevhadoop.jobs.shuffle;

import org.jspecify.annotations.NullMarked;
