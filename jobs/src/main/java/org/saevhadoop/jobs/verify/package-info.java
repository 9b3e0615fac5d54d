/**
 * The check of a dataset: its structure, the checksums of its files, and its values.
 *
 * <p>{@link org.saevhadoop.jobs.verify.Verification} is the verb. Values are checked in a job over
 * blocks: map tasks read the bits of each vector once, find NaN, infinities, zeros and constant
 * vectors, and compute a 128-bit hash. Hashes are divided into buckets of limited size, and equal
 * hashes are found in a table of one bucket at a time: by the client of the job, which reads the
 * output of the map tasks, or by reducers if there are many hashes. Reducers pass on the other
 * findings of the map tasks.
 *
 * <p>Counts are sums, and the listed vectors have the smallest coordinates, so the result does not
 * depend on splits. A duplicate is a vector that equals another one with smaller coordinates.
 *
 * <p>A block that cannot be read is a finding, not a failure of the job: the other files and
 * columns are still checked.
 */
@NullMarked
package org.saevhadoop.jobs.verify;

import org.jspecify.annotations.NullMarked;
